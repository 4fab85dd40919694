"""Rows of ops whose inputs or effects need other nodes: control inputs, handles of values, encoded
files, SparseTensors in lists.
"""

import numpy as np
from op_table import ANY, Row, after, fixed_row, numpy_type, other_node

from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.values import dtypes


def _i(values, dtype=np.int64):
    return np.array(values, dtype)


def _row(op, ref, shapes, program, types=("float32", "int32", "string"), **more):
    options = {"dynamic": True, "grad": False, "has_loops": False, **more}
    return Row(op, ref, shapes, types, program=program, **options)


def _passed_on(build):
    """A program that yields its input after the nodes that the function builds."""
    return lambda node, x: after(build(node, x), lambda: other_node("Identity", x))


def _vector(op, build, types=("float32", "int32", "string"), **more):
    return _row(op, lambda x: x, (((2,),),), _passed_on(build), types, **more)


def _top(x, k):
    order = np.argsort(-x.astype(np.float64), axis=-1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)


def _queue():
    return other_node("FIFOQueueV2", component_types=[dtypes.float32])


_FRAMES = np.array([[0.5, -0.5], [0, 0.25]], np.float32)

# The head of a PNG of one row and two columns.
_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\1"
_WAV = b"RIFF,\0\0\0WAVEfmt \x10\0\0\0\1\0\2\0@\x1f\0\0\0}\0\0\4\0\x10\0data\x08\0\0\0\0@\0\xc0\0\0\0 "

ROWS = [
    _vector("NoOp", lambda node, x: node()),
    _vector("ControlTrigger", lambda node, x: node()),
    _vector("Assert", lambda node, x: node(True, [x]), more_types=("bool",)),
    _vector("PrintV2", lambda node, x: node("")),
    _row("Print", lambda x: x, (((2,),),), lambda node, x: node(x, [x]), None, grad=True),
    _row("ToBool", lambda x: np.bool_(x.shape[0] > 0), (((2,),), ((0,),)), lambda node, x: node(x), None),
    _row(
        "Const",
        lambda: tuple(np.ones(2, numpy_type(t)) for t in ANY),
        ((),),
        lambda node: [constant(np.ones(2, numpy_type(t))) for t in ANY],
        more_types=ANY,
        dynamic=False,
    ),
    _row("FakeQueue", lambda: np.int32(0), ((),), lambda node: other_node("QueueSize", node(_queue())), eager=False),
    _row(
        "GetSessionHandle",
        lambda x: x,
        (((2,),),),
        lambda node, x: other_node("GetSessionTensor", node(x), dtype=x.dtype),
        types=None,
        eager=False,
    ),
    _row(
        "GetSessionTensor",
        lambda x: x,
        (((2,),),),
        lambda node, x: node(other_node("GetSessionHandle", x), dtype=x.dtype),
        eager=False,
    ),
    _vector("DeleteSessionTensor", lambda node, x: node(other_node("GetSessionHandle", x)), eager=False),
    Row("TopK", lambda x, k: _top(x, k), (((5,),), ((2, 4),)), attrs={"k": 2}),
    _row(
        "ParallelConcat",
        lambda xs: np.concatenate(xs),
        (([(1, 2), (1, 2)],),),
        lambda node, xs: node([other_node("Reshape", x, [1, 2]) for x in xs], shape=[2, 2]),
        None,
        dynamic=False,
    ),
    _row(
        "SparseConcat",
        lambda places, x, sizes, concat_dim: (
            _i([[0, 1], [0, 2], [1, 0]]),
            np.array([x[0][0], x[1][0], x[0][1]]),
            _i([2, 5]),
        ),
        (([(), ()], [(2,), (1,)], [(), ()]),),
        None,
        None,
        fixed={0: [_i([[0, 1], [1, 0]]), _i([[0, 0]])], 2: [_i([2, 2]), _i([2, 3])]},
        attrs={"concat_dim": 1},
    ),
    _row(
        "SparseReorder",
        lambda places, x, shape: (_i([[0, 0], [0, 1], [1, 0]]), x[::-1]),
        (((), (3,), ()),),
        None,
        None,
        fixed={0: _i([[1, 0], [0, 1], [0, 0]]), 2: _i([2, 2])},
        dynamic=False,
    ),
    _row(
        "EncodePng",
        lambda x: np.array(_PNG + bytes([8 * x.dtype.itemsize, 0]), object),
        (((1, 2, 1),),),
        lambda node, x: other_node("Substr", node(x), 0, len(_PNG) + 2),
        ("uint8", "uint16"),
        domain=(0, 255),
        dynamic=False,
    ),
    fixed_row("EncodeWav", [_FRAMES, np.int32(8000)], _WAV, dtypes=("float32",)),
]
