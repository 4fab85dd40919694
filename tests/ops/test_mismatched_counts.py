"""Attrs that count the features of a parser must agree with its lists of keys, types and shapes, eagerly too, where no
shape function runs. The messages are those of TensorFlow 1.15.5.
"""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.declarations.op_spec import op_spec

_NO_DEFAULT = np.zeros([0], np.int64)
_KINDS = ("context_sparse", "context_dense", "feature_list_sparse", "feature_list_dense")
_DENSE = {"dense_keys": 0, "Tdense": 0, "dense_shapes": 0}


def _message(op, inputs, attrs):
    with tf.EagerSession(), pytest.raises(tf.errors.InvalidArgumentError) as raised:
        apply_op(op_spec(op), None, tuple(inputs), attrs)
    return raised.value.message


def _in_graph(op, inputs, attrs):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=" for '") as raised:
        apply_op(op_spec(op), None, tuple(inputs), attrs)
    return str(raised.value).partition(" for '")[0]


def _check(op, inputs, attrs, message):
    assert message in _message(op, inputs, attrs)
    assert _in_graph(op, inputs, attrs) == message


def _types(count):
    return [tf.int64] * count


def _keys(count):
    return ["a", "b"][:count]


@pytest.mark.parametrize(
    ("number", "keys", "types"), [(0, 1, 1), (1, 0, 1), (1, 1, 0), (2, 2, 1), (2, 1, 2), (0, 0, 1)]
)
def test_sparse_features_of_one_example(number, keys, types):
    attrs = {"num_sparse": number, "sparse_keys": _keys(keys), "sparse_types": _types(types)}
    message = f"num_sparse ({number}) must match the size of sparse_keys ({keys}) and sparse_types ({types})"
    _check("ParseSingleExample", [b"", []], {**attrs, **dict.fromkeys(_DENSE, [])}, message)


_DENSE_COUNTS = [
    (0, 1, 1, "types"),
    (1, 0, 0, "types"),
    (1, 0, 1, "types"),
    (0, 1, 0, "types"),
    (1, 1, 0, "shapes"),
    (1, 1, 2, "shapes"),
]


@pytest.mark.parametrize(("keys", "types", "shapes", "wrong"), _DENSE_COUNTS)
def test_dense_features_of_examples(keys, types, shapes, wrong):
    message, defaults = f"len(dense_keys) != len(dense_{wrong})", [_NO_DEFAULT] * types
    attrs = {"sparse_types": [], "dense_shapes": [[2]] * shapes}
    single = {"num_sparse": 0, "sparse_keys": [], "dense_keys": _keys(keys), **attrs}
    _check("ParseSingleExample", [b"", defaults], single, message)
    _check("ParseExample", [[b""], np.array([], object), [], _keys(keys), defaults], attrs, message)


@pytest.mark.parametrize(("keys", "types"), [(1, 0), (0, 1), (1, 2)])
def test_sparse_features_of_examples(keys, types):
    attrs = {"sparse_types": _types(types), "dense_shapes": []}
    inputs = [[b""], np.array([], object), _keys(keys), [], []]
    _check("ParseExample", inputs, attrs, "len(sparse_keys) != len(sparse_types)")


def _sequence(kind, number, keys, types, shapes):
    """The inputs and attrs of ParseSingleSequenceExample and ParseSequenceExample with features of one kind."""
    counts = dict.fromkeys(_KINDS, (0, 0, 0, 0)) | {kind: (number, keys, types, shapes)}
    type_attrs = {name: "Tcontext_dense" if name == "context_dense" else f"{name}_types" for name in _KINDS}
    attrs = {type_attrs[name]: _types(of[2]) for name, of in counts.items() if name != "context_dense"}
    attrs |= {f"{name}_shapes": [[2]] * of[3] for name, of in counts.items() if name.endswith("dense")}
    defaults = [_NO_DEFAULT] * counts["context_dense"][2]
    none, key_lists = np.array([], object), [_keys(of[0]) for of in counts.values()]
    single = [b"", none, *key_lists, defaults, b"n"], attrs
    numbers = {f"N{name}": of[0] for name, of in counts.items()}
    key_attrs = {f"{name}_keys": _keys(of[1]) for name, of in counts.items()}
    batch = {**attrs, **numbers, **key_attrs, "feature_list_dense_missing_assumed_empty": []}
    return single, ([[b""], none, defaults], batch)


@pytest.mark.parametrize("kind", ["context_sparse", "feature_list_sparse"])
@pytest.mark.parametrize(("number", "keys", "types"), [(0, 1, 1), (1, 1, 0), (1, 2, 1), (1, 0, 1), (2, 2, 1)])
def test_sparse_features_of_sequences(kind, number, keys, types):
    (inputs, attrs), batch = _sequence(kind, number, keys, types, 0)
    if number != types:
        _check("ParseSingleSequenceExample", inputs, attrs, f"len({kind}_keys) != len({kind}_types)")
    sizes = f"{kind}_keys ({keys}) and {kind}_types ({types})"
    _check("ParseSequenceExample", *batch, f"num_{kind} ({number}) must match the size of {sizes}")


@pytest.mark.parametrize("kind", ["context_dense", "feature_list_dense"])
@pytest.mark.parametrize(
    ("number", "keys", "types", "shapes"),
    [(0, 1, 1, 1), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 2), (1, 0, 1, 1), (2, 2, 1, 2)],
)
def test_dense_features_of_sequences(kind, number, keys, types, shapes):
    (inputs, attrs), batch = _sequence(kind, number, keys, types, shapes)
    if number != types or number != shapes:
        wrong = "types" if number != types else "shapes"
        _check("ParseSingleSequenceExample", inputs, attrs, f"len({kind}_keys) != len({kind}_{wrong})")
    sizes = f"{kind}_keys ({keys}), {kind}_types ({types}) and {kind}_shapes ({shapes})"
    _check("ParseSequenceExample", *batch, f"num_{kind} ({number}) must match the size of {sizes}")


@pytest.mark.parametrize("kind", ["context_dense", "feature_list_dense"])
def test_shapes_of_sequences_must_be_known(kind):
    (inputs, attrs), (batch_inputs, batch) = _sequence(kind, 1, 1, 1, 1)
    unknown = {f"{kind}_shapes": [[None]]}
    _check("ParseSingleSequenceExample", inputs, attrs | unknown, "Shape [?] is not fully defined")
    _check("ParseSequenceExample", batch_inputs, batch | unknown, "Shape [?] is not fully defined")
