"""Graphs in which a program may make ops that TensorFlow has taken back."""

import tinytf as tf


def make_early(version):
    """Makes the default graph one of GraphDefs of this version, by an import of one that has no nodes."""
    tf.import_graph_def(tf.GraphDef(versions={"producer": version}))
