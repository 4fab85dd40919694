"""Imported branches and loops of functions have the same gradients as where they were built, and as in TensorFlow
1.15 if it supports them.
"""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from imported_gradients import RECORDED, derivatives, graphs, imported_gradients
from v2_control_flow_programs import built, programs

import tinytf as tf
from tinytf.python.framework.function import Defun

GRAPHS = graphs()
OF_1_15 = json.loads(RECORDED.read_text())
WAYS = {"compiled": tf.ConfigProto(), "by tokens": tf.ConfigProto()}
WAYS["by tokens"].graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0


@pytest.fixture
def v2():
    tf.enable_control_flow_v2()
    yield
    tf.disable_control_flow_v2()


def test_most_are_recorded():
    assert OF_1_15.keys() == GRAPHS.keys()
    assert sum(of_1_15 is not None for of_1_15 in OF_1_15.values()) >= 9


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [name for name in GRAPHS if OF_1_15[name] is not None])
def test_gradients_of_tensorflows_graphs(name, way):
    there, values = imported_gradients(tf, GRAPHS[name], WAYS[way])
    assert there == OF_1_15[name][0]
    np.testing.assert_allclose(values, OF_1_15[name][1], 1e-4, 1e-35)


@pytest.mark.parametrize("name", GRAPHS)
def test_gradients_are_those_of_where_it_was_built(name, v2):
    program = programs(tf)[name]
    with tf.Graph().as_default(), tf.Session() as session:
        feeds, inputs, fetches = program()
        _, found = derivatives(tf, fetches, inputs)
        wanted = [[float(v.sum()) for v in session.run(found, feed)] for feed in feeds]
    graph, inputs, fetches, feeds, _ = built(tf, programs(tf)[name])
    text = base64.b64encode(graph.SerializeToString())
    record = {"graph": text, "inputs": inputs, "fetches": fetches, "feeds": feeds}
    np.testing.assert_allclose(imported_gradients(tf, record)[1], wanted, 1e-4, 1e-35)
    np.testing.assert_allclose(imported_gradients(tf, GRAPHS[name])[1], wanted, 1e-4, 1e-35)


def _elsewhere(build):
    """A graph imported from the GraphDef of what `build` builds."""
    with tf.Graph().as_default() as first:
        build()
    return _imported(first)


def _imported(other):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(other.as_graph_def(), name="")
    return graph


def test_effects_of_a_branch_happen_once(v2):
    def build():
        x, taken = tf.placeholder(tf.float32, [], "x"), tf.placeholder(tf.bool, [], "taken")
        v = tf.get_variable("v", initializer=1.0, use_resource=True)
        tf.identity(tf.cond(taken, lambda: x * x * v.assign_add(1.0), lambda: x), name="y")

    graph = _elsewhere(build)
    with graph.as_default(), tf.Session() as session:
        slope = tf.gradients(graph.get_tensor_by_name("y:0"), graph.get_tensor_by_name("x:0"))[0]
        session.run("v/Assign")
        assert [session.run(slope, {"x:0": 3.0, "taken:0": taken}) for taken in (True, False, True)] == [12, 1, 18]
        assert session.run("v/Read/ReadVariableOp:0") == 3


def test_the_gradient_goes_on_and_elsewhere(v2):
    def build():
        x = tf.placeholder(tf.float32, [], "x")
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.cond(i > 1, lambda: y, lambda: y * y)), [0, x])[1]
        tf.identity(y, name="y")  # x ** 4

    graph, before = _elsewhere(build), "y:0"
    for order, wanted in enumerate((32.0, 48.0, 48.0)):
        with graph.as_default(), tf.Session() as session:
            slope = tf.gradients(graph.get_tensor_by_name(before), graph.get_tensor_by_name("x:0"))[0]
            assert session.run(slope, {"x:0": 2.0}) == wanted
            before = tf.identity(slope, name=f"d{order}").name
        graph = _imported(graph)


def test_branches_that_were_built_as_other_functions():
    x, i = tf.placeholder(tf.float32, []), tf.placeholder(tf.int32, [])
    square, sine = Defun(tf.float32)(lambda x: x * x), Defun(tf.float32)(lambda x: tf.sin(x))
    for function in (square, sine):
        function.add_to_graph(tf.get_default_graph())
    node = tf.raw_ops.Case(branch_index=i, input=[x], Tout=[tf.float32], branches=[square, sine], output_shapes=[[]])
    slope = tf.gradients(node[0], x)[0]
    with tf.Session() as session:
        assert [session.run(slope, {x: 0.0, i: number}) for number in (0, 1)] == [0, 1]


def test_calls_in_plain_graphs_of_functions_with_such_nodes_have_none(v2):
    def build():
        x = tf.placeholder(tf.float32, [], "x")
        tf.identity(tf.function(lambda x: tf.cond(x > 0, lambda: x * x, lambda: x), autograph=False)(x), name="y")

    graph = _elsewhere(build)
    with graph.as_default(), tf.Session() as session:
        slope = tf.gradients(graph.get_tensor_by_name("y:0"), graph.get_tensor_by_name("x:0"))[0]
        # In TensorFlow the error message is: No gradient defined for op: StatelessIf.
        with pytest.raises(
            tf.errors.UnimplementedError, match=r"No gradient defined for operation 'cond' \(op type: State"
        ):
            session.run(slope, {"x:0": 1.0})


def test_loops_that_do_not_count_have_none():
    x = tf.placeholder(tf.float32, [])
    less, twice = Defun(tf.float32)(lambda x: x < 9.0), Defun(tf.float32)(lambda x: x + x)
    for function in (less, twice):
        function.add_to_graph(tf.get_default_graph())
    node = tf.raw_ops.While(input=[x], cond=less, body=twice, output_shapes=[[]])
    with pytest.raises(LookupError, match=r"op type: While\): its first loop variable is not an iteration counter.$"):
        tf.gradients(node[0], x)


@pytest.mark.oracle
def test_the_gradients_are_1_15s(oracle1):
    folder = Path(__file__).parent
    ask = f"import sys\nsys.path.insert(0, {str(folder)!r})\nfrom tensorflow.python.ops import while_v2\n"
    ask += "from imported_gradients import _outcome, graphs\n"
    assert oracle1(ask + "result = {name: _outcome(tf, one) for name, one in graphs().items()}") == OF_1_15
