"""Functions of Python and NumPy whose answer is another one at each call.

Out: rows of `jaxlint/tables/impure.py`. Written by hand, from their documentation: nothing
here needs JAX. Names of later Python versions are included.
"""

from __future__ import annotations

import numpy as np

Row = tuple[str, int]

ALWAYS = 0

TIME = """
time.clock_gettime time.clock_gettime_ns time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns
time.process_time time.process_time_ns time.thread_time time.thread_time_ns time.time time.time_ns
datetime.date.today datetime.datetime.now datetime.datetime.today datetime.datetime.utcnow
timeit.default_timer os.times os.getloadavg resource.getrusage
"""
RANDOM = """
os.urandom os.getrandom uuid.uuid1 uuid.uuid4 uuid.uuid6 uuid.uuid7 uuid.uuid8
secrets.choice secrets.randbelow secrets.randbits secrets.token_bytes secrets.token_hex secrets.token_urlsafe
random.betavariate random.binomialvariate random.choice random.choices random.expovariate random.gammavariate
random.gauss random.getrandbits random.getstate random.lognormvariate random.normalvariate random.paretovariate
random.randbytes random.randint random.random random.randrange random.sample random.seed random.setstate
random.shuffle random.triangular random.uniform random.vonmisesvariate random.weibullvariate
tempfile.mktemp
"""
INPUT = """
input getpass.getpass sys.stdin.read sys.stdin.readline sys.stdin.readlines
"""
# Impure only with fewer arguments than this: the time, or a seed from the system, is the default.
FEWER: dict[str, Row] = {
    "numpy.random.MT19937": ("random", 1),
    "numpy.random.PCG64": ("random", 1),
    "numpy.random.PCG64DXSM": ("random", 1),
    "numpy.random.Philox": ("random", 1),
    "numpy.random.RandomState": ("random", 1),
    "numpy.random.SFC64": ("random", 1),
    "numpy.random.SeedSequence": ("random", 1),
    "numpy.random.default_rng": ("random", 1),
    "random.Random": ("random", 1),
    "random.SystemRandom": ("random", ALWAYS),
    "time.asctime": ("time", 1),
    "time.ctime": ("time", 1),
    "time.gmtime": ("time", 1),
    "time.localtime": ("time", 1),
    "time.strftime": ("time", 2),
}
# Make or hold a generator, but draw nothing.
DRAWLESS = frozenset(("numpy.random.BitGenerator", "numpy.random.Generator"))


def rows() -> dict[str, Row]:
    """Group and number of arguments by dotted name."""
    found: dict[str, Row] = {}
    for group, names in (("time", TIME), ("random", RANDOM), ("input", INPUT)):
        found |= dict.fromkeys(names.split(), (group, ALWAYS))
    for name in np.random.__all__:
        if f"numpy.random.{name}" not in DRAWLESS:
            found[f"numpy.random.{name}"] = ("random", ALWAYS)
    return found | FEWER


def generator_methods() -> dict[str, tuple[str, ...]]:
    """The methods that draw from, or change, a generator, by the class of the generator."""
    found = {
        "random.Random": [name.partition(".")[2] for name in RANDOM.split() if name.startswith("random.")]
    }
    for kind in (np.random.Generator, np.random.RandomState):
        methods = (name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name)))
        found[f"numpy.random.{kind.__name__}"] = list(methods)
    return {name: tuple(sorted(methods)) for name, methods in found.items()}
