"""One job in a process of its own, from its platform to its result.

In: a job, and a working folder. Out: `result.json` in that folder, complete or not there. It cuts the process
off from the network, sends its output to a file, and leaves without cleaning up.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import jax
import jaxlib

from jaxlint.confirm.job import Job
from jaxlint.confirm.probe import PROBES
from jaxlint.confirm.probe.base import NotRunnable, Observation, Unclear
from jaxlint.confirm.proof import proof
from jaxlint.confirm.script import OUTPUT, Pair, Script, ScriptError, said
from jaxlint.confirm.verdict import CONFIRMED, FAILED, NOT_RUNNABLE, REFUTED

RESULT = "result.json"

# Of Linux: unshare(2) and prctl(2).
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_DEATH_SIGNAL = 1


def main(job: Job, folder: str) -> None:
    """Do a job and leave a result; what is left where it cannot is for the caller to see."""
    os.chdir(folder)
    _die_with_parent()
    _send_output_to_file()
    _cut_off_network()
    result = _result(job)
    Path("result.new").write_text(json.dumps(result), encoding="utf-8")
    sys.stdout.flush()
    sys.stderr.flush()
    os.replace("result.new", RESULT)


def _result(job: Job) -> dict[str, Any]:
    result: dict[str, Any] = {"jax": jax.__version__, "jaxlib": jaxlib.__version__}
    try:
        devices = _choose(job)
    except NotRunnable as reason:
        return result | {"verdict": NOT_RUNNABLE, "detail": str(reason)}
    result["platform"], result["device"] = job.platform or jax.default_backend(), devices[0].device_kind
    if job.kind == "devices":
        seen = {_name(device.platform) for device in devices} | {"cpu"}
        return result | {"verdict": CONFIRMED, "figures": {"platforms": sorted(seen)}}
    try:
        return result | _observed(job)
    except NotRunnable as reason:
        return result | {"verdict": NOT_RUNNABLE, "detail": str(reason)}
    except ScriptError as error:
        missing = isinstance(error.error, ModuleNotFoundError) and not (error.error.name or "").startswith(
            "jax"
        )
        return result | {"verdict": NOT_RUNNABLE if missing else REFUTED, "detail": str(error)}
    except Unclear as reason:
        return result | {"verdict": FAILED, "detail": str(reason), "figures": dict(reason.figures)}
    except Exception as error:
        return result | {"verdict": FAILED, "detail": f"the probe raises {said(error)}"}


def _observed(job: Job) -> dict[str, Any]:
    if job.kind == "self-test":
        return _self_test(job.claim.kind)
    if reason := out_of_range(job.claim.since, job.claim.until):
        raise NotRunnable(reason)
    if job.kind == "fix":
        return _told(proof(job.bad, job.good, job.fixed, job.prints, job.safety))
    good = Script("good", job.good) if job.good else None
    pair = Pair(Script("bad", job.bad), good, job.rows, job.prints)
    return _told(PROBES[job.claim.kind]().observe(pair, job.claim))


def _told(seen: Observation) -> dict[str, Any]:
    verdict = CONFIRMED if seen.holds else REFUTED
    return {"verdict": verdict, "figures": dict(seen.figures), "detail": seen.detail}


def _self_test(kind: str) -> dict[str, Any]:
    """Whether the probe sees what is known to be there, and nothing where nothing is."""
    probe = PROBES[kind]()
    for number, known in enumerate(probe.known, 1):
        pair = Pair(Script("bad", known.bad), Script("good", known.good) if known.good else None)
        try:
            holds = probe.observe(pair, known.claim).holds
        except ScriptError:
            holds = False
        if holds is not known.holds:
            blind = "does not observe what is there" if known.holds else "observes what is not there"
            return {"verdict": FAILED, "detail": f"the probe {kind} {blind} (known program {number})"}
    return {"verdict": CONFIRMED, "figures": {"known": len(probe.known)}}


def out_of_range(since: str, until: str) -> str:
    """Why a claim about some versions of JAX is not about this one; empty where it is."""
    version = _numbers(jax.__version__)
    if since and version < _numbers(since):
        return f"claimed of JAX {since} and newer"
    if until and version >= _numbers(until):
        return f"claimed of JAX before {until}"
    return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:3] if part.isdigit())


def _choose(job: Job) -> list[Any]:
    """The devices of the job's platform, which JAX uses from now on.

    Raises:
        NotRunnable: there are none, or too few.
    """
    if job.claim.devices > 1:
        flag = f"--xla_force_host_platform_device_count={job.claim.devices}"
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    jax.config.update("jax_traceback_filtering", "off")
    jax.config.update("jax_enable_compilation_cache", False)
    if job.platform == "cpu":
        jax.config.update("jax_platforms", "cpu")
    # Without that, JAX takes the accelerator that it finds; `gpu` as a name would ask for all kinds of them.
    try:
        devices: list[Any] = jax.devices()
    except RuntimeError as error:
        raise NotRunnable(f"JAX has no devices: {said(error)}") from None
    if job.platform and _name(devices[0].platform) != job.platform:
        raise NotRunnable(f"JAX sees no {job.platform}")
    if len(devices) < job.claim.devices:
        raise NotRunnable(f"needs {job.claim.devices} devices, and there are {len(devices)}")
    return devices


def _name(platform: str) -> str:
    return {"cuda": "gpu", "rocm": "gpu"}.get(platform, platform)


def _send_output_to_file() -> None:
    file = os.open(OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(file, 1)
    os.dup2(file, 2)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


def _cut_off_network() -> None:
    """A network of its own without devices, where the system grants it; for Python's sockets, always none."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(_NEW_NETWORK) != 0:
            libc.unshare(_NEW_USER | _NEW_NETWORK)

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            raise PermissionError("programs of claims have no network")

    sys.addaudithook(refuse)
