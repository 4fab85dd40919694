"""Rows of control flow ops: the primitives in the branches and loops that they form, on values and on references."""

import numpy as np
from op_table import Row, other_node, registered_types

from tinytf._src.ops.control_flow.loops import while_loop


def _row(op, ref, program, shapes=((2,),), fixed=None, types=None, **more):
    options = {"grad": False, "dynamic": True, "has_loops": False, **more}
    # Eager execution has neither dead tensors nor frames.
    return Row(
        op, ref, (shapes,), types or registered_types(op), fixed=fixed or {}, program=program, eager=False, **options
    )


def _reference(x):
    """A reference variable with the value."""
    return other_node("Assign", other_node("VariableV2", dtype=x.dtype, shape=[2]), x)


def _looped(node, x):
    return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y), [np.int32(0), x])[1]


_SWITCHED = ((2,), ())
_TRUE = {1: np.array(True)}
_ONE = {1: np.array(1, np.int32)}

ROWS = [
    _row("Switch", lambda x, p: x, lambda node, x, p: other_node("Merge", list(node(x, p)))[0], _SWITCHED, _TRUE),
    _row(
        "Merge",
        lambda x, p: (x, np.int32(1)),
        lambda node, x, p: node(list(other_node("Switch", x, p))),
        _SWITCHED,
        _TRUE,
    ),
    *(_row(op, lambda x: x, _looped) for op in ("Enter", "Exit", "NextIteration")),
    _row("LoopCond", lambda x: x, _looped, types=("float32",), more_types=("bool",)),
    _row(
        "RefSwitch",
        lambda x, p: x,
        lambda node, x, p: other_node("RefMerge", list(node(_reference(x), p)))[0],
        _SWITCHED,
        _TRUE,
    ),
    _row(
        "RefMerge",
        lambda x, p: (x, np.int32(1)),
        lambda node, x, p: node(list(other_node("RefSwitch", _reference(x), p))),
        _SWITCHED,
        _TRUE,
    ),
    _row(
        "RefSelect",
        lambda x, i, y: y,
        lambda node, x, i, y: node(i, [_reference(x), _reference(y)]),
        ((2,), (), (2,)),
        _ONE,
    ),
    _row("RefEnter", lambda x: x, lambda node, x: other_node("RefExit", node(_reference(x), frame_name="f"))),
    _row("RefExit", lambda x: x, lambda node, x: node(other_node("RefEnter", _reference(x), frame_name="f"))),
    _row(
        "RefNextIteration",
        lambda x: x,
        lambda node, x: other_node("RefExit", node(other_node("RefEnter", _reference(x), frame_name="f"))),
    ),
]
