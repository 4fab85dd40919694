"""Rows of ops that parse Examples and SequenceExamples."""

import numpy as np
from op_table import fixed_row

from tinytf._src import protos
from tinytf._src.framework.values import dtypes


def _i(values):
    return np.array(values, np.int64)


def _example(**features):
    """A serialized Example of ints, floats or bytes."""
    message = protos.Example()
    for key, values in features.items():
        _add(message.features.feature[key], values)
    return message.SerializeToString()


def _add(feature, values):
    kind = {int: "int64_list", float: "float_list", bytes: "bytes_list"}[type(values[0])]
    getattr(feature, kind).value.extend(values)


def _sequence(context, **lists):
    message = protos.SequenceExample()
    for key, values in context.items():
        _add(message.context.feature[key], values)
    for key, steps in lists.items():
        for step in steps:
            _add(message.feature_lists.feature_list[key].feature.add(), step)
    return message.SerializeToString()


# TensorFlow does not pack the integers of an Example from JSON.
_JSON = b"\n\r\n\x0b\n\x01a\x12\x06\x1a\x04\x08\x01\x08\x02"
_EXAMPLES = [_example(a=[1, 2], b=[0.5], c=[b"x"]), _example(a=[3, 4], b=[1.5, 2.5])]
_TYPES = {"sparse_types": [dtypes.float32, dtypes.string], "dense_shapes": [[2]]}
_X = np.array([b"x"], object)

_SEQUENCE = _sequence({"a": [7], "c": [b"x", b"y"]}, f=[[1, 2], [3, 4]], g=[[0.5], [1.5, 2.5]])
_XY, _G, _F = np.array([b"x", b"y"], object), np.float32([0.5, 1.5, 2.5]), _i([[1, 2], [3, 4]])
_LISTS = {
    "context_sparse_types": [dtypes.string],
    "feature_list_dense_types": [dtypes.int64],
    "feature_list_dense_shapes": [[2]],
    "feature_list_sparse_types": [dtypes.float32],
    "context_dense_shapes": [[1]],
}
_KEYS = {
    "feature_list_dense_missing_assumed_empty": [],
    "context_sparse_keys": ["c"],
    "context_dense_keys": ["a"],
    "feature_list_sparse_keys": ["g"],
    "feature_list_dense_keys": ["f"],
    "Ncontext_sparse": 1,
    "Ncontext_dense": 1,
    "Nfeature_list_sparse": 1,
    "Nfeature_list_dense": 1,
}

ROWS = [
    fixed_row(
        "DecodeJSONExample",
        [[b'{"features": {"feature": {"a": {"int64_list": {"value": [1, 2]}}}}}', b"{}"]],
        [_JSON, b""],
    ),
    fixed_row(
        "ParseExample",
        [_EXAMPLES, [b"n", b"m"], (b"b", b"c"), (b"a",), (_i([]),)],
        (
            *(_i([[0, 0], [1, 0], [1, 1]]), _i([[0, 0]])),
            *(np.float32([0.5, 1.5, 2.5]), _X),
            *(_i([2, 2]), _i([2, 1]), _i([[1, 2], [3, 4]])),
        ),
        _TYPES,
        dynamic=True,
    ),
    fixed_row(
        "ParseSingleExample",
        [_EXAMPLES[0], (_i([]),)],
        (_i([[0]]), _i([[0]]), np.float32([0.5]), _X, _i([1]), _i([1]), _i([1, 2])),
        {**_TYPES, "num_sparse": 2, "sparse_keys": ["b", "c"], "dense_keys": ["a"]},
        dynamic=True,
    ),
    fixed_row(
        "ParseSingleSequenceExample",
        [_SEQUENCE, np.array([], object), (b"c",), (b"a",), (b"g",), (b"f",), (_i([]),), b"n"],
        (_i([[0], [1]]), _XY, _i([2]), _i([7]), _i([[0, 0], [1, 0], [1, 1]]), _G, _i([2, 2]), _F),
        _LISTS,
        dynamic=True,
    ),
    fixed_row(
        "ParseSequenceExample",
        [[_SEQUENCE], [b"n"], (_i([]),)],
        (
            *(_i([[0, 0], [0, 1]]), _XY, _i([1, 2]), _i([[7]])),
            *(_i([[0, 0, 0], [0, 1, 0], [0, 1, 1]]), _G, _i([1, 2, 2]), _F[None], _i([2])),
        ),
        {**_LISTS, **_KEYS},
        dynamic=True,
    ),
]
