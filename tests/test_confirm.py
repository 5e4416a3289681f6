"""The harness: every claim of every rule under JAX, programs that go wrong in every way, and the command."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from verify_cases import share_of

from jaxlint.confirm import environment
from jaxlint.confirm.folklore import ENTRIES
from jaxlint.confirm.job import Job
from jaxlint.confirm.plan import jobs_of
from jaxlint.confirm.pool import Limits, NoJax, Pool
from jaxlint.confirm.statement import statement
from jaxlint.confirm.verdict import CONFIRMED, FAILED, NOT_RUNNABLE, REFUTED, Verdict
from jaxlint.rule import CLAIM_KINDS, Claim
from jaxlint.rule.registry import registry

RULES = [entry.rule for entry in registry().entries if entry.rule is not None]
JOBS = [replace(job, platform="cpu") for job in jobs_of(RULES)]
CLAIMS = [job for job in JOBS if job.kind == "claim"]
FIXES = [job for job in JOBS if job.kind == "fix"]


def name_of(job: Job) -> str:
    return f"{job.code}-{job.kind}-{JOBS.index(job)}" if job in JOBS else job.name


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as pool:
        yield pool


def job(claim: Claim, bad: str, good: str = "", **others: object) -> Job:
    made = Job("claim", None, "job", statement(claim), claim, textwrap.dedent(bad), textwrap.dedent(good))
    return replace(made, platform="cpu", **others)  # type: ignore[arg-type]


def ask(pool: Pool, each: Job, limits: Limits | None = None, attempts: int = 3) -> Verdict:
    """The verdict of one job, without the probe's own test. A busy machine is asked again for a timing."""
    before, pool.limits = pool.limits, limits or pool.limits
    try:
        verdict = pool.verdict(each)
        while each.is_timed and "noisy" in verdict.detail and (attempts := attempts - 1):
            verdict = pool.verdict(each)
        return verdict
    finally:
        pool.limits = before


# ---- the claims of the rules


def test_every_rule_claims_something() -> None:
    assert {job.code for job in CLAIMS} == {rule.code for rule in RULES}
    assert all(job.statement for job in JOBS)


def test_every_rule_with_a_fix_that_is_applied_has_its_proof() -> None:
    assert {job.code for job in FIXES} == {rule.code for rule in RULES if rule.fix in ("safe", "unsafe")}
    assert {job.safety for job in FIXES} == {"safe", "unsafe"}


def test_raising_examples_say_what_the_good_program_prints() -> None:
    assert not [job.code for job in CLAIMS if job.claim.kind == "raises" and not job.prints]


def test_lines_that_are_reported_are_where_it_raises() -> None:
    """A claim says where the error comes later than the line that is reported, and only then."""
    assert {job.code for job in CLAIMS if job.claim.elsewhere} == {"JAX203", "JAX405"}
    assert not [job.code for job in CLAIMS if job.claim.kind == "raises" and not job.rows]


@pytest.mark.parametrize("kind", CLAIM_KINDS)
def test_probe_sees_what_is_there_and_nothing_else(kind: str, pool: Pool) -> None:
    verdict = ask(pool, Job("self-test", None, kind, "", Claim(kind, calls=("1",)), platform="cpu"))
    assert verdict.verdict == CONFIRMED, verdict.detail
    assert verdict.figures["known"] >= 2


@pytest.mark.parametrize("each", JOBS, ids=name_of)
def test_claim_is_confirmed(each: Job, pool: Pool) -> None:
    verdict = ask(pool, each)
    assert verdict.verdict == CONFIRMED, verdict.detail


def is_symmetric(claim: Claim) -> bool:
    """Whether it says of both programs the same."""
    if claim.kind in ("program", "memory"):
        return claim.what in ("jaxpr", "hlo") or not (claim.ratio or claim.bad or claim.good)
    return claim.kind == "same" and len(claim.calls) == 1


ASYMMETRIC = [job for job in CLAIMS if not is_symmetric(job.claim)]


def test_only_the_equality_of_the_matrix_products_is_symmetric() -> None:
    assert {job.code for job in CLAIMS if job not in ASYMMETRIC} == {"JAX712"}


@pytest.mark.parametrize("each", {job.claim.kind: job for job in ASYMMETRIC}.values(), ids=name_of)
def test_swapped_programs_refute_it(each: Job, pool: Pool) -> None:
    claim = each.claim
    claim = replace(claim, calls=claim.good_calls or claim.calls, good_calls=claim.calls)
    verdict = ask(pool, replace(each, claim=claim, bad=each.good, good=each.bad, rows=(), prints=""))
    assert verdict.verdict == REFUTED, (verdict.verdict, verdict.figures, verdict.detail)


@pytest.mark.parametrize("each", share_of(ASYMMETRIC), ids=name_of)
def test_good_in_place_of_bad_refutes_it(each: Job, pool: Pool) -> None:
    claim = each.claim
    claim = replace(claim, calls=claim.good_calls or claim.calls)
    verdict = ask(pool, replace(each, claim=claim, bad=each.good, rows=()))
    # A busy machine leaves a claim that rests on a clock undecided.
    is_undecided = claim.kind == "slower" and verdict.verdict == FAILED and "noisy" in verdict.detail
    assert verdict.verdict == REFUTED or is_undecided, (verdict.verdict, verdict.figures, verdict.detail)


@pytest.mark.parametrize("each", [job for job in CLAIMS if job.claim.kind == "raises"][::5], ids=name_of)
def test_another_class_text_line_or_output_refutes_it(each: Job, pool: Pool) -> None:
    mutants = [
        replace(each, claim=replace(each.claim, error="builtins.KeyboardInterrupt")),
        replace(each, claim=replace(each.claim, text="no such text")),
        replace(each, prints=each.prints + " 7"),
    ]
    if not each.claim.elsewhere:
        mutants.append(replace(each, rows=(1,)))
    for mutant in mutants:
        verdict = ask(pool, mutant)
        assert verdict.verdict == REFUTED, (verdict.verdict, verdict.detail)


@pytest.mark.parametrize("each", share_of([job for job in CLAIMS if job not in ASYMMETRIC]), ids=name_of)
def test_another_program_refutes_equality(each: Job, pool: Pool) -> None:
    other = each.good.replace("jnp.matmul(x, weight)", "jnp.outer(x, x) @ jnp.matmul(weight, weight) @ x")
    assert other != each.good
    verdict = ask(pool, replace(each, good=other))
    assert verdict.verdict == REFUTED, verdict.figures


# ---- fixes


def raises(each: Job) -> bool:
    return any(job.claim.kind in ("raises", "missing") and job.bad == each.bad for job in CLAIMS)


@pytest.mark.parametrize("each", share_of([job for job in FIXES if raises(job)]), ids=name_of)
def test_what_still_raises_is_no_fix(each: Job, pool: Pool) -> None:
    assert ask(pool, replace(each, fixed=each.bad)).verdict == REFUTED


@pytest.mark.parametrize(
    "each", share_of([job for job in FIXES if raises(job) or job.safety == "safe"]), ids=name_of
)
def test_a_fix_that_gives_something_else_is_refuted(each: Job, pool: Pool) -> None:
    verdict = ask(pool, replace(each, fixed=each.fixed + "print('more')\n"))
    assert (verdict.verdict, "prints" in verdict.detail) == (REFUTED, True)


def test_a_safe_fix_keeps_dtypes_and_runs_and_compilations(pool: Pool) -> None:
    safe = next(job for job in FIXES if job.code == "JAX601")
    wider = safe.fixed + "points = points.astype('bfloat16')\n"
    verdict = ask(pool, replace(safe, fixed=wider))
    assert (verdict.verdict, "`points` differs" in verdict.detail) == (REFUTED, True)
    verdict = ask(pool, replace(safe, fixed=safe.fixed + "jax.jit(lambda x: score(x))(points)\n"))
    assert (verdict.verdict, "bodies run 3 times, before 1" in verdict.detail) == (REFUTED, True)
    assert "compilations" in verdict.detail


# ---- the probes' figures


def test_figures_of_the_matrix_product_and_of_vmap(pool: Pool) -> None:
    rows = {
        (row.code, row.claim): row for row in pool.verdicts([job for job in CLAIMS if job.code == "JAX601"])
    }
    binds, slower = rows.values()
    assert (binds.figures["bad"] >= 2, binds.figures["good"]) == (True, 0)
    assert (
        slower.figures["low"] > 3
        and slower.figures["low"] <= slower.figures["ratio"] <= slower.figures["high"]
    )
    assert {"samples", "noise", "bad_us", "good_us"} <= slower.figures.keys()


def test_several_devices_on_the_cpu(pool: Pool) -> None:
    claim = Claim("same", calls=("len(jax.devices())", "4"), devices=4)
    assert ask(pool, job(claim, "import jax\n")).verdict == CONFIRMED
    assert ask(pool, job(replace(claim, devices=1), "import jax\n")).verdict == REFUTED


@pytest.mark.parametrize("platform", ["gpu", "tpu"])
def test_a_platform_that_is_not_there(platform: str, pool: Pool) -> None:
    if platform in pool.platforms():
        pytest.skip("it is there")
    verdict = ask(pool, replace(CLAIMS[0], platform=platform))
    assert (verdict.verdict, verdict.platform, verdict.device) == (NOT_RUNNABLE, platform, "")


def test_another_version_and_a_missing_package_are_not_runnable(pool: Pool) -> None:
    claim = Claim("same", calls=("1", "1"))
    assert ask(pool, job(replace(claim, until="0.4"), "")).verdict == NOT_RUNNABLE
    assert ask(pool, job(replace(claim, since="99.0"), "")).verdict == NOT_RUNNABLE
    assert ask(pool, job(claim, "import no_such_package\n")).verdict == NOT_RUNNABLE
    assert ask(pool, job(claim, "import jax.no_such_module\n")).verdict == REFUTED


def test_an_interval_that_says_nothing_is_no_verdict(pool: Pool) -> None:
    bad = """
        import random, time
        draw = random.Random(0)  # both programs take the same times, one after the other
        def f():
            time.sleep(min(0.2, draw.lognormvariate(-5, 2)))
        """
    verdict = ask(pool, job(Claim("slower", calls=("f()",), ratio=1.01), bad, bad), attempts=1)
    assert (verdict.verdict, "noisy" in verdict.detail) == (FAILED, True), verdict


# ---- isolation

WRONG = {
    "loops": ("while True: pass", "ran longer than 2 seconds"),
    "loops in XLA": (
        "import jax; jax.jit(lambda: jax.lax.while_loop(lambda x: x > 0, lambda x: x + 1, 1.0))().item()",
        "ran longer than 2 seconds",
    ),
    "killed": ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    "segfault": ("import ctypes; print('last words'); ctypes.string_at(8)", "SIGSEGV"),
    "aborts": ("import os; os.abort()", "SIGABRT"),
    "leaves": ("import os; os._exit(0)", "left no result"),
    "exits": ("raise SystemExit(3)", "status 1: SystemExit: 3"),
    "8 GB": ("import numpy; kept = numpy.ones(1 << 30)", "more than 1 GB of memory"),
    "8 GB in JAX": ("import jax.numpy as jnp; kept = jnp.ones(1 << 31) + 1", "more than 1 GB of memory"),
    "ends its parent": ("import os, signal; os.kill(os.getppid(), signal.SIGKILL); 1 / 0", "ended"),
}


@pytest.mark.parametrize("bad, says", WRONG.values(), ids=WRONG)
def test_what_goes_wrong_is_a_verdict_and_the_run_goes_on(bad: str, says: str, pool: Pool) -> None:
    limits = Limits(seconds=20.0 if "GB" in says else 2.0, memory=1 << 30)
    verdict = ask(pool, job(Claim("raises"), bad + "\n", "1\n"), limits)
    assert (verdict.verdict, says in verdict.detail) == (FAILED, True), verdict.detail
    assert ask(pool, job(Claim("raises"), "1 / 0\n", "1\n")).verdict == CONFIRMED


def test_nothing_passes_from_one_claim_to_the_next(pool: Pool) -> None:
    first = """
        import builtins, os, jax
        jax.config.update("jax_enable_x64", True)
        os.environ["LEFT"] = builtins.left = "behind"
        open("left", "w").close()
        """
    same = Claim("same", calls=("state", "['float64', 'behind', True, True]"))
    look = """
        import builtins, os, jax.numpy as jnp
        state = [str(jnp.ones(1).dtype), os.environ.get("LEFT"), hasattr(builtins, "left"), os.path.exists("left")]
        """
    assert ask(pool, job(same, first + look)).verdict == CONFIRMED
    after = replace(same, calls=("state", "['float32', None, False, False]"))
    assert ask(pool, job(after, look)).verdict == CONFIRMED


def test_there_is_no_network(pool: Pool) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        bad = f"import socket\nsocket.create_connection(('127.0.0.1', {server.getsockname()[1]}))\n"
        verdict = ask(pool, job(Claim("raises", "builtins.OSError"), bad, "1\n"))
        assert verdict.verdict == CONFIRMED, verdict.detail
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()


def test_what_a_program_starts_ends_with_it(pool: Pool) -> None:
    bad = "import subprocess\npid = subprocess.Popen(['sleep', '60']).pid\n"
    verdict = ask(pool, job(Claim("differs", calls=("pid", "0")), bad))
    pid = int(verdict.figures["bad"][0])
    deadline = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_the_output_of_a_program_stays_away(pool: Pool, capfd: pytest.CaptureFixture[str]) -> None:
    bad = "import os\nprint('python')\nos.write(1, b'file descriptor')\n1 / 0\n"
    assert ask(pool, job(Claim("raises"), bad, "print('good')\n")).verdict == CONFIRMED
    assert capfd.readouterr() == ("", "")


def test_a_blind_probe_is_no_refutation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter of the children lets nobody set a profile function, so no trace is seen."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.setprofile = lambda function: None\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Pool() as blind:
        (verdict,) = blind.verdicts([job for job in CLAIMS if job.code == "JAX403"])
    assert verdict.verdict == FAILED
    assert "does not observe what is there" in verdict.detail


def test_no_jax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "jax.py").write_text("raise ModuleNotFoundError(\"No module named 'jax'\")\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(NoJax, match="No module named 'jax'"):
        Pool()
    done = jaxlint("confirm", "JAX101")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr.count("\n") == 1
        and "'.[confirm]'" in done.stderr
        and "pip install jaxlint" not in done.stderr
    )


# ---- the command


def jaxlint(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jaxlint", *arguments], capture_output=True, text=True, cwd=cwd, timeout=300
    )


def test_one_rule() -> None:
    done = jaxlint("confirm", "branch-on-traced", "--isolated")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("JAX101 branch-on-traced\n  confirmed    cpu ")
    assert "1 confirmed (jax " in done.stdout


def test_json() -> None:
    done = jaxlint("confirm", "JAX101", "--platform", "cpu", "--output-format", "json", "--isolated")
    (row,) = json.loads(done.stdout)
    keys = ["code", "name", "claim", "verdict", "platform", "device", "jax", "jaxlib", "figures", "detail"]
    assert list(row) == keys
    assert (row["code"], row["name"], row["verdict"]) == ("JAX101", "branch-on-traced", "confirmed")
    assert row["figures"] == {"error": "TracerBoolConversionError", "line": 6}


def test_markdown_file_and_absent_platform(tmp_path: Path) -> None:
    report = tmp_path / "report.md"
    flags = ("--output-format", "markdown", "--output-file", str(report), "--isolated")
    done = jaxlint("confirm", "JAX101", "--platform", "tpu", "--platform", "cpu", *flags)
    assert (done.returncode, done.stdout) == (0, "")
    text = report.read_text()
    assert "| tpu | not-runnable | JAX sees no tpu |" in text
    assert "| cpu | confirmed | error TracerBoolConversionError, line 6 |" in text


def test_a_bar_is_shown_on_a_terminal() -> None:
    main, side = pty.openpty()
    command = [sys.executable, "-m", "jaxlint", "confirm", "JAX101", "--isolated"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=side, timeout=60)
    os.close(side)
    shown = os.read(main, 1 << 16).decode()
    os.close(main)
    assert "[##############################] 1/1 branch-on-traced confirmed" in shown
    assert b"##" not in done.stdout


@pytest.mark.parametrize(
    "arguments, says",
    [
        (("branch-on-trace",), "did you mean `branch-on-traced`?"),
        (("JAX011",), "a code of the tool itself"),
        (("JAX101", "--platform", "abacus"), "abacus"),
        (("JAX101", "--timeout", "0"), "timeout"),
        (("--jax", "0.6"), "`0.6` is none"),
        (("--jax", "0.6.2", "--folklore"), "do not go together"),
        (("--folklore", "matmul-beats-operato"), "no folklore"),
    ],
)
def test_misuse(arguments: tuple[str, ...], says: str) -> None:
    done = jaxlint("confirm", *arguments, "--isolated")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


def test_the_version_that_is_installed_needs_no_environment() -> None:
    flags = ("--platform", "cpu", "--isolated")
    version = metadata.version("jax")
    done = jaxlint("confirm", "JAX101", "--jax", version, *flags)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()[:2]] == [
        [version],
        ["JAX101", "branch-on-traced", "confirmed"],
    ]


def test_a_version_that_cannot_be_installed_is_not_runnable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    done = jaxlint("confirm", "JAX101", "--jax", "0.0.1", "--output-format", "json", "--isolated")
    (row,) = json.loads(done.stdout)
    assert (done.returncode, row["verdict"], row["jax"]) == (2, "not-runnable", "0.0.1")
    assert row["detail"].startswith("ERROR: ")
    assert done.stderr == f"jaxlint: JAX 0.0.1 was not run: {row['detail']}\n"


def test_an_interpreter_of_each_version_is_found_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By name on PATH and in pyenv's folder; a shim that leads nowhere and a Python that is too old are left out."""

    def program(path: Path, version: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {version}\n" if version else "#!/bin/sh\nexit 127\n")
        path.chmod(0o755)

    running = sys.version_info.minor
    for name, version in (
        (f"python3.{running}", f"3.{running}"),
        (f"python3.{running + 1}", ""),
        ("python3.10", "3.10"),
        ("python3.99", "3.99"),
        ("python3.98-config", "3.98"),
    ):
        program(tmp_path / "path" / name, version)
    program(tmp_path / "pyenv/versions" / f"3.{running + 1}.0" / "bin/python3", f"3.{running + 1}")
    program(tmp_path / "pyenv/versions/my-project/bin/python3", "3.97")
    monkeypatch.setenv("PATH", f"{tmp_path}/missing:{tmp_path}/path")
    monkeypatch.setenv("PYENV_ROOT", f"{tmp_path}/pyenv")
    found = environment.interpreters()
    assert [str(each) for each in found] == [f"3.{running}", f"3.{running + 1}", "3.99"]
    assert found[0].path == sys.executable and "pyenv" in found[1].path


@pytest.mark.parametrize(
    "errors, says",
    [
        (
            "ERROR: Ignored the following versions that require a different python version: "
            "0.11.0 Requires-Python >=3.12; 0.12.0.1 Requires-Python >=3.12\n"
            "ERROR: No matching distribution found for jax==0.12.0.1\n",
            "JAX 0.12.0.1 needs Python >=3.12",
        ),
        (
            "ERROR: Could not find a version\nERROR: No matching distribution found for jaxlib==0.4.30\nwarning: x",
            "ERROR: No matching distribution found for jaxlib==0.4.30",
        ),
        ("nothing that is known", ""),
    ],
)
def test_which_python_a_jax_needs(errors: str, says: str) -> None:
    assert environment.reason("0.12.0.1", errors) == says


def test_folklore_as_json_has_no_code() -> None:
    name = next(entry.name for entry in ENTRIES if entry.cases and entry.cases[0].claim.kind == "program")
    done = jaxlint(
        "confirm", "--folklore", name, "--output-format", "json", "--platform", "cpu", "--isolated"
    )
    rows = json.loads(done.stdout)
    assert rows and {(row["code"], row["name"]) for row in rows} == {(None, name)}


PLUGIN = '''
from jaxlint.rule import Claim, Example, Rule


class Wrong(Rule):
    """A rule that is wrong about JAX."""

    code = "ABC101"
    name = "wrong"
    on = {on}
    examples = (Example(bad="import jax\\nprint(jax.numpy.ones(3))\\n", good="print(1)\\n"),)
    claim = Claim("raises", "builtins.TypeError")
'''


@pytest.mark.parametrize("on, status", [(True, 1), (False, 0)])
def test_status_says_whether_a_default_rule_is_refuted(
    on: bool, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong_plugin.py").write_text(PLUGIN.format(on=on))
    (tmp_path / "jaxlint.toml").write_text('plugins = ["wrong_plugin"]\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = jaxlint("confirm", "wrong", cwd=tmp_path)
    assert "the bad program runs to its end" in done.stdout
    assert (done.returncode, "refuted" in done.stdout) == (status, True)


def test_interrupted_it_leaves_nothing_behind() -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "jaxlint", "confirm", "--isolated", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # a shell that runs the tests in the background has interrupts ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not below_of(run.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    below = below_of(run.pid)
    assert below
    os.kill(run.pid, signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode == 130
    deadline = time.monotonic() + 30
    while any(map(is_running, below)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in below if is_running(pid)]


def below_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    text = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [each for child in map(int, text.split()) for each in (child, *below_of(child))]
