"""Exported subgraphs whose unbound inputs are given at import."""

import tinytf as tf
from tinytf.python.framework import meta_graph


def test_an_input_that_two_nodes_take_can_be_given():
    """TensorFlow counts the input twice and refuses it."""
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.name_scope("h"):
        tf.add(x, x, name="y")
    part, _ = meta_graph.export_scoped_meta_graph(export_scope="h")
    with tf.Graph().as_default(), tf.Session() as sess:
        given = {"$unbound_inputs_x": tf.constant([1.0, 2.0])}
        meta_graph.import_scoped_meta_graph(part, input_map=given)
        assert sess.run("y:0").tolist() == [2.0, 4.0]
