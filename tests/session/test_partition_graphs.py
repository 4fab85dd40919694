"""`RunMetadata.partition_graphs` contains the part of the graph needed by a run, between `_Arg` and `_Retval` nodes."""

from collections import defaultdict

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.profiler.partition_graphs import fill_partition_graphs

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def _model():
    """A model with a split, control dependencies on a placeholder and an operation, a variable, and nodes that no
    run needs.
    """
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    unused = tf.placeholder(tf.float32, [], name="u")
    left, right = tf.split(x, 2, axis=1, name="halves")
    v = tf.Variable(1.0, name="v")
    with tf.control_dependencies([x, left.op, unused]):
        y = tf.multiply(left, right, name="y")
    z = tf.multiply(y, v, name="z")
    tf.negative(z, name="not_needed")
    return {"x": x, "u": unused, "right": right, "v": v._ref(), "z": z, "t": tf.no_op("t"), "y": y}


def _graph(feeds, fetches, targets=()):
    metadata = tf.RunMetadata()
    fill_partition_graphs(metadata, tf.get_default_graph(), feeds, fetches, targets, defaultdict(lambda: CPU))
    (message,) = metadata.partition_graphs
    assert {node.device for node in message.node} == {CPU}
    assert message.versions == tf.get_default_graph().graph_def_versions
    return {node.name: node for node in message.node}


def test_feeds_and_fetches_bound_the_graph():
    m = _model()
    nodes = _graph([m["x"], m["u"], m["right"]], [m["z"], m["v"]], [m["t"]])
    assert {name: (node.op, list(node.input)) for name, node in nodes.items()} == {
        "_arg_halves_1_0": ("_Arg", []),
        "_arg_u_0_1": ("_Arg", []),
        "_arg_x_0_2": ("_Arg", []),
        "halves/split_dim": ("Const", []),
        "halves": ("Split", ["halves/split_dim", "_arg_x_0_2"]),
        "v": ("VariableV2", []),
        "v/read": ("Identity", ["v"]),
        "y": ("Mul", ["halves", "_arg_halves_1_0", "^_arg_u_0_1", "^_arg_x_0_2"]),
        "z": ("Mul", ["y", "v/read"]),
        "t": ("NoOp", []),
        "_retval_v_0_0": ("_Retval", ["v"]),
        "_retval_z_0_1": ("_Retval", ["z"]),
    }
    arg, retval = nodes["_arg_x_0_2"], nodes["_retval_v_0_0"]
    assert (arg.attr["T"].type, arg.attr["index"].i) == (tf.float32.as_datatype_enum, 2)
    assert (retval.attr["T"].type, retval.attr["index"].i) == (tf.float32.as_datatype_enum, 0)


def test_what_a_feed_hides_is_left_out():
    m = _model()
    assert list(_graph([m["y"], m["x"]], [m["z"]])) == ["_arg_y_0_1", "v", "v/read", "z", "_retval_z_0_0"]


@pytest.mark.oracle
def test_nodes_are_tensorflows(oracle):
    m = _model()
    program = """
config = tf.ConfigProto()
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
tf.import_graph_def(tf.GraphDef.FromString(graph), name="")
result = []
with tf.Session(config=config) as sess:
    sess.run("v/Assign")
    for feeds, fetches, targets in calls:
        metadata = tf.RunMetadata()
        options = tf.RunOptions(output_partition_graphs=True)
        targets = [sess.graph.get_operation_by_name(name) for name in targets]
        sess.run([fetches, targets], feeds, options, metadata)
        (message,) = metadata.partition_graphs
        result.append({
            node.name: (node.op, list(node.input), node.device, node.attr["T"].type, node.attr["index"].i)
            for node in message.node
        })
"""
    calls = [
        ({"x": np.ones([1, 2]), "u": 1.0, "right": [[3.0]]}, ["z", "v"], ["t"]),
        ({"x": np.ones([1, 2]), "u": 1.0}, ["y"], []),
        ({"y": [[2.0]], "u": 1.0}, ["z"], []),
        ({"v": 5.0, "y": [[2.0]]}, ["z"], ["t"]),
    ]
    named = [
        ({m[f].name: v for f, v in feeds.items()}, [m[f].name for f in fetches], list(targets))
        for feeds, fetches, targets in calls
    ]
    graph = tf.get_default_graph().as_graph_def().SerializeToString()
    for (feeds, fetches, targets), expected in zip(calls, oracle(program, graph=graph, calls=named), strict=True):
        found = _graph([m[f] for f in feeds], [m[f] for f in fetches], [m[f] for f in targets])
        for node in found.values():
            node.input[:] = sorted(node.input, key=lambda name: name[0] == "^")
        assert {
            name: (node.op, list(node.input), node.device, node.attr["T"].type, node.attr["index"].i)
            for name, node in found.items()
        } == expected
