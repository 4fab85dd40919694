"""Ops that TensorFlow has removed can be created only in early graphs, where they run."""

import numpy as np
import pytest
from early_graphs import make_early

import tinytf as tf
from tinytf import _core

REMOVED = sorted(op for op in _core.op_names() if _core.op_def(op)["is_removed"])


@pytest.mark.parametrize(
    ("k", "values", "indices"), [(0, [], []), (2, [[5, 3]], [[1, 3]]), (4, [[5, 3, 2, 1]], [[1, 3, 2, 0]])]
)
def test_top_k_of_early_graphs(k, values, indices):
    make_early(6)
    top = tf.raw_ops.TopK(input=tf.constant([[1.0, 5.0, 2.0, 3.0]]), k=k)
    assert top.values.shape.as_list() == [1, k]
    with tf.Session() as sess:
        found = sess.run(top)
    np.testing.assert_array_equal(found.values, np.reshape(values, (1, k)))
    np.testing.assert_array_equal(found.indices, np.reshape(indices, (1, k)))


@pytest.mark.parametrize("k", [5, 2**31 - 1, 2**62])
def test_top_k_of_too_many(k):
    make_early(6)
    with pytest.raises(ValueError, match="k"):
        tf.raw_ops.TopK(input=tf.constant([1.0, 5.0]), k=k)


def test_gradients_of_early_ops():
    make_early(6)
    x = tf.constant([1.0, 5.0, 2.0])
    gradient = tf.gradients(tf.raw_ops.TopK(input=x, k=2).values, x)[0]
    with tf.Session() as sess:
        assert sess.run(gradient).tolist() == [0, 1, 1]


def test_removed_ops_are_known():
    assert {"TopK", "TensorArray", "TensorArrayV2", "TextLineReader", "PlaceholderV2"} <= set(REMOVED)


@pytest.mark.parametrize("op", REMOVED)
def test_no_new_graph_has_them(op):
    graph = tf.get_default_graph()
    with pytest.raises(tf.errors.UnimplementedError, match=f"^Op {op} is not available in GraphDef version 134"):
        graph.create_op(op, [])
    assert not graph.get_operations()


def test_eager_execution_has_them_no_more():
    with tf.EagerSession(), pytest.raises(tf.errors.UnimplementedError, match=r"^Op TopK is .* instead\. \[Op:TopK\]"):
        tf.raw_ops.TopK(input=tf.constant([1.0]), k=1)


def test_an_import_that_fails_leaves_the_version():
    graph_def = tf.GraphDef(versions={"producer": 6}, node=[{"name": "x", "op": "NoSuchOp"}])
    with pytest.raises(tf.errors.NotFoundError), tf.experimental.strict_imports():
        tf.import_graph_def(graph_def)
    with pytest.raises(NotImplementedError, match="Op TopK"):
        tf.raw_ops.TopK(input=tf.constant([1.0]), k=1)
