"""The format `sarif`: what is in it, that the published schema admits it, and that services take it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Run, Tree
from test_formats import ALL, BRANCH, SPAN, TEXT, context

from jaxlint.cli.formats import render, sarif
from jaxlint.cli.formats.context import RulePage
from jaxlint.cli.formats.sarif import MOST_STEPS
from jaxlint.diagnostic import Diagnostic, Note, Severity, Span
from jaxlint.rule.registry import own_entries

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
PAGE = RulePage(
    "An `if` on a tracer.",
    "An `if` on a tracer.\n\n## What it does\nFinds\nthem.\n\n## Why\n" + "It raises. " * 200,
    "the page",
    "# the page",
    "correctness",
    Severity.ERROR,
)


def log(found: list[Diagnostic], **changes: Any) -> Any:
    """The run of a log that its schema admits and whose sizes GitHub's code scanning takes."""
    data = json.loads(render("sarif", found, context(page_of={"JAX101": PAGE}.get, **changes)))
    return checked(data)


def checked(data: Any) -> Any:
    VALIDATOR.validate(data)
    (run,) = data["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) <= 25_000 and len(rules) <= 25_000
    for rule in rules:
        assert len(rule["name"]) <= 255 and len(rule["properties"]["tags"]) <= 20
        assert max(len(rule[name]["text"]) for name in ("shortDescription", "fullDescription")) <= 1024
        assert rule["help"]["text"] and 0 <= rule["defaultConfiguration"]["rank"] <= 100
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result["locations"]) == 1 and len(result.get("relatedLocations", ())) < 1000
        assert all(
            len(flow["locations"]) <= 1000
            for each in result.get("codeFlows", ())
            for flow in each["threadFlows"]
        )
    return run


def test_the_schema_is_the_one_that_refuses() -> None:
    for wrong in ({"version": "2.1.0"}, {"version": "2.0.0", "runs": []}, {"version": "2.1.0", "runs": [{}]}):
        assert not VALIDATOR.is_valid(wrong)


def test_run() -> None:
    run = log(ALL)
    assert run["columnKind"] == "unicodeCodePoints" and run["automationDetails"] == {"id": "jaxlint/"}
    assert run["originalUriBaseIds"] == {"ROOT": {"uri": "file:///p/"}}
    assert run["invocations"] == [{"executionSuccessful": True}]
    driver = run["tool"]["driver"]
    assert driver["version"] == "1.2" and "semanticVersion" not in driver
    assert log(ALL, version="1.2.3")["tool"]["driver"]["semanticVersion"] == "1.2.3"
    assert log([])["results"] == [] == log([])["tool"]["driver"]["rules"]


def test_rules() -> None:
    branch, reuse, _ = log(ALL)["tool"]["driver"]["rules"]
    assert (branch["id"], branch["name"], branch["helpUri"]) == ("JAX101", "branch-on-traced", BRANCH.url)
    assert branch["shortDescription"] == {"text": "An `if` on a tracer."}
    full = branch["fullDescription"]["text"]
    assert full.startswith("An `if` on a tracer.\n\nFinds them.\n\nIt raises. It") and full.endswith(" It…")
    assert branch["help"] == {"text": "the page", "markdown": "# the page"}
    assert branch["defaultConfiguration"] == {"level": "error", "rank": 95.0}
    assert branch["properties"]["tags"] == ["jax", "correctness"]
    assert reuse["fullDescription"] == {"text": "key reuse"} and "helpUri" not in reuse


def test_results() -> None:
    branch, span, cell = log(ALL)["results"]
    assert [result["level"] for result in (branch, span, cell)] == ["error", "warning", "note"]
    assert [result["rank"] for result in (branch, span, cell)] == [95.0, 60.0, 15.0]
    physical = branch["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "train.py", "uriBaseId": "ROOT"}
    assert physical["region"] == {"startLine": 5, "startColumn": 8, "endLine": 5, "endColumn": 19}
    flow = branch["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in flow] == [
        BRANCH.related[0].message,
        BRANCH.message,
    ]
    assert flow[0]["location"]["physicalLocation"]["artifactLocation"]["uri"] == "lib/run.py"
    assert "codeFlows" not in span
    (change,) = span["fixes"][0]["artifactChanges"]
    assert [each["insertedContent"]["text"] for each in change["replacements"]] == ["(", ")"]
    assert span["fixes"][0]["description"] == {"text": "drop it"}
    unsafe = replace(SPAN, fix=replace(SPAN.fix, applicability="unsafe"))  # type: ignore[type-var]
    assert "unsafe" in log([unsafe])["results"][0]["fixes"][0]["description"]["text"]
    shown = replace(SPAN, fix=replace(SPAN.fix, applicability="displayonly"))  # type: ignore[type-var]
    assert "fixes" not in log([shown])["results"][0]


def test_whether_the_line_ran() -> None:
    found = [replace(BRANCH, observed=True), replace(SPAN, observed=False), ALL[2]]
    ran, missed, unknown = log(found)["results"]
    assert (ran["properties"], missed["properties"]) == ({"observed": True}, {"observed": False})
    assert "properties" not in unknown
    assert ran["partialFingerprints"] == log(ALL)["results"][0]["partialFingerprints"]


def test_a_severity_of_the_settings_counts() -> None:
    run = log([replace(BRANCH, severity=Severity.INFO)])
    assert run["results"][0]["level"] == "note" and run["results"][0]["rank"] == 15.0
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] == "error"


def test_notebooks() -> None:
    cell = log(ALL)["results"][2]
    (place,) = cell["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "file:///q/a%2Cb%3Ac.ipynb"}
    assert place["physicalLocation"]["region"]["startLine"] == 1 and "fixes" not in cell
    assert place["logicalLocations"] == [
        {"name": "cell 3", "fullyQualifiedName": "cell 3:1:1", "kind": "module"}
    ]


CODE = TEXT.replace("\t", "    ")


def fingerprint(found: Diagnostic, text: str) -> str:
    (result,) = log([found], text_of=lambda *_: text)["results"]
    return str(result["partialFingerprints"]["jaxlintFingerprint/v1"])


def test_fingerprints_survive_edits() -> None:
    first = fingerprint(BRANCH, CODE)
    assert fingerprint(replace(BRANCH, span=Span(7, 8, 7, 19)), "# a\n# b\n" + CODE) == first
    assert fingerprint(BRANCH, CODE.replace("    if loss > best", "    if  loss\t> best")) == first
    assert fingerprint(BRANCH, CODE.replace("loss  # é", "best")) == first
    assert fingerprint(replace(BRANCH, filename="/p/other.py", message="another"), CODE) == first
    assert fingerprint(BRANCH, CODE.replace("update", "renew")) != first
    assert fingerprint(BRANCH, CODE.replace("loss > best", "loss < best")) != first
    assert fingerprint(replace(BRANCH, code="JAX102"), CODE) != first
    twice = log([BRANCH, replace(BRANCH, span=Span(5, 9, 5, 10))])["results"]
    assert len({str(each["partialFingerprints"]) for each in twice}) == 2
    assert fingerprint(BRANCH, "") != fingerprint(replace(BRANCH, message="another"), "")


def test_more_findings_than_a_service_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sarif.MOST_RESULTS == 25_000
    monkeypatch.setattr(sarif, "MOST_RESULTS", 50)
    found = [replace(SPAN, span=Span(row, 1, row, 2), fix=None) for row in range(1, 56)]
    found += [replace(SPAN, severity=Severity.INFO, fix=None), replace(BRANCH, filename="/z.py")]
    run = log(found)
    assert len(run["results"]) == 50
    assert run["results"][-1]["level"] == "error" and run["results"][0]["level"] == "warning"
    assert "note" not in {each["level"] for each in run["results"]}
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["level"] == "warning" and notification["message"]["text"].startswith("7 of 57 ")


def test_a_long_chain_and_long_texts() -> None:
    chain = tuple(Note("/p/a.py", Span(row, 1, row, 2), f"step {row}") for row in range(1, 3 * MOST_STEPS))
    (result,) = log([replace(BRANCH, related=chain, name="n" * 999)])["results"]
    flow = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(flow) == MOST_STEPS and flow[-1]["location"]["message"]["text"] == BRANCH.message


def test_an_internal_error_is_no_success() -> None:
    failure = replace(BRANCH, code="JAX003", name="internal-error", url=None)
    assert log([failure])["invocations"][0]["executionSuccessful"] is False


@pytest.mark.usefixtures("by_word")
def test_a_run(tree: Tree, run: Run) -> None:
    tree({"pyproject.toml": "", "ä b/a.py": "x = 1\ny = BRANCH\nz = MATMUL\n"})
    ran = run("--select", "ALL", "--output-format", "sarif", ".")
    found = checked(json.loads(ran.out))
    branch = found["tool"]["driver"]["rules"][0]
    entry = next(each for each in own_entries() if each.code == "JAX101")
    assert ran.status == 1 and branch["shortDescription"]["text"] == entry.summary
    assert "## What it does" in branch["help"]["markdown"] and "Bad:" in branch["help"]["text"]
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in found["results"]}
    assert uris == {"%C3%A4%20b/a.py"}
