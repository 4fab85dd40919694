"""Ops that move elements agree with NumPy, for fed and constant arguments: values and inferred shapes."""

import numpy as np
import pytest

from tinytf._gen import raw_ops
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.ops.array.placeholders import placeholder
from tinytf._src.session.session import Session

_INT32 = np.int32


def _run(op, attrs=None, **inputs):
    """The outputs of the op for fed inputs; checks that constants give the same and that the inferred shapes fit."""
    results = []
    for fed in (True, False):
        with Graph().as_default() as graph:
            feeds = {}

            def argument(value, name="", feeds=feeds, fed=fed):
                if isinstance(value, list):
                    return [argument(item) for item in value]
                value = np.asarray(value)
                if not fed:
                    return constant(value)
                tensor = placeholder(value.dtype, value.shape if name == "block_shape" else None)  # has to be known
                feeds[tensor] = value
                return tensor

            outputs = getattr(raw_ops, op)(**{k: argument(v, k) for k, v in inputs.items()}, **(attrs or {}))
            outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
            with Session(graph=graph) as session:
                values = session.run(outputs, feeds)
            for tensor, value in zip(outputs, values, strict=True):
                assert tensor.shape.is_compatible_with(np.shape(value))
                if not fed:
                    assert tensor.shape.is_fully_defined() or op in ("Where", "Unique", "ListDiff", "DynamicPartition")
            results.append(values)
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
    return results[0]


def _random_index(rng, shape):
    """A random NumPy index for an array of this shape, with its begin, end, strides and masks."""
    index, begin, end, strides = [], [], [], []
    masks = dict.fromkeys(("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"), 0)
    skip = rng.integers(0, len(shape) + 1)
    dims = list(shape) if rng.random() < 0.5 else [*shape[:skip], None, *shape[skip:]]
    if rng.random() < 0.4:
        at = rng.integers(0, len(dims))
        dims = [*dims[:at], ..., *dims[at + 1 :]] if dims[at] is not None else dims
    for bit, size in enumerate(dims):
        b, e, s = 0, 0, 1
        if size is None:
            index.append(np.newaxis)
            masks["new_axis_mask"] |= 1 << bit
        elif size is ...:
            index.append(...)
            masks["ellipsis_mask"] |= 1 << bit
        elif rng.random() < 0.25:
            b = int(rng.integers(-size, size))
            e = b + 1
            index.append(b)
            masks["shrink_axis_mask"] |= 1 << bit
        else:
            b, e = (int(v) for v in rng.integers(-size - 1, size + 2, 2))
            s = int(rng.choice([1, 2, -1, -2]))
            no_begin, no_end = rng.random(2) < 0.3
            index.append(slice(None if no_begin else b, None if no_end else e, s))
            masks["begin_mask"] |= int(no_begin) << bit
            masks["end_mask"] |= int(no_end) << bit
        begin.append(b)
        end.append(e)
        strides.append(s)
    return tuple(index), _INT32(begin), _INT32(end), _INT32(strides), masks


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.complex128, "S"])
def test_strided_slice_and_its_gradient(seed, dtype):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 5, rng.integers(1, 5)))
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    if dtype == "S":
        x = x.astype(object)
    index, begin, end, strides, masks = _random_index(rng, shape)
    where = {"begin": begin, "end": end, "strides": strides}
    (part,) = _run("StridedSlice", masks, input=x, **where)
    np.testing.assert_array_equal(part, x[index])
    if dtype == "S":
        return
    (gradient,) = _run("StridedSliceGrad", masks, shape=_INT32(shape), dy=x[index], **where)
    expected = np.zeros_like(x)
    expected[index] = x[index]
    np.testing.assert_array_equal(gradient, expected)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("dtype", [np.float16, np.int64, bool, object])
def test_moves(seed, dtype):
    rng = np.random.default_rng(seed)
    rank = int(rng.integers(1, 5))
    x = rng.integers(0, 3, rng.integers(1, 4, rank))
    x = x.astype("S").astype(object) if dtype is object else x.astype(dtype)
    axis = int(rng.integers(-rank, rank))
    perm = rng.permutation(rank)
    times = rng.integers(0, 3, rank)
    pads = rng.integers(0, 3, (rank, 2))
    mirror = np.minimum(pads, np.array(x.shape)[:, None])
    rows = rng.integers(0, x.shape[axis], (2, 2))
    checks = [
        (_run("Transpose", x=x, perm=_INT32(perm)), x.transpose(perm)),
        (_run("Tile", input=x, multiples=_INT32(times)), np.tile(x, times)),
        (_run("ConcatV2", values=[x, x[::1]], axis=_INT32(axis)), np.concatenate([x, x], axis)),
        (_run("Pack", {"axis": axis}, values=[x, x]), np.stack([x, x], axis)),
        (_run("Pad", input=x, paddings=_INT32(pads)), np.pad(x, pads, constant_values=b"" if dtype is object else 0)),
        (_run("MirrorPad", {"mode": "SYMMETRIC"}, input=x, paddings=_INT32(mirror)), np.pad(x, mirror, "symmetric")),
        (_run("ReverseV2", tensor=x, axis=_INT32([axis])), np.flip(x, axis)),
        (_run("Roll", input=x, shift=_INT32(2), axis=_INT32(axis)), np.roll(x, 2, axis)),
        (_run("GatherV2", params=x, indices=_INT32(rows), axis=_INT32(axis)), np.take(x, rows, axis)),
        (_run("BroadcastTo", input=x, shape=_INT32([2, *x.shape])), np.broadcast_to(x, (2, *x.shape))),
        (_run("ExpandDims", input=x, axis=_INT32(axis)), np.expand_dims(x, axis)),
        (_run("Reshape", tensor=x, shape=_INT32([-1])), x.reshape(-1)),
    ]
    for (got,), expected in checks:
        np.testing.assert_array_equal(got, expected)
    for got, expected in zip(
        _run("Unpack", {"num": x.shape[axis], "axis": axis}, value=x), np.moveaxis(x, axis, 0), strict=True
    ):
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_split(axis):
    x = np.arange(24).reshape(4, 6)
    for got, expected in zip(
        _run("Split", {"num_split": 2}, axis=_INT32(axis), value=x), np.split(x, 2, axis), strict=True
    ):
        np.testing.assert_array_equal(got, expected)
    pieces = _run("SplitV", {"num_split": 3}, value=x, size_splits=_INT32([1, -1, 1]), axis=_INT32(axis))
    for got, expected in zip(pieces, np.split(x, [1, x.shape[axis] - 1], axis), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_where_unique_and_difference():
    x = np.array([[0, 3], [5, 0]])
    np.testing.assert_array_equal(_run("Where", condition=x)[0], np.argwhere(x))
    values, places = _run("Unique", x=np.array([b"b", b"a", b"b"], object))
    assert list(values) == [b"b", b"a"] and list(places) == [0, 1, 0]
    kept, places = _run("ListDiff", x=_INT32([1, 2, 3, 2]), y=_INT32([2]))
    assert list(kept) == [1, 3] and list(places) == [0, 2]


def test_space_and_batch_undo_each_other():
    x = np.arange(2 * 3 * 5).reshape(2, 3, 5).astype(np.float32)
    blocks, pads = _INT32([2, 3]), _INT32([[1, 0], [1, 0]])
    (packed,) = _run("SpaceToBatchND", input=x, block_shape=blocks, paddings=pads)
    assert packed.shape == (12, 2, 2)
    np.testing.assert_array_equal(_run("BatchToSpaceND", input=packed, block_shape=blocks, crops=pads)[0], x)
    image = np.arange(2 * 4 * 6 * 3).reshape(2, 4, 6, 3)
    (deep,) = _run("SpaceToDepth", {"block_size": 2}, input=image)
    np.testing.assert_array_equal(_run("DepthToSpace", {"block_size": 2}, input=deep)[0], image)


@pytest.mark.parametrize(
    "op, inputs, text",
    [
        (
            "Reshape",
            {"tensor": np.zeros(6), "shape": _INT32([4])},
            "Input to reshape is a tensor with 6 values, but the requested shape has 4",
        ),
        (
            "Slice",
            {"input": np.zeros(2), "begin": _INT32([3]), "size": _INT32([1])},
            "Expected begin[0] in [0, 2], but got 3",
        ),
        ("Transpose", {"x": np.zeros((2, 2)), "perm": _INT32([0, 0])}, "1 is missing from {0,0}"),
        (
            "GatherV2",
            {"params": np.zeros(3), "indices": _INT32([0, 5]), "axis": _INT32(0)},
            "indices[1] = 5 is not in [0, 3)",
        ),
        (
            "GatherNd",
            {"params": np.zeros((2, 2)), "indices": _INT32([[0, 5]])},
            "indices[0] = [0, 5] does not index into param shape [2,2]",
        ),
        ("InvertPermutation", {"x": _INT32([0, 0])}, "0 is duplicated in the input."),
    ],
)
def test_messages(op, inputs, text):
    with pytest.raises(Exception) as caught, Graph().as_default() as graph:
        feeds = {}
        for _name, value in inputs.items():
            feeds[placeholder(value.dtype)] = value
        output = getattr(raw_ops, op)(**dict(zip(inputs, feeds, strict=True)))
        with Session(graph=graph) as session:
            session.run(output, feeds)
    assert text in str(caught.value)


def test_tensor_scatter():
    x, indices, updates = np.zeros((2, 3)), _INT32([[0, 1], [1, 2], [0, 1]]), np.array([1.0, 2.0, 4.0])
    np.testing.assert_array_equal(
        _run("TensorScatterAdd", tensor=x, indices=indices, updates=updates)[0], [[0, 5, 0], [0, 0, 2]]
    )
    np.testing.assert_array_equal(
        _run("TensorScatterUpdate", tensor=x, indices=indices, updates=updates)[0], [[0, 4, 0], [0, 0, 2]]
    )


def test_string_transforms():
    x = np.array([b" Ab ", "é".encode()], object)
    assert list(_run("StringStrip", input=x)[0]) == [b"Ab", "é".encode()]
    assert list(_run("StringLower", input=x)[0]) == [b" ab ", "é".encode()]
    assert list(_run("StringUpper", input=x)[0]) == [b" AB ", "é".encode()]
    assert list(_run("StringLength", input=x)[0]) == [4, 2]
    assert list(_run("StringLength", {"unit": "UTF8_CHAR"}, input=x)[0]) == [4, 1]
