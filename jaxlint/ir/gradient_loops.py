"""Which calls in a loop take gradients of one function: for one output, or one argument, after another.

In: the call, the loops around it and the function that is differentiated. Out: whether that function is
evaluated at one point in all iterations, so that it has to see the same draws. What is differentiated is
either the function itself, with other `argnums`, or one that hands all it gets on to the function and
selects an output. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import bound_by, mentions, names_in
from jaxlint.ir.program import Code, Expr

GRADIENTS = frozenset(("grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"))


def is_of_one_function(call: Expr, loops: Sequence[Turns], code: Code, inner: int | None) -> bool:
    """`code`: what is differentiated; `inner`: the call there that draws, None if it draws itself."""
    targets = {name for loop in loops if loop.target is not None for name in names_in(loop.target)}
    varying = targets.union(*map(bound_by, loops))
    if not targets or any(mentions(each, varying) for each in (*call[3], *(value for _, value in call[4]))):
        return False
    func = call[2]
    if func[0] == "call" and func[3] and not mentions(func[3][0], varying):
        numbers = [value for name, value in func[4] if name == "argnums"]
        if any(mentions(each, targets) for each in (*func[3][1:], *numbers)):
            return True
    if inner is None or not (mentions(func, targets) or targets.intersection(code.free)):
        return False
    handed = next(_calls(code.body, inner), None)
    if handed is None or handed[2][0] != "name" or handed[2][2] in targets:
        return False
    own = {param.name for param in code.params}
    return all(own.issuperset(_names(each)) for each in (*handed[3], *(value for _, value in handed[4])))


def _calls(node: object, nid: int) -> Iterator[Expr]:
    """The call of this number in an expression, or in statements."""
    if isinstance(node, tuple) and node and node[0] != "const":
        if node[0] == "call" and node[1] == nid:
            yield node
        for part in node:
            yield from _calls(part, nid)


def _names(node: object) -> Collection[str]:
    if not isinstance(node, tuple) or not node or node[0] == "const":
        return ()
    if node[0] == "name" and len(node) > 2:
        return (node[2],)
    return [name for part in node for name in _names(part)]
