"""`tf.graph_util`: subgraphs, and variables converted to constants, as in TensorFlow 1.15."""

import pytest

import tinytf as tf


def _model():
    x = tf.placeholder(tf.float32, [2], name="x")
    plain = tf.Variable([1.0, 2.0], name="plain")
    resource = tf.Variable([3.0, 4.0], name="resource", use_resource=True)
    return tf.add(x * plain, resource, name="y")


def test_variables_that_are_not_frozen_are_still_read():
    """Variables that are not frozen are still read; TensorFlow replaces their reads by Identity."""
    _model()
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        frozen = tf.graph_util.convert_variables_to_constants(
            sess, graph_def, ["y"], variable_names_whitelist=["plain"]
        )
    ops = {node.name: node.op for node in frozen.node}
    assert ops["plain"] == "Const" and ops["resource"] == "VarHandleOp" and ops["y/ReadVariableOp"] == "ReadVariableOp"


def test_variables_without_values():
    _model()
    with tf.Session() as sess, pytest.raises(tf.errors.FailedPreconditionError):
        tf.graph_util.convert_variables_to_constants(sess, tf.get_default_graph().as_graph_def(), ["y"])


@pytest.mark.oracle
def test_frozen_graphs_run_in_tensorflow(oracle1, tmp_path):
    _model()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        graph_def = tf.get_default_graph().as_graph_def()
        frozen = tf.graph_util.convert_variables_to_constants(sess, graph_def, ["y"])
    tf.train.write_graph(frozen, str(tmp_path), "frozen.pb", as_text=False)
    source = """
graph_def = tf.GraphDef.FromString(tf.gfile.GFile(path, "rb").read())
tf.import_graph_def(graph_def, name="")
with tf.Session() as sess:
    result = sess.run("y:0", {"x:0": [1.0, 1.0]}).tolist()
"""
    assert oracle1(source, path=str(tmp_path / "frozen.pb")) == [4.0, 6.0]
