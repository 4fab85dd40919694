"""Rows of ops on tensor lists and optional values, whose programs make a list of the rows of an input and stack it
again.
"""

import numpy as np
from op_table import Row, other_node

TYPES = ("float32", "float64", "int32", "bool", "string")
_ROWS = (3, 2)


def _i(values, dtype=np.int32):
    return np.array(values, dtype)


_PAIR = _i([2])


def _list(x, shape=_PAIR):
    """The list of the parts of a tensor."""
    return other_node("TensorListFromTensor", x, shape)


def _stacked(handle, x, shape=_PAIR):
    return other_node("TensorListStack", handle, shape, element_dtype=x.dtype)


def _length(handle):
    return other_node("TensorListLength", handle)


def _row(op, ref, shapes, program, fixed=None, **more):
    options = {"dtypes": TYPES, "dynamic": True, "has_loops": False, **more}
    return Row(op, ref, (shapes,), fixed=fixed or {}, program=program, **options)


def _zeros(x, rows):
    return np.full((rows, *x.shape[1:]), b"" if x.dtype == object else 0, x.dtype)


def _scattered(tensor, indices, *shape_and_size):
    out = _zeros(tensor, 4)
    out[indices] = tensor
    return out


_SCATTER = {1: _i([3, 1, 0])}


def _of_all_types(op, ref, shapes, program, fixed=None):
    return _row(op, ref, shapes, program, fixed, dtypes=None)


ROWS = [
    _row(
        "EmptyTensorList",
        lambda x, shape, most: (x, _i(2)),
        ((2,), (), ()),
        lambda node, x, shape, most: _pushed_twice(node(shape, most, element_dtype=x.dtype), x),
        {1: _PAIR, 2: _i(2)},
        dtypes=("int32", "int64", "float32"),
    ),
    _row(
        "TensorListReserve",
        lambda x, shape, size: np.stack([_zeros(x[None], 1)[0], x]),
        ((2,), (), ()),
        lambda node, x, shape, size: _stacked(
            other_node("TensorListSetItem", node(shape, size, element_dtype=x.dtype), 1, x), x
        ),
        {1: _PAIR, 2: _i(2)},
        dtypes=("int32", "int64", "float32"),
    ),
    _row(
        "TensorListPushBack",
        lambda x, y: np.concatenate([x, y[None]]),
        (_ROWS, (2,)),
        lambda node, x, y: _stacked(node(_list(x), y), x),
    ),
    _row(
        "TensorListPushBackBatch",
        lambda x, y: (np.concatenate([x, y[:1]]), np.concatenate([x, y[1:]])),
        (_ROWS, (2, 2)),
        lambda node, x, y: [
            _stacked(handle, x) for handle in other_node("Unpack", node(other_node("Pack", [_list(x)] * 2), y), num=2)
        ],
    ),
    _row(
        "TensorListPopBack",
        lambda x, shape: (x[:2], x[2]),
        (_ROWS, ()),
        lambda node, x, shape: _popped(node(_list(x), shape, element_dtype=x.dtype), x),
        {1: _PAIR},
    ),
    _row("TensorListLength", lambda x: _i(3), (_ROWS,), lambda node, x: node(_list(x))),
    _row(
        "TensorListElementShape",
        lambda x, shape: (_i([2, -1]), _i([2, -1], np.int64)),
        ((3, 2, 1), ()),
        lambda node, x, shape: [node(_list(x, shape), shape_type=t) for t in ("int32", "int64")],
        {1: _i([2, -1])},
    ),
    _row(
        "TensorListGetItem",
        lambda x, i, shape: x[1],
        (_ROWS, (), ()),
        lambda node, x, i, shape: node(_list(x), i, shape, element_dtype=x.dtype),
        {1: _i(1), 2: _PAIR},
    ),
    _row(
        "TensorListSetItem",
        lambda x, i, y: np.stack([x[0], y, x[2]]),
        (_ROWS, (), (2,)),
        lambda node, x, i, y: _stacked(node(_list(x), i, y), x),
        {1: _i(1)},
    ),
    _row(
        "TensorListResize",
        lambda x, small, large: (x[:2], np.concatenate([x, _zeros(x, 2)])),
        (_ROWS, (), ()),
        lambda node, x, *sizes: [_stacked(node(_list(x), size), x) for size in sizes],
        {1: _i(2), 2: _i(5)},
        grad=False,  # TensorFlow registers none
    ),
    _row(
        "TensorListStack",
        lambda x, shape: x,
        (_ROWS, ()),
        lambda node, x, shape: node(_list(x), shape, element_dtype=x.dtype),
        {1: _PAIR},
    ),
    _of_all_types(
        "TensorListFromTensor",
        lambda x, shape: x,
        (_ROWS, ()),
        lambda node, x, shape: _stacked(node(x, shape), x),
        {1: _PAIR},
    ),
    _row(
        "TensorListGather",
        lambda x, i, shape: x[i],
        (_ROWS, (), ()),
        lambda node, x, i, shape: node(_list(x), i, shape, element_dtype=x.dtype),
        {1: _i([2, 0]), 2: _PAIR},
    ),
    _of_all_types(
        "TensorListScatter",
        lambda x, i, shape: _scattered(x, i),
        (_ROWS, (), ()),
        lambda node, x, i, shape: _stacked(node(x, i, shape), x),
        {**_SCATTER, 2: _PAIR},
    ),
    _of_all_types(
        "TensorListScatterV2",
        lambda x, i, shape, size: _scattered(x, i),
        (_ROWS, (), (), ()),
        lambda node, x, i, shape, size: _stacked(node(x, i, shape, size), x),
        {**_SCATTER, 2: _PAIR, 3: _i(4)},
    ),
    _row(
        "TensorListScatterIntoExistingList",
        lambda x, i, y: np.stack([y[1], x[1], y[0]]),
        (_ROWS, (), (2, 2)),
        lambda node, x, i, y: _stacked(node(_list(x), y, i), x),
        {1: _i([2, 0])},
    ),
    _row(
        "TensorListConcat",
        lambda x: (x.reshape(6, 1), _i([2, 2, 2], np.int64)),
        ((3, 2, 1),),
        lambda node, x: node(_list(x, _i([2, 1])), element_dtype=x.dtype, element_shape=[2, 1]),
    ),
    _row(
        "TensorListConcatV2",
        lambda x, shape, leading: (x.reshape(6, 1), _i([2, 2, 2], np.int64)),
        ((3, 2, 1), (), ()),
        lambda node, x, shape, leading: node(_list(x, shape), shape, leading, element_dtype=x.dtype),
        {1: _i([2, 1]), 2: _i([2, 2, 2], np.int64)},
    ),
    _of_all_types(
        "TensorListSplit",
        lambda x, shape, lengths: (x[:1], x[1:]),
        (_ROWS, (), ()),
        lambda node, x, shape, lengths: [
            other_node("TensorListGetItem", node(x, shape, lengths), k, _i([-1, 2]), element_dtype=x.dtype)
            for k in range(2)
        ],
        {1: _i([-1, 2]), 2: _i([1, 2], np.int64)},
    ),
    _row(
        "TensorListConcatLists",
        lambda x, y: np.concatenate([x, y]),
        (_ROWS, (1, 2)),
        lambda node, x, y: _stacked(node(_list(x), _list(y), element_dtype=x.dtype), x),
    ),
    _row(
        "OptionalFromValue",
        lambda x, y: (x, y),
        ((2,), ()),
        lambda node, x, y: _contents(node([x, y]), x, y),
    ),
    _row(
        "OptionalGetValue",
        lambda x, y: (x, y),
        ((2,), ()),
        lambda node, x, y: node(
            other_node("OptionalFromValue", [x, y]), output_types=[x.dtype, y.dtype], output_shapes=[[2], []]
        ),
    ),
    _row(
        "OptionalHasValue",
        lambda x: (np.bool_(True), np.bool_(False)),
        ((2,),),
        lambda node, x: [node(other_node("OptionalFromValue", [x])), node(other_node("OptionalNone"))],
    ),
    _row("OptionalNone", lambda: np.bool_(False), (), lambda node: other_node("OptionalHasValue", node())),
]


def _pushed_twice(handle, x):
    full = other_node("TensorListPushBack", other_node("TensorListPushBack", handle, x), x)
    return other_node("TensorListGetItem", full, 1, _PAIR, element_dtype=x.dtype), _length(full)


def _popped(made, x):
    handle, last = made
    return _stacked(handle, x), last


def _contents(optional, *values):
    types, shapes = [v.dtype for v in values], [[2], []]
    return other_node("OptionalGetValue", optional, output_types=types, output_shapes=shapes)
