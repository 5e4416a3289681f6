"""What happens while the program is analyzed: the facts that rules are shown.

Each event has the number of the syntax node where it happens and the function context in which it
happens. Names of events are LibCST's node names where there is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.consumption import Place
from jaxlint.analysis.function_context import Event
from jaxlint.domain.objects import Class, Function
from jaxlint.domain.values import UNKNOWN, Value

if TYPE_CHECKING:
    from jaxlint.domain.objects import Module
    from jaxlint.ir.program import Code


class Test(Event):
    """A truth test. `kind`: if, while, assert, ternary, comprehension, guard. `method`: the object's own that
    gives the value, where an object is tested."""

    value: Value
    kind: str
    method: str = ""


class Boolean(Event):
    """An operand that `and`, `or`, `not`, a chained comparison or `in` takes the truth of."""

    value: Value
    operator: str


class Decision(Event):
    """A value, or a comparison, that a function of Python takes the truth of: it sorts, searches, filters.
    `which`: the argument that it comes from, `func` for the receiver of a method, `enum` where an enumeration
    looks for a member."""

    function: str
    value: Value
    which: int | str


class Count(Event):
    """A number that Python needs: for how often a sequence is repeated (`function` is `list` for lists and
    tuples, `str` for texts), or as an argument of a function."""

    function: str
    value: Value
    which: int | str


class Call(Event):
    """A call of a library function or builtin by canonical name, or of a method.

    A method of an array is `jax.Array.<name>` with the receiver as `receiver`.
    """

    name: str
    args: Sequence[Value]
    keywords: Mapping[str, Value]
    receiver: Value | None = None
    level: int = 0
    exact: bool = True  # no * or ** hides arguments

    def arg(self, position: int, name: str = "") -> Value | None:
        if name and name in self.keywords:
            return self.keywords[name]
        return self.args[position] if 0 <= position < len(self.args) else None


class Subscript(Event):
    """A read `value[index]`."""

    value: Value
    index: Value


class Store(Event):
    """`value[index] = new`, `value.name = new`, the augmented forms and `del`."""

    value: Value
    new: Value
    index: Value | None = None
    name: str | None = None
    kind: str = "assign"  # assign, augmented, delete
    operator: str = ""


class Binary(Event):
    """A product `left @ right`, or an operation in place, as `left += right`: that is `augmented`."""

    operator: str
    left: Value
    right: Value
    result: Value
    augmented: bool = False


class Format(Event):
    """A value that an f-string formats with `spec` (None: without one)."""

    value: Value
    spec: str | None


class Discard(Event):
    """An expression statement: its value is dropped. `name` is what was called, if known; `kept` says that
    its receiver is a variable, an attribute or an item, which goes on to be there; `inner` that this is a
    call inside of the statement, as in `x.at[0].set(1) if flag else None`."""

    value: Value
    name: str
    receiver: Value | None
    kept: bool = True
    inner: bool = False


class StaleRead(Event):
    """A read in staged code of what was written after the trace and before a use that finds it again.

    kind: variable, attribute. place: where it was written.
    """

    name: str
    kind: str
    place: tuple[Module, int]


class AttributeRead(Event):
    """An attribute of a project instance that is read."""

    owner: Value
    name: str
    value: Value


class Reference(Event):
    """A name of a library that the table of changed APIs lists, or a part of it, is referred to.

    name: dotted, as the program spells it; of a keyword that of the function, of a method `array.`,
    `key.`, `compiled.` or `device.` and its name. guarded: something around it asks first whether it is
    there. floor: the version that JAX has at least by the tests around it. warned: a `with` takes the
    warnings.
    """

    name: str
    how: str  # import, star, from, attribute, getattr, flag, keyword, method, call
    keyword: str = ""
    value: Value = UNKNOWN  # of the keyword
    statement: int = 0  # of a `from` import
    guarded: bool = False
    floor: tuple[int, ...] = ()
    warned: bool = False


class Kept(Event):
    """A memoised function has made a tracer, which a call outside of that trace is given again."""

    value: Value


class KeyUse(Event):
    """A key is consumed that was consumed before.

    before: where it was first. in_loop: it is the same place, at another iteration. kind: `draw`, where
    numbers are drawn that depend on each other; `split`, where one of the two is a split, or both are, and
    none of the children was drawn from twice; `lanes`, where all lanes of a `vmap` draw from one key;
    `seed`, where it is another key of the seed. inner, first_inner: where the functions called here, and
    there, consume it. made: where the key is made. loop: the loop and its kind. children: where children of
    two equal splits are drawn from.
    cause: where a function consumes a key that it has from elsewhere than its arguments, whoever calls it.
    """

    token: Hashable
    name: str
    before: Place | None = None
    in_loop: bool = False
    kind: str = "draw"
    inner: Sequence[Place] = ()
    first_inner: Sequence[Place] = ()
    made: Place | None = None
    loop: tuple[Place, str] | None = None
    children: Sequence[Place] = ()
    cause: tuple[str, int] | None = None


class ConstantKey(Event):
    """A key that is made of a constant at `nid` is consumed.

    why: function (each call of it makes the same key), loop (each iteration does), default (calls share it),
    argument (it replaces the key that the caller gave).
    """

    why: str
    name: str


class Transform(Event):
    """A transform is applied to a function. `fresh`: the function is new at each evaluation."""

    kind: str
    func: Value
    options: Mapping[str, Value]
    result: Value = UNKNOWN
    decorator: bool = False
    loop: int = 0
    fresh: bool = False


class TransformedCall(Event):
    """The result of a transform is called."""

    func: Value
    args: Sequence[Value]
    keywords: Mapping[str, Value]
    loop: int = 0


class DonatedRead(Event):
    """A variable is read after a call donated what it holds.

    donated: the variable that the call is given: this one, or another one that holds the same. when: `behind`
    the call, as another of its `arguments`, or by the same call in another `turn` of a loop; `twice` where
    both are parts of one argument. call: its place.
    """

    func: Value
    name: str
    donated: str
    call: tuple[Module, int]
    when: str


class Loop(Event):
    """A `for` statement or clause. `count` is its number of turns where that is known, `operations` how
    many array operations its turns added to a program, `left` whether a turn may leave it early."""

    iterable: Value
    count: int | None
    operations: int = 0
    left: bool = False


class Choice(Event):
    """What decides a `cond`, a `switch` or how long a `while_loop` goes on; `kind` says which."""

    kind: str
    value: Value


class Update(Event):
    """`place = place.at[...].set(...)`: an array is replaced by a changed copy. `turns`: how often loops
    repeat that on the same place, None where it is not known."""

    value: Value
    turns: int | None


class Hashed(Event):
    """An array that Python hashes, also as an item or a field of what it hashes (`inside`). `how` says where:
    key, element, memo (an argument of a memoised function), or the name of the function that takes it."""

    value: Value
    how: str
    inside: bool = False


class StaticRead(Event):
    """A read in staged code of an attribute of a static argument, or of an object that one holds (`is_held`),
    which `writes` may change after the first call. `is_hashed`: the hash of the static argument depends on
    the attribute, so that JAX 0.11 and newer compile anew. Told at the end."""

    owner: Value
    is_held: bool
    name: str
    writes: Sequence[tuple[Module, int]]
    is_hashed: bool


class Recompile(Event):
    """A jitted function that JAX has not seen is called where it was just made. `kind`: loop (at each
    turn), asked (at each turn of a loop that asks a factory for it), call (at each call of the function
    that makes it), cleared (a function that a loop calls clears its cache). Where traces reach the function,
    too, calls outside of them do so. `given`: the static argument of this call that is a new function, where
    what is compiled is not one; `maker`: what makes it new in each call. Told at the end."""

    func: Value
    kind: str
    given: Value | None = None
    maker: Function | None = None


class LostChange(Event):
    """A parameter of a traced function is changed in place, and nothing reads it afterwards: the transform,
    by its name, has given the function a copy of what its caller has. Told at the end."""

    name: str
    transform: str


class ModuleChange(Event):
    """A module of flax nnx, or a variable of one, is changed in another trace than the one that it was made
    in, which flax does not do; `is_argument`: or there is given to a transform of flax, which changes it."""

    target: Value
    is_argument: bool = False


class MappedJit(Event):
    """A jitted function that is mapped, and not only in staged code. Told at the end."""

    func: Value


class JittedMethod(Event):
    """A function of a class is jitted. `callers`: the classes of the instances that it is called with as
    first, traced argument. `heirs`: the class and those below it. Told at the end."""

    func: Value
    code: Code
    cls: Class
    callers: Sequence[Class]
    heirs: Sequence[Class]


class ClassEnd(Event):
    """A class statement was executed."""

    cls: Value
