"""Rows of ops that call functions: of graphs and of Python."""

import numpy as np
from op_table import Row, other_node, registered_types

from tinytf._src.eager.defined.defun import Defun
from tinytf._src.framework.values import dtypes
from tinytf._src.ops.script.script_ops import py_func, py_function

_F32 = dtypes.float32
_ANY = registered_types("FakeParam")
_OUT = {"Tout": [_F32]}


def _row(op, ref, program, fixed=None, shapes=((2,), ()), **more):
    options = {"dynamic": True, "has_loops": False, "grad": False, "eager": False, **more}
    return Row(op, ref, (shapes,), ("float32",), fixed=fixed or {}, program=program, **options)


def _made(function, *types):
    """A function of a graph, which the node of an op can call."""
    defined = Defun(*types)(function)
    defined.add_to_graph(other_node("NoOp").graph)
    return defined


def _twice():
    return _made(lambda x: x + x, _F32)


def _square():
    return _made(lambda x: x * x, _F32)


def _conditional(op):
    return _row(
        op,
        lambda x, p: x + x,
        lambda node, x, p: node(p, [x], then_branch=_twice(), else_branch=_square(), **_OUT),
        {1: np.array(True)},
        more_types=registered_types(op),
    )


def _case(op):
    return _row(
        op,
        lambda x, i: x * x,
        lambda node, x, i: node(i, [x], branches=[_twice(), _square()], **_OUT),
        {1: np.array(1, np.int32)},
        more_types=("int32",),
    )


def _between(i, x):
    """Whether the loop of `_loop` continues; no number makes it long."""
    return other_node("LogicalAnd", i >= 0, i < 3)


def _loop(op):
    def program(node, x, i):
        cond = _made(_between, dtypes.int32, _F32)
        body = _made(lambda i, x: (i + 1, x + x), dtypes.int32, _F32)
        return node([i, x], cond=cond, body=body)

    return _row(op, lambda x, i: (np.int32(3), 8 * x), program, {1: np.array(0, np.int32)})


def _call(op):
    return _row(op, lambda x: x * x, lambda node, x: node([x], f=_square(), **_OUT), shapes=((2,),))


def _python(op, call, **attrs):
    return _row(op, lambda x: x + x, lambda node, x: call(lambda v: v + v, [x], _F32, **attrs), shapes=((2,),))


ROWS = [
    *map(_conditional, ("If", "StatelessIf")),
    *map(_case, ("Case", "StatelessCase")),
    *map(_loop, ("While", "StatelessWhile")),
    *map(_call, ("PartitionedCall", "StatefulPartitionedCall")),
    _row(
        "SymbolicGradient",
        lambda x, dy: 2 * x * dy,
        lambda node, x, dy: node([x, dy], f=_square(), **_OUT),
        shapes=((2,), (2,)),
    ),
    _row(
        "FakeParam",
        lambda: (np.array([2], np.int32),) * len(_ANY),
        lambda node: [other_node("Shape", node(dtype=dtype, shape=[2])) for dtype in _ANY],
        shapes=(),
        more_types=_ANY,
    ),
    _python("PyFunc", py_func),
    _python("PyFuncStateless", py_func, stateful=False),
    _python("EagerPyFunc", py_function),
]
