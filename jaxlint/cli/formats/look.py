"""How the page of the format `html` looks, and what it does: its style sheet and its script.

The page can be read without the script, which adds the filter and the switch between light and dark.
"""

from __future__ import annotations

_LIGHT = (
    "color-scheme: light; --text: #1c1e21; --back: #fff; --soft: #f3f4f6; --line: #d5d8dd; "
    "--faint: #5b626c; --link: #0b5cad; --error: #b3261e; --warning: #8a5a00; "
    "--info: #1558b0; --gone: #fbe3e1; --new: #dff3e3;"
)
_DARK = (
    "color-scheme: dark; --text: #e4e6ea; --back: #16181c; --soft: #22252b; --line: #3a3f48; "
    "--faint: #a0a7b2; --link: #7db8f5; --error: #ff8a80; --warning: #f0b860; "
    "--info: #8ab8f8; --gone: #4a2523; --new: #1f3d2a;"
)

STYLE = f"""
:root {{ {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {_DARK} }} }}
:root[data-theme="dark"] {{ {_DARK} }}
* {{ box-sizing: border-box; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 70rem; padding: 1rem;
  color: var(--text); background: var(--back); }}
a {{ color: var(--link); }}
header, form {{ display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }}
header h1 {{ margin: 0; flex: 1; }}
form {{ position: sticky; top: 0; padding: .6rem 0; background: var(--back); z-index: 1;
  border-bottom: 1px solid var(--line); }}
input, select, button {{ font: inherit; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; padding: .2rem .5rem; max-width: 100%; }}
input {{ flex: 1 1 12rem; }}
[hidden] {{ display: none !important; }}
h2 {{ font-size: 1.05rem; margin: 1.6rem 0 .4rem; overflow-wrap: anywhere; }}
h2.path, pre, code {{ font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }}
.tables {{ display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }}
.tables > div {{ min-width: 0; max-width: 100%; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }}
th.number, td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
article {{ border-left: 4px solid var(--line); margin: .8rem 0; padding: .1rem 0 .1rem .9rem;
  scroll-margin-top: 5rem; }}
article p {{ margin: .35rem 0; overflow-wrap: anywhere; white-space: pre-line; }}
article.error {{ border-color: var(--error); }}
.error .severity, .error mark {{ color: var(--error); }}
article.warning {{ border-color: var(--warning); }}
.warning .severity, .warning mark {{ color: var(--warning); }}
article.info {{ border-color: var(--info); }}
.info .severity, .info mark {{ color: var(--info); }}
.severity {{ font-weight: 600; }} .place, .faint {{ color: var(--faint); }}
pre {{ overflow-x: auto; margin: .35rem 0; padding: .5rem; background: var(--soft); border-radius: 4px; }}
pre, code {{ font-size: 13px; }}
mark {{ background: none; font-weight: bold; }}
pre.fix span, pre.fix ins, pre.fix del {{ display: block; text-decoration: none; min-width: fit-content; }}
pre.fix ins {{ background: var(--new); }} pre.fix del {{ background: var(--gone); }}
pre.fix .hunk {{ color: var(--faint); }}
"""

SCRIPT = """
"use strict";
(() => {
  const root = document.documentElement, form = document.querySelector("form");
  const theme = document.getElementById("theme"), count = document.getElementById("count");
  const keep = (value) => { try { localStorage.setItem("jaxlint-theme", value); } catch { } };
  const kept = () => { try { return localStorage.getItem("jaxlint-theme"); } catch { return null; } };
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const say = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  if (kept() === "dark" || kept() === "light") root.dataset.theme = kept();
  theme.hidden = false;
  theme.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark"; keep(root.dataset.theme); say();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
  if (!form) return;
  const sections = [...document.querySelectorAll("section.file")].map((section) => ({
    section, found: [...section.querySelectorAll("article")].map((article) => ({
      article, text: (section.dataset.path + "\\n" + article.textContent).toLowerCase(),
    })),
  }));
  const filter = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const rule = form.elements.rule.value, severity = form.elements.severity.value;
    let shown = 0, all = 0;
    for (const { section, found } of sections) {
      let here = 0;
      for (const { article, text } of found) {
        const is = (!rule || article.dataset.rule === rule) && words.every((word) => text.includes(word))
          && (!severity || article.dataset.severity === severity);
        article.hidden = !is;
        here += is;
      }
      section.hidden = !here;
      shown += here;
      all += found.length;
    }
    count.textContent = shown === all ? `${all} shown` : `${shown} of ${all} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => {
    const meant = document.getElementById(location.hash.slice(1));
    if (meant && meant.closest("[hidden]")) { form.reset(); filter(); meant.scrollIntoView(); }
  });
  filter();
})();
"""
