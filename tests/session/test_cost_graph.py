"""`RunMetadata.cost_graph` contains the costs of the nodes of a traced step, and is filled only for the requested
steps.
"""

from collections import defaultdict

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.profiler.cost_graph import fill_cost_graph, is_cost_model_due

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def _costs(nodes):
    metadata = tf.RunMetadata()
    metadata.cost_graph.node.add(name="of an earlier step")
    fill_cost_graph(metadata, tf.get_default_graph(), nodes, defaultdict(lambda: CPU))
    return {node.name: node for node in metadata.cost_graph.node}


def test_nodes_of_a_step():
    x = tf.placeholder(tf.float32, [None, 256], name="x")
    y = tf.transpose(x, name="y")
    with tf.control_dependencies([y]):
        z = tf.matmul(x, y, name="z")
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    with tf.Session(config=tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=1))) as sess:
        sess.run(z, {x: np.ones([300, 256])}, options, metadata)
    costs = {node.name: node for node in metadata.cost_graph.node}
    assert [(node.name, node.id, node.device) for node in costs.values()] == [("y", 0, CPU), ("z", 1, CPU)]
    assert not costs["y"].input_info  # x is fed and the permutation is folded
    (source,) = costs["z"].input_info
    assert (source.preceding_node, source.preceding_port) == (0, 0)
    (output,) = costs["z"].output_info
    assert (output.size, output.dtype, output.alias_input_port) == (360_000, tf.float32.as_datatype_enum, -1)
    assert [dim.size for dim in output.shape.dim] == [300, 300]
    spans = {node.node_name: node.op_end_rel_micros for node in metadata.step_stats.dev_stats[0].node_stats}
    assert costs["z"].compute_cost == spans["z"] > 0


def test_a_node_that_ran_several_times_counts_once():
    first = tf.constant(1.0, name="first")
    parts, _ = tf.split(tf.zeros([2, 2], name="value"), 2, name="parts")
    parts.op._add_control_input(first.op)
    nodes = [
        ("first", 0, 1000, 1, [(0, 1, [], 4)], ""),
        ("parts", 0, 5000, 1, [(0, 1, [2, 1], 8)], ""),
        ("parts", 9000, 18_999, 1, [(0, 1, [3, 2], 24)], ""),
        ("parts", 20_000, 21_000, 1, [(0, 1, [1, 1], 4)], ""),
    ]
    parts = _costs(nodes)["parts"]
    assert parts.compute_cost == 9
    assert parts.control_input == [0]
    assert [info.size for info in parts.output_info] == [24, 0]  # the second output was dead
    assert [dim.size for dim in parts.output_info[0].shape.dim] == [3, 2]
    assert parts.output_info[1].shape.unknown_rank


@pytest.mark.parametrize(
    ("every", "after", "due"), [(0, 0, []), (1, 0, [0, 1, 2, 3, 4, 5]), (2, 0, [1, 3, 5]), (2, 3, [4]), (1, 4, [4, 5])]
)
def test_steps_that_are_due(every, after, due):
    config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=every, build_cost_model_after=after))
    assert [step for step in range(6) if is_cost_model_due(config, step)] == due


def test_no_config_asks_for_nothing():
    assert not is_cost_model_due(None, 0)


def test_steps_that_could_not_be_prepared_do_not_count():
    one = tf.placeholder(tf.float32, [])
    with tf.device("/gpu:0"):
        x = tf.identity(one, name="x")
    options = tf.GraphOptions(build_cost_model=1, build_cost_model_after=1, place_pruned_graph=True)
    metadata = tf.RunMetadata()
    with tf.Session(config=tf.ConfigProto(graph_options=options)) as sess:
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="operation x: "):
                sess.run(x, {one: 1}, run_metadata=metadata)
        x.op._set_device("")
        counted = []
        for _ in range(3):
            assert sess.run(x, {one: 1}, run_metadata=metadata) == 1
            counted.append(metadata.HasField("cost_graph"))
    assert counted == [False, True, True]
