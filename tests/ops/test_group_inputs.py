"""`tf.group` accepts every kind of sequence that TensorFlow 1.15 accepts."""

import collections

import pytest

import tinytf as tf


@pytest.mark.parametrize(
    "kind",
    [
        lambda x: {"a": x}.values(),
        lambda x: collections.deque([x]),
        lambda x: collections.OrderedDict(a=[x]),
        lambda x: collections.namedtuple("Pair", "a b")(x, x),
        lambda x: [range(0), (x,)],
    ],
    ids=["values", "deque", "dict", "named", "range"],
)
def test_kinds(kind):
    x = tf.constant(1.0)
    assert set(tf.group(kind(x)).control_inputs) == {x.op}


def test_sparse_tensors():
    s = tf.SparseTensor([[0]], [1.0], [1])
    assert set(tf.group(s).control_inputs) == {s.indices.op, s.values.op, s.dense_shape.op}


@pytest.mark.parametrize("kind", [dict.keys, dict.items])
def test_texts_are_no_inputs(kind):
    with pytest.raises(TypeError, match=r"Expected tf.group\(\) expected Tensor arguments not 'a'"):
        tf.group(kind({"a": tf.constant(1.0)}))
