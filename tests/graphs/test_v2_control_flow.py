"""Functional control flow: nodes If, Case and While run as in TensorFlow 1.15, whether built here or there."""

import base64
import gzip
import json

import numpy as np
import pytest
from v2_control_flow_programs import RECORDED, built, programs

import tinytf as tf
from tinytf._src import protos

PROGRAMS = programs(tf)
OF_1_15 = json.loads(gzip.decompress(RECORDED.read_bytes()))
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
WAYS = {"compiled": tf.ConfigProto(), "by tokens": BY_TOKENS}


@pytest.fixture
def v2():
    tf.enable_control_flow_v2()
    yield
    tf.disable_control_flow_v2()


def test_all_programs_are_recorded():
    assert OF_1_15.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name, v2):
    graph, inputs, _, feeds, values = built(tf, PROGRAMS[name])
    assert tf.control_flow_v2_enabled()
    assert {"If", "StatelessIf", "Case", "While", "StatelessWhile"} & {node.op for node in graph.node}
    assert not {"Switch", "Merge", "Enter"} & {node.op for node in graph.node}
    np.testing.assert_allclose(values, OF_1_15[name]["values"], 1e-4, 1e-35)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "a_switch"])
def test_primitives_yield_the_same(name):
    if name == "second_derivatives_of_a_loop":  # TensorFlow's primitives have no second derivative here
        with pytest.raises(TypeError, match="Second-order gradient for while loops not supported."):
            built(tf, PROGRAMS[name])
        return
    np.testing.assert_allclose(built(tf, PROGRAMS[name])[-1], OF_1_15[name]["values"], 1e-4, 1e-35)


def _run(tf, record, graph, config):
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        tf.import_graph_def(graph, name="")
        return [[float(v.sum()) for v in session.run(record["fetches"], feed)] for feed in record["feeds"]]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_graphs_of_tensorflow(name, way):
    graph = tf.GraphDef.FromString(base64.b64decode(OF_1_15[name]["graph"]))
    np.testing.assert_allclose(_run(tf, OF_1_15[name], graph, WAYS[way]), OF_1_15[name]["values"], 1e-4, 1e-35)


def test_gradients_of_loops_that_begin_anew_depend_on_whether_they_run(v2):
    n, x = tf.placeholder(tf.int32, []), tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.constant(2.0)), [0, x])[1]
    slope = tf.gradients(y, x)[0]
    with tf.Session() as session:
        assert [session.run(slope, {n: count, x: 1.0}) for count in (0, 1, 3)] == [1, 0, 0]


@pytest.mark.oracle
@pytest.mark.parametrize("name", PROGRAMS)
def test_tensorflow_runs_graphs_of_this(name, v2, oracle1):
    graph, _, fetches, feeds, values = built(tf, PROGRAMS[name])
    text = base64.b64encode(graph.SerializeToString()).decode()
    ask = f"""
import base64
graph = tf.GraphDef.FromString(base64.b64decode({text!r}))
tf.import_graph_def(graph, name="")
with tf.Session() as session:
    result = [[float(v.sum()) for v in session.run({fetches!r}, feed)] for feed in {feeds!r}]
"""
    np.testing.assert_allclose(oracle1(ask), values, 1e-4, 1e-35)
