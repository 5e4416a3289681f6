"""The shape and dtype of an expression, told by its form from those of the variables in it.

In: nodes of a located file, and what the analysis knows of the variables. Out: a `Form`, which says of which
variables the shape and the dtype are made, not what they are; two expressions of one form are alike for
certain. Only numbers, arrays and total operations on them have a form: what has none may be a string, may
fail, or may do more than compute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jaxlint.domain.literals import element_dtype, ndim_of
from jaxlint.domain.questions import OF_ARRAYS
from jaxlint.domain.values import Array, Const, NumPyArray, OneOf, Static, TracerPytree, Value
from jaxlint.fixes.definite_assignment import only_statement, parameters
from jaxlint.fixes.imports import builtin, meaning
from jaxlint.fixes.uniqueness import binding, home_of, occurrences
from jaxlint.ir.locations import Located
from jaxlint.source.from_libcst import dotted_name
from jaxlint.source.lazy_libcst import cst

NUMBERS = ("bool", "int", "float", "complex")
_LETTERS = "bifc"
# A dtype that no variable has: of a Python number, or the least that an operation gives.
_BOOL, _INT, _FLOAT, _COMPLEX = _MADE = (":b", ":i", ":f", ":c")
_SOME = "?"  # a dtype that is not known

_UNARY = frozenset(
    "abs absolute negative positive square sign floor ceil trunc round logical_not sin cos tanh arctan "
    "arcsinh relu relu6 sigmoid hard_tanh soft_sign zeros_like ones_like".split()
)
_INEXACT = frozenset(
    "floor ceil trunc sin cos tanh arctan arcsinh relu6 sigmoid hard_tanh soft_sign mean".split()
)
_BINARY = frozenset("add subtract multiply maximum minimum logical_and logical_or logical_xor".split())
_REDUCTIONS = frozenset("sum mean max min".split())
# what is infinite, not a number or without a gradient somewhere
_PARTIAL = frozenset("exp expm1 exp2 log log1p log2 log10 sqrt cosh sinh tan arcsin arccos".split())
_MODULES = ("jax.numpy", "jax.nn", "jax.lax")
_CONSTANTS = frozenset(
    f"{module}.{name}" for module in ("math", "numpy", "jax.numpy") for name in ("pi", "e")
)


class Kind(NamedTuple):
    """A variable: the letter of its dtype, its number of dimensions, and what it is of `number`, `array`,
    `host` (NumPy's array) and `tree`, which may be any of them or a container."""

    sort: str
    dtype: str
    ndim: int | None


class Form(NamedTuple):
    """shape: the variables that broadcast to it. dtype: the variables and dtypes that are promoted to it.
    partial: there are values for which it is not finite, or has no gradient."""

    shape: frozenset[str]
    dtype: frozenset[str]
    partial: bool = False


Kinds = tuple[tuple[str, Kind], ...]  # by name, in the order of names
Forms = Mapping[str, Form]
SCALAR: frozenset[str] = frozenset()


def kinds_of(variables: Mapping[str, Value]) -> Kinds:
    """The variables that are numbers or arrays for certain, and those that may be pytrees of arrays."""
    found = ((name, kind_of(value)) for name, value in variables.items())
    return tuple(sorted((name, kind) for name, kind in found if kind is not None))


def kind_of(value: Value) -> Kind | None:
    if isinstance(value, OneOf):
        kinds = [kind_of(each) for each in value.options]
        if None in kinds or any(each is not None and each.sort == "tree" for each in kinds):
            return None
        sorts, letters, ndims = zip(*(each for each in kinds if each is not None), strict=True)
        return Kind(
            sorts[0] if len(set(sorts)) == 1 else "host" if "host" in sorts else "array",
            letters[0] if len(set(letters)) == 1 else "?",
            ndims[0] if len(set(ndims)) == 1 else None,
        )
    if isinstance(value, TracerPytree):
        return Kind("tree", "?", None)
    if isinstance(value, (Array, NumPyArray)):
        return Kind("array" if isinstance(value, Array) else "host", value.dtype, value.ndim)
    is_number = isinstance(value, Const) and type(value.value).__name__ in NUMBERS
    if is_number or (isinstance(value, Static) and value.type in NUMBERS):
        return Kind("number", element_dtype(value), ndim_of(value))
    return None


def forms_of(kinds: Kinds) -> dict[str, Form]:
    """Each variable's own form."""
    return {name: form_of_kind(name, kind) for name, kind in kinds}


def form_of_kind(name: str, kind: Kind) -> Form:
    if kind.sort == "number" and kind.dtype in _LETTERS:
        return Form(SCALAR, frozenset((_MADE[_LETTERS.index(kind.dtype)],)))
    return Form(SCALAR if kind.ndim == 0 else frozenset((name,)), frozenset((name,)))


class Reader:
    """Reads expressions where the variables have these forms and kinds."""

    def __init__(self, code: Located, forms: Forms, kinds: Mapping[str, Kind]) -> None:
        self.code = code
        self.forms = forms
        self.kinds = kinds

    def form(self, node: cst.CSTNode) -> Form | None:
        if isinstance(node, cst.Name):
            if node.value in ("True", "False"):
                return Form(SCALAR, frozenset((_BOOL,)))
            return self.forms.get(node.value)
        if isinstance(node, cst.Integer):
            return Form(SCALAR, frozenset((_INT,)))
        if isinstance(node, cst.Float):
            return Form(SCALAR, frozenset((_FLOAT,)))
        if isinstance(node, cst.UnaryOperation):
            signs = (cst.Minus, cst.Plus, cst.BitInvert)
            return self.form(node.expression) if isinstance(node.operator, signs) else None
        if isinstance(node, cst.BinaryOperation):
            return self._operation(node)
        if isinstance(node, cst.Comparison):
            return self._comparison(node)
        if isinstance(node, cst.Call):
            return self._call(node)
        if isinstance(node, cst.Subscript):
            return self._item(node)
        if isinstance(node, cst.Attribute):
            is_number = meaning(self.code, node) in _CONSTANTS
            return Form(SCALAR, frozenset((_FLOAT,))) if is_number else self.forms.get(dotted_name(node))
        return None

    def _operation(self, node: cst.BinaryOperation) -> Form | None:
        left, right = self.form(node.left), self.form(node.right)
        if left is None or right is None:
            return None
        found = _joined(left, right)
        operator = node.operator
        if isinstance(operator, (cst.Add, cst.Subtract, cst.Multiply)):
            return found
        is_number = _is_nonzero(node.right)
        if isinstance(operator, cst.Divide):
            return self._inexact(found)._replace(partial=found.partial or not is_number)
        if isinstance(operator, (cst.FloorDivide, cst.Modulo)):
            return found._replace(partial=found.partial or not is_number)
        if isinstance(operator, cst.Power):
            return found._replace(partial=found.partial or not isinstance(node.right, cst.Integer))
        if isinstance(operator, (cst.BitAnd, cst.BitOr, cst.BitXor)):
            return found
        return None

    def _comparison(self, node: cst.Comparison) -> Form | None:
        left = self.form(node.left)
        right = self.form(node.comparisons[0].comparator)
        kinds = (cst.In, cst.NotIn, cst.Is, cst.IsNot)
        if left is None or right is None or len(node.comparisons) > 1:
            return None
        if isinstance(node.comparisons[0].operator, kinds):
            return None
        return _joined(left, right)._replace(dtype=frozenset((_BOOL,)))

    def _call(self, node: cst.Call) -> Form | None:
        if any(arg.star or arg.keyword for arg in node.args):
            return None
        values = [arg.value for arg in node.args]
        name = self.function(node.func)
        if name is None and isinstance(node.func, cst.Attribute) and not values:
            name, values = node.func.attr.value, [node.func.value]
            if name not in _REDUCTIONS:
                return None
        if name is None:
            return None
        forms = [self.form(value) for value in values]
        known = [each for each in forms if each is not None]
        if len(known) < len(forms) or not known:
            return None
        return self._called(name, known)

    def _called(self, name: str, forms: list[Form]) -> Form | None:
        first = forms[0]
        if len(forms) == 1 and name in _REDUCTIONS:
            first = first._replace(shape=SCALAR)
            if name == "sum" and self.letter(first) != "f":  # a narrow integer becomes a wider one
                return _at_least(first, _SOME)
        if len(forms) == 1 and name in _PARTIAL:
            return self._inexact(first)._replace(partial=True)
        if len(forms) == 1 and name in _UNARY | _REDUCTIONS:
            if name == "logical_not":
                return first._replace(dtype=frozenset((_BOOL,)))
            return self._inexact(first) if name in _INEXACT else first
        if len(forms) == 2 and name in _BINARY:
            joined = _joined(*forms)
            return joined._replace(dtype=frozenset((_BOOL,))) if name.startswith("logical") else joined
        if len(forms) == 3 and name == "clip":
            return _joined(_joined(first, forms[1]), forms[2])
        if len(forms) == 3 and name == "where":
            return _joined(_joined(forms[1], forms[2]), first._replace(dtype=SCALAR))
        return None

    def _inexact(self, form: Form) -> Form:
        """At least a float: of an integer array it is the default one, of a number any."""
        if self.letter(form) in "fc" or form.dtype <= {*_MADE}:
            return _at_least(form, _FLOAT)
        return _at_least(form, _SOME)

    def function(self, node: cst.BaseExpression) -> str | None:
        """The last name of a function of `jax.numpy` and its like, or of `abs`."""
        if builtin(self.code, node) == "abs":
            return "abs"
        module, _, name = (meaning(self.code, node) or "").rpartition(".")
        return name if module in _MODULES else None

    def _item(self, node: cst.Subscript) -> Form | None:
        """`x[i]` of an array: a number where x has one dimension, else a row like all others."""
        if not isinstance(node.value, cst.Name) or len(node.slice) != 1:
            return None
        name, index = node.value.value, node.slice[0].slice
        kind, own = self.kinds.get(name), self.forms.get(name)
        if kind is None or own is None or kind.sort != "array" or kind.ndim == 0:
            return None
        if not isinstance(index, cst.Index) or index.star:
            return None
        number = self.form(index.value)
        if number is None or number.shape or self.letter(number) != "i":
            return None
        if own != form_of_kind(name, kind):
            return None  # another array than the one of this kind
        return Form(SCALAR if kind.ndim == 1 else frozenset((f"{name}[]",)), own.dtype)

    def letter(self, form: Form) -> str:
        """The dtype's letter; `?` where it is not known."""
        letters = [self._letter_of(each) for each in form.dtype]
        return "?" if "?" in letters else max(letters, key=_LETTERS.index)

    def _letter_of(self, token: str) -> str:
        if token in _MADE:
            return token[1]
        kind = self.kinds.get(token)
        return "?" if kind is None or kind.dtype not in _LETTERS else kind.dtype

    def dtype(self, form: Form) -> tuple[str, frozenset[str]] | None:
        """What decides the dtype: its letter, and the arrays that have it; None where that is not known."""
        if len(form.dtype) == 1:
            (token,) = form.dtype
            return (self._letter_of(token), form.dtype - {*_MADE})
        letter = self.letter(form)
        if letter == "?":
            return None
        return letter, frozenset(each for each in form.dtype - {*_MADE} if self._letter_of(each) == letter)

    def are_alike(self, left: Form, right: Form) -> bool:
        """Whether the shapes and the dtypes are the same for certain."""
        dtype = self.dtype(left)
        return left.shape == right.shape and dtype is not None and dtype == self.dtype(right)


def result_of(reader: Reader, func: cst.BaseExpression, args: Sequence[cst.Arg]) -> Form | None:
    """The form of what a function gives for these arguments: one of a library, a lambda, or a function of the
    module that is one expression."""
    code = reader.code
    if any(arg.star or arg.keyword for arg in args):
        return None
    if reader.function(func) is not None:
        return reader.form(cst.Call(func, list(args)))
    made = func if isinstance(func, cst.Lambda) else _definition(code, func)
    if made is None:
        return None
    names, body = parameters(made), made.body
    if isinstance(made, cst.FunctionDef):
        returned = only_statement(made.body)
        if made.decorators or made.asynchronous or not isinstance(returned, cst.Return):
            return None
        body = returned.value or made.body
    forms = [reader.form(arg.value) for arg in args]
    known = {name: form for name, form in zip(names, forms, strict=False) if form is not None}
    is_plain = isinstance(made.params.star_arg, cst.MaybeSentinel) and made.params.star_kwarg is None
    if not (len(names) == len(forms) == len(known)) or not is_plain:
        return None
    return Reader(code, known, reader.kinds).form(body)


def _definition(code: Located, func: cst.BaseExpression) -> cst.FunctionDef | cst.Lambda | None:
    """The function or lambda that a name of the module stands for, where nothing else is bound to it."""
    if not isinstance(func, cst.Name):
        return None
    home = home_of(code, func)
    found = [each for each in occurrences(code, home, func.value, False) if binding(code, each) is not None]
    made: list[cst.CSTNode | None] = [binding(code, each) for each in found]
    return made[0] if len(made) == 1 and isinstance(made[0], (cst.FunctionDef, cst.Lambda)) else None


def _joined(left: Form, right: Form) -> Form:
    return Form(left.shape | right.shape, left.dtype | right.dtype, left.partial or right.partial)


def _at_least(form: Form, dtype: str) -> Form:
    return form._replace(dtype=form.dtype | {dtype})


def _is_nonzero(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float)) and node.evaluated_value != 0


def variables_in(node: cst.CSTNode) -> Iterator[str]:
    """The names in an expression that are no attributes and no keywords, and `x.y` where it is read."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Attribute):
        yield dotted_name(node)
        yield from variables_in(node.value)
    elif isinstance(node, cst.Arg):
        yield from variables_in(node.value)
    else:
        for child in node.children:
            yield from variables_in(child)


def arrays_by_use(code: Located, nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The variables that must be arrays or numbers, because they are computed with as only those can be."""
    found: set[str] = set()
    stack = [*nodes]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        proved: tuple[cst.CSTNode, ...] = ()
        if isinstance(node, cst.BinaryOperation):
            proved = _proved(node)
        elif isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
            proved = (node.expression,)
        elif isinstance(node, cst.Comparison):
            proved = (node.left, *(each.comparator for each in node.comparisons))
        elif isinstance(node, cst.Attribute) and node.attr.value in OF_ARRAYS:
            proved = (node.value,)
        elif isinstance(node, cst.Call) and (meaning(code, node.func) or "").startswith("jax.numpy."):
            proved = tuple(arg.value for arg in node.args)
        found.update(dotted_name(each) for each in proved if isinstance(each, cst.BaseExpression))
    return found


def _proved(node: cst.BinaryOperation) -> tuple[cst.CSTNode, ...]:
    if isinstance(node.operator, (cst.Subtract, cst.Divide, cst.Power)):
        return (node.left, node.right)
    if isinstance(node.operator, (cst.Add, cst.Multiply)):
        numbers = (cst.Float, cst.Integer) if isinstance(node.operator, cst.Add) else (cst.Float,)
        if isinstance(node.left, numbers) or isinstance(node.right, numbers):
            return (node.left, node.right)
    return ()
