/**
 * The settings `jaxlint.*`.
 *
 * In: values as a user wrote them. Out: the same with variables replaced, and what of them the server gets.
 */

import * as os from "node:os";
import * as path from "node:path";

export interface Surroundings {
  readonly folder: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The settings that the server knows; the others are the extension's own. */
const SERVER = [
  "configuration",
  "select",
  "ignore",
  "extendSelect",
  "exclude",
  "preview",
  "minSeverity",
  "syntaxErrors",
  "ignoreComments",
  "fixAll",
  "unsafeFixes",
  "traceHints",
] as const;

/** The settings that take effect only when the server starts. */
export const AT_START = ["jaxlint.path", "jaxlint.interpreter", "jaxlint.args"] as const;

/** Replaces `~`, `${workspaceFolder}`, `${userHome}` and `${env:NAME}`; what has no value stays as it is. */
export function replaced(text: string, around: Surroundings): string {
  const home = text === "~" || /^~[\\/]/.test(text) ? os.homedir() + text.slice(1) : text;
  return home.replace(/\$\{(workspaceFolder|userHome|env:([^}]+))\}/g, (whole, name: string, variable?: string) => {
    if (variable !== undefined) {
      return around.environment[variable] ?? whole;
    }
    return (name === "userHome" ? os.homedir() : around.folder) ?? whole;
  });
}

/** A path with variables replaced, relative to the workspace folder. */
export function pathFrom(text: string, around: Surroundings): string {
  const found = replaced(text, around);
  return around.folder === undefined ? found : path.resolve(around.folder, found);
}

/** The strings of a setting that should be a list; a lone string is a list of one. */
export function strings(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each): each is string => typeof each === "string" && each !== "");
}

/** The settings as the server reads them; what is empty is left out. */
export function forServer(settings: Readonly<Record<string, unknown>>, around: Surroundings): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const name of SERVER) {
    const value = settings[name];
    if (value !== undefined && value !== null && value !== "") {
      found[name] = name === "configuration" && typeof value === "string" ? pathFrom(value, around) : value;
    }
  }
  return found;
}
