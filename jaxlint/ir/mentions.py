"""How often a function's body names something, and what for.

In: lowered statements. Out: whether what a name stands for is called there exactly once; whether a function
asks if a parameter is a tracer or fills a registry; what it assigns; whether a method reads an attribute of
its object. It refuses to know what the names stand for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts, same_place, statements
from jaxlint.ir.nodes import (
    NONE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BoolExpr,
    CallExpr,
    ClassStmt,
    Clause,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DefStmt,
    DeleteStmt,
    DictExpr,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    TryStmt,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, codes_in, dotted, heads, last_name, nodes_of, suites, walk

APPLYING = frozenset(("apply", "apply_fn"))  # what flax and haiku call the methods that run a network
_KEPT = 64  # functions of which is kept what they assign
_READS = frozenset("copy get items keys values".split())  # methods that change no mapping
_COPIES = frozenset("all any bool dict isinstance len list print set sorted str tuple".split())


def is_called_once(body: tuple[Stmt, ...], name: str, program: Program) -> bool:
    """Whether a body names this once, outside its loops: to call it, or to call what some function makes of
    it, as in `jit(f)(x)`."""
    mentions = calls = 0
    stack: list[tuple[Node, bool]] = [(each, False) for each in body]
    while stack:
        node, repeated = stack.pop()
        if isinstance(node, NameExpr):
            mentions += node.name == name
        elif isinstance(node, (DefStmt, LambdaExpr)):
            mentions += name in program.codes[node.index].free
        elif isinstance(node, ClassStmt):
            stack += [(each, True) for each in program.classes[node.index].body]
        else:
            repeated = repeated or isinstance(node, (ForStmt, WhileStmt, ComprehensionExpr))
            if isinstance(node, CallExpr) and not repeated:
                func = node.func
                makers = (func, *func.args) if isinstance(func, CallExpr) else (func,)
                calls += any(isinstance(each, NameExpr) and each.name == name for each in makers)
            stack += [(each, repeated) for each in children(node)]
    return mentions == calls == 1


@lru_cache(maxsize=_KEPT)
def leaves_alone(code: Code, name: str, program: Program) -> bool:
    """Whether a function, and those in it, do no more with the mapping that a parameter holds than to read
    and copy it: nothing changes it, keeps it, or hands it to what may."""
    mentions = reads = 0
    for node in walk(*_nodes_with(code, name, program)):
        mentions += isinstance(node, NameExpr) and node.name == name
        parts: Sequence[Expr | None] = ()
        if isinstance(node, AttrExpr):
            parts = (node.value,) if node.name in _READS else ()
        elif isinstance(node, SubscriptExpr):
            parts = (node.value,)
        elif isinstance(node, CallExpr):
            parts = [each.value for each in node.keywords if each.name is None]
            parts += node.args if last_name(node.func) in _COPIES else ()
        elif isinstance(node, CompareExpr):
            parts = (node.left, *(right for _, right in node.rest))
        elif isinstance(node, DictExpr):
            parts = [value for key, value in node.items if key is None]
        elif isinstance(node, (ForStmt, Clause)):
            parts = (node.iterable,)
        elif isinstance(node, (IfStmt, WhileStmt, AssertStmt, ConditionalExpr, UnaryExpr)):
            parts = (node.operand if isinstance(node, UnaryExpr) else node.test,)
        elif isinstance(node, (AssignStmt, AugmentedStmt, DeleteStmt)):
            targets = (node.target,) if isinstance(node, AugmentedStmt) else node.targets
            items = [each for each in walk(*targets) if isinstance(each, SubscriptExpr)]
            reads -= sum(isinstance(each.value, NameExpr) and each.value.name == name for each in items)
        reads += sum(isinstance(each, NameExpr) and each.name == name for each in parts)
    return mentions == reads


def _nodes_with(code: Code, name: str, program: Program) -> Iterator[Node]:
    """What a function runs, and what those in it run that see a variable of it."""
    yield from code.body
    for each in codes_in(code, program):
        yield from (*each.decorators, *(param.default for param in each.params if param.default is not None))
        if name in each.free:
            yield from each.body
    for cls in program.classes:
        if cls.qualname.startswith(f"{code.qualname}."):
            yield from (*cls.bases, *cls.body)


def asks_for(test: Expr, name: str) -> bool:
    """Whether a test asks if there is an attribute: for its truth, whether it is None, or by its name."""
    if isinstance(test, UnaryExpr):
        return asks_for(test.operand, name)
    if isinstance(test, BoolExpr):
        return asks_for(test.left, name) or asks_for(test.right, name)
    if isinstance(test, CallExpr):
        return any(isinstance(each, ConstExpr) and each.value == name for each in test.args)
    if isinstance(test, CompareExpr):
        left, operators = test.left, {operator for operator, _ in test.rest}
        if isinstance(left, ConstExpr):
            return left.value == name and not operators.isdisjoint(("in", "not in"))
        return asks_for(left, name) and not operators.isdisjoint(("is", "is not"))
    return isinstance(test, AttrExpr) and test.name == name


def absent_by(test: Expr) -> tuple[tuple[str, str] | None, bool]:
    """The variable and the attribute of it that a test asks for, and with which answer it is None or not
    there: `self.f is None`, `not self.f`, `hasattr(self, "f")`."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        asked, sense = absent_by(test.operand)
        return asked, not sense
    place, sense = test, False
    if isinstance(test, CompareExpr) and len(test.rest) == 1 and test.rest[0][1] == NONE:
        place, sense = test.left, test.rest[0][0] in ("is", "==")
    if isinstance(place, AttrExpr) and isinstance(place.value, NameExpr):
        return (place.value.name, place.name), sense
    if isinstance(test, CallExpr) and last_name(test.func) == "hasattr" and len(test.args) == 2:
        owner, name = test.args
        if isinstance(owner, NameExpr) and isinstance(name, ConstExpr) and isinstance(name.value, str):
            return (owner.name, name.value), False
    return None, False


def has_effects(code: Code, body: Sequence[Stmt] | None = None) -> bool:
    """Whether a function, or statements of it, may change more than its own variables: they call something,
    or store in an attribute, an item or a variable of others."""
    outer = code.global_names | code.nonlocal_names
    for statement in statements(code.body if body is None else body):
        if any(isinstance(part, CallExpr) for part in walk(statement)):
            return True
        targets: Sequence[Expr] = ()
        if isinstance(statement, (AssignStmt, DeleteStmt)):
            targets = statement.targets
        elif isinstance(statement, AugmentedStmt):
            targets = (statement.target,)
        for target in (part for each in targets for part in parts(each)):
            if not isinstance(target, NameExpr) or target.name in outer:
                return True
    return False


def has_effects_after_yield(code: Code) -> bool:
    """Whether a generator may change anything once it goes on after it has yielded."""
    after = _after_yield(code.body)
    return after is None or has_effects(code, after)


def _after_yield(body: Sequence[Stmt]) -> Sequence[Stmt] | None:
    """What is run after the `yield` of a generator; None where that is not known."""
    for position, statement in enumerate(body):
        if not any(isinstance(part, (YieldExpr, YieldFromExpr)) for part in walk(statement)):
            continue
        rest = body[position + 1 :]
        if isinstance(statement, TryStmt):
            inner = _after_yield(statement.body)
            handled = [each for handler in statement.handlers for each in handler.body]
            return None if inner is None else [*inner, *handled, *statement.orelse, *statement.final, *rest]
        return rest if not any(suites(statement)) else None
    return None


def yields_first(body: Sequence[Stmt]) -> bool:
    """Whether a generator comes to its first `yield` in the text under no test."""
    for statement in body:
        if any(isinstance(part, (YieldExpr, YieldFromExpr)) for part in walk(statement)):
            if isinstance(statement, (WhileStmt, ForStmt, WithStmt)):
                return yields_first(statement.body)
            return isinstance(statement, (ExprStmt, AssignStmt))
    return False


def sets_first(code: Code, name: str) -> bool:
    """Whether a function sets an attribute of this name on each path, before it does anything else with the
    object than to look at other attributes."""
    return _sets(code.body, name, ())


def _sets(body: Sequence[Stmt], name: str, before: tuple[Node, ...]) -> bool:
    for statement in body:
        if isinstance(statement, IfStmt):
            arms = (statement.body, statement.orelse)
            if all(_sets(arm, name, (*before, statement.test)) for arm in arms):
                return True
        elif isinstance(statement, AssignStmt):
            for target in (part for each in statement.targets for part in parts(each)):
                if (
                    isinstance(target, AttrExpr)
                    and target.name == name
                    and isinstance(target.value, NameExpr)
                ):
                    return _only_looks((*before, statement.value), target.value.name, name)
        before = (*before, statement)
    return False


def _only_looks(roots: Sequence[Node], owner: str, name: str) -> bool:
    """Whether an object is only asked for attributes, other ones than this, which are not called."""
    found = [*walk(*roots)]
    called = {id(part.func) for part in found if isinstance(part, CallExpr)}
    looked = [
        part
        for part in found
        if isinstance(part, AttrExpr) and isinstance(part.value, NameExpr) and part.value.name == owner
    ]
    mentions = sum(isinstance(part, NameExpr) and part.name == owner for part in found)
    return mentions == len(looked) and all(part.name != name and id(part) not in called for part in looked)


@lru_cache(maxsize=_KEPT)
def names_error(program: Program, name: str) -> bool:
    """Whether a file names an error, to handle it or to expect it."""
    parts = (part for code in program.codes for part in nodes_of(code.body))
    return any(last_name(part) == name for part in parts if isinstance(part, (AttrExpr, NameExpr)))


def patched_names(program: Program) -> frozenset[str]:
    """What of JAX a file replaces: the names in `mock.patch("jax.jit", ...)`."""
    if not any("mock" in name or "mock" in (names or ()) for name, _, names in program.imports):
        return frozenset()
    found = set()
    for node in walk(*program.body.body, *[each for code in program.codes for each in code.body]):
        if isinstance(node, CallExpr) and last_name(node.func) == "patch" and node.args:
            name = node.args[0].value if isinstance(node.args[0], ConstExpr) else None
            if isinstance(name, str) and name.startswith("jax."):
                found.add(name)
    return frozenset(found)


_OF_VARIABLES = frozenset(("exec", "eval", "globals", "locals", "setattr", "vars"))


def may_name_others(program: Program) -> bool:
    """Whether the text of a module may give it variables that it does not write as such."""
    for node in walk(*[each for code in (program.body, *program.codes) for each in code.body]):
        if isinstance(node, NameExpr) and node.name in _OF_VARIABLES:
            return True
        if isinstance(node, AttrExpr) and node.name == "modules":
            return True
    return False


def asks_for_tracer(code: Code) -> bool:
    """Whether the text of a function has `isinstance(parameter, ...Tracer)`."""
    names = {param.name for param in code.params}
    for node in nodes_of(code.body):
        if not isinstance(node, CallExpr) or len(node.args) != 2:
            continue
        if isinstance(node.func, NameExpr) and node.func.name == "isinstance":
            given, asked = node.args
            classes = asked.items if isinstance(asked, TupleExpr) else (asked,)
            if isinstance(given, NameExpr) and given.name in names and "Tracer" in map(last_name, classes):
                return True
    return False


_LOOKUPS = frozenset(("getattr", "get", "pop", "__getitem__"))
_ADDS = frozenset(("append", "add", "setdefault", "update"))


@lru_cache(128 * _KEPT)
def fills_registry(code: Code, program: Program) -> bool:
    """Whether the text of a function, or of one in it, puts something that has a name into a container that
    is not its own: under a key, or by a method that adds it."""
    return any(_fills(each) for each in (code, *codes_in(code, program)))


def _fills(code: Code) -> bool:
    for node in nodes_of(code.body):
        owner: Expr | None = None
        if isinstance(node, AssignStmt) and isinstance(node.value, NameExpr):
            target = node.targets[0]
            owner = target.value if isinstance(target, SubscriptExpr) else None
        elif isinstance(node, CallExpr) and isinstance(node.func, AttrExpr) and node.func.name in _ADDS:
            owner = node.func.value if any(isinstance(each, NameExpr) for each in node.args) else None
        if isinstance(owner, AttrExpr) or (isinstance(owner, NameExpr) and owner.name not in code.bound):
            return True
    return False


@lru_cache(_KEPT)
def with_more_than(code: Code, names: frozenset[str]) -> frozenset[str]:
    """The variables that a function calls, or of which it names another attribute than these."""
    found = set()
    for node in nodes_of(code.body):
        owner = node.func if isinstance(node, CallExpr) else None
        if isinstance(node, AttrExpr) and node.name not in names:
            owner = node.value
        if isinstance(owner, NameExpr):
            found.add(owner.name)
    return frozenset(found)


def chosen_by(code: Code) -> frozenset[str]:
    """The parameters by which a function chooses what it gives back: names that it looks up in an object or
    in a mapping, and what it compares with a text."""
    names = {param.name for param in code.params}
    found: list[Expr] = []
    for node in nodes_of(code.body):
        if isinstance(node, SubscriptExpr):
            found.append(node.index)
        elif isinstance(node, CallExpr) and last_name(node.func) in _LOOKUPS:
            found += node.args[:2]
        elif isinstance(node, CompareExpr):
            sides = [node.left, *[each for _, each in node.rest]]
            if any(isinstance(each, ConstExpr) and isinstance(each.value, str) for each in sides):
                found += sides
        elif isinstance(node, MatchStmt):
            found.append(node.subject)
    return frozenset([each.name for each in found if isinstance(each, NameExpr) and each.name in names])


def takes_keys(target: Expr, iterable: Expr, nodes: Sequence[Node]) -> bool:
    """Whether a loop goes over the keys of a mapping, by what it does with its variable: it looks up what it
    goes over by it, asks where it is contained, or compares it with a text."""
    if not isinstance(target, NameExpr):
        return False
    for node in walk(*nodes):
        if isinstance(node, SubscriptExpr):
            if same_place(node.index, target) and same_place(node.value, iterable):
                return True
        elif isinstance(node, CompareExpr) and same_place(node.left, target):
            operator, other = node.rest[0]
            is_text = isinstance(other, ConstExpr) and isinstance(other.value, str)
            if operator in ("in", "not in") or is_text:
                return True
    return False


@lru_cache(maxsize=_KEPT)
def closed_over(code: Code, program: Program) -> frozenset[str]:
    """The variables of a function that functions made in it read."""
    made = (each.index for each in nodes_of(code.body) if isinstance(each, (DefStmt, LambdaExpr)))
    return frozenset([name for index in made for name in program.codes[index].free])


@lru_cache(maxsize=_KEPT)
def set_by(code: Code) -> frozenset[str]:
    """The variables and attributes that a function assigns, as they are written: `self.ready`."""
    return frozenset(dotted(target) for target, _ in assigned(code.body)) - {""}


@lru_cache(maxsize=_KEPT)
def kept_as(code: Code, name: str) -> tuple[str, ...]:
    """The attributes of its object in which a method keeps a parameter as it is."""
    own = code.params[0].name if code.in_class and code.params else ""
    return tuple(
        [
            target.name
            for target, value in assigned(code.body)
            if isinstance(value, NameExpr) and value.name == name
            if isinstance(target, AttrExpr)
            and isinstance(target.value, NameExpr)
            and target.value.name == own
        ]
    )


@lru_cache(16 * _KEPT)
def keepers(program: Program) -> dict[str, list[str]]:
    """By the name of a method, or of a property's setter: where it keeps what it is given as it is."""
    found: dict[str, list[str]] = {}
    for code in program.codes:
        for param in code.params[1:] if code.in_class else ():
            found.setdefault(code.name, []).extend(kept_as(code, param.name))
    for target, value in (pair for each in program.classes for pair in assigned(each.body)):
        if isinstance(value, CallExpr) and last_name(value.func) == "property" and len(value.args) > 1:
            found.setdefault(last_name(target), []).extend(found.get(last_name(value.args[1]), ()))
    return found


def registers_itself(code: Code) -> bool:
    """Whether the text of `__new__` hands its class to a function that registers pytrees."""
    own = code.params[0].name if code.params else ""
    for node in nodes_of(code.body):
        if isinstance(node, CallExpr) and node.args:
            first = node.args[0]
            if isinstance(first, NameExpr) and first.name == own and _registers(last_name(node.func)):
                return True
    return False


def hands_on(code: Code) -> bool:
    """Whether the text of a function gives its first parameter to another one, which may do what it likes."""
    own = code.params[0].name if code.params else ""
    return any(
        isinstance(each, NameExpr) and each.name == own
        for node in nodes_of(code.body)
        if isinstance(node, CallExpr) and last_name(node.func) != "super"
        for each in (*node.args, *[each.value for each in node.keywords])
    )


def _registers(function: str) -> bool:
    return function.startswith(("register_pytree", "register_dataclass", "register_static"))


def reads_own(code: Code, name: str) -> bool:
    """Whether a method's text has `self.name`, outside the functions in it."""
    own = code.params[0].name if code.params else ""
    for node in nodes_of(code.body):
        if isinstance(node, AttrExpr) and node.name == name:
            if isinstance(node.value, NameExpr) and node.value.name == own:
                return True
    return False


def depends_on_object(code: Code, methods: Collection[str]) -> bool:
    """Whether what a method does, and not only on which values, depends on attributes of its object, other
    than these: it tests or compares them, takes items by them, or calls what is in one."""
    if not code.params:
        return False
    own = code.params[0].name

    def reads(node: Node | None) -> bool:
        return any(isinstance(part, AttrExpr) and dotted(part.value) == own for part in walk(node))

    for part in nodes_of(code.body):
        if isinstance(part, (IfStmt, WhileStmt, ConditionalExpr, AssertStmt)) and reads(part.test):
            return True
        if isinstance(part, (BoolExpr, CompareExpr)) and reads(part):
            return True
        if isinstance(part, SubscriptExpr) and reads(part.index):
            return True
        if isinstance(part, MatchStmt) and reads(part.subject):
            return True
        func = part.func if isinstance(part, CallExpr) else None
        if isinstance(func, AttrExpr) and dotted(func.value) == own and func.name not in methods:
            return True
    return False


def is_local_to(name: str, code: Code, program: Program) -> bool:
    """Whether a function uses a variable of the module as one of its own: it binds it before it reads it, and
    nothing else reads it but the functions in it."""
    reading = [
        each for each in program.codes if any(_reads(statement, name) for statement in statements(each.body))
    ]
    inside = [each is code or each.qualname.startswith(f"{code.qualname}.") for each in reading]
    first = next((each for each in statements(code.body) if _binds(each, name) or _reads(each, name)), None)
    return bool(reading) and all(inside) and first is not None and not _reads(first, name)


def _binds(statement: Stmt, name: str) -> bool:
    targets = statement.targets if isinstance(statement, AssignStmt) else ()
    return any(isinstance(part, NameExpr) and part.name == name for each in targets for part in parts(each))


def _reads(statement: Stmt, name: str) -> bool:
    return any(isinstance(each, NameExpr) and each.name == name for each in walk(*read_by(statement)))


def read_by(statement: Stmt) -> Sequence[Node]:
    """What a statement reads itself, without its blocks and the variables that it binds."""
    if isinstance(statement, AssignStmt):
        bound = [part for target in statement.targets for part in parts(target)]
        return (statement.value, *(each for each in bound if not isinstance(each, NameExpr)))
    if isinstance(statement, AnnotatedStmt):
        return () if statement.value is None else (statement.value,)
    return (statement.iterable,) if isinstance(statement, ForStmt) else tuple(heads(statement))
