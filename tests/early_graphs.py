"""Graphs of an early GraphDef version, in which programs can create ops that TensorFlow has removed."""

import tinytf as tf


def make_early(version):
    """Gives the default graph this GraphDef version by importing a GraphDef without nodes."""
    tf.import_graph_def(tf.GraphDef(versions={"producer": version}))
