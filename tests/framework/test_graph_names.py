"""Names, ids and graphs of new operations, on which saved graphs, default seeds and messages depend."""

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture
def graph():
    return tf.get_default_graph()


@pytest.fixture
def foreign():
    """A tensor in another graph."""
    with tf.Graph().as_default():
        return tf.constant(2, name="foreign")


def _text(kind, call, *arguments):
    with pytest.raises(kind) as caught:
        call(*arguments)
    return str(caught.value)


def _enter(*arguments, **keywords):
    tf.name_scope(*arguments, **keywords).__enter__()


def test_ids_count_the_operations_of_the_graph(graph):
    ops = [tf.no_op(), tf.constant(1).op, tf.random_uniform([2]).op]
    assert [op._id for op in graph.get_operations()] == list(range(1, 10))
    assert [op._id for op in ops] == [1, 2, 9] and graph.version == 9
    with tf.Graph().as_default():
        assert tf.no_op()._id == 1


# -- Names of operations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a", "0", ".a", "A-b.c_d/e", "a/-b"])
def test_good_names(graph, name):
    assert graph.create_op("NoOp", [], [], name=name).name == name


@pytest.mark.parametrize("name", ["_a", "-a", "/a", "a b", "a:0", "a\n", "ä", "a\\"])
def test_bad_names(graph, name):
    text = _text(ValueError, lambda: graph.create_op("NoOp", [], [], name=name))
    assert text == f"'{name}' is not a valid node name"


@pytest.mark.parametrize("name", ["_a", "-a", "/a", "a b", "a:0", "ä"])
def test_bad_scopes_at_the_root(name):
    assert _text(ValueError, _enter, name) == f"'{name}' is not a valid scope name"


def test_scopes_below_the_root_may_begin_with_anything():
    with tf.name_scope("outer"):
        for name in ("_a", "-a", "/a", "..a"):
            with tf.name_scope(name) as scope:
                assert scope == f"outer/{name}/"
        for name in ("a b", "a:0", "ä"):
            assert _text(ValueError, _enter, name) == f"'{name}' is not a valid scope name"


def test_upper_and_lower_case_are_one_name(graph):
    names = [graph.unique_name(name) for name in ["u", "u", "u_1", "U", "u_1", "u", "U_2"]]
    assert names == ["u", "u_1", "u_1_1", "U_2", "u_1_2", "u_3", "U_2_1"]
    assert [tf.no_op(name=name).name for name in ["Case", "case", "CASE"]] == ["Case", "case_1", "CASE_2"]
    assert [graph.unique_name("w", mark_as_used=False) for _ in range(2)] == ["w", "w"]
    assert graph.unique_name("u", mark_as_used=False) == graph.unique_name("u") == "u_4"


def test_scopes_and_operations_share_names():
    assert tf.no_op(name="a").name == "a"
    with tf.name_scope("A") as scope:
        assert scope == "A_1/"
        with tf.name_scope("") as root:
            assert root == "" and tf.no_op(name="b").name == "b"
        with tf.name_scope("c/d") as inner:
            assert inner == "A_1/c/d/"
            assert tf.no_op(name=inner).name == "A_1/c/d"
            assert tf.no_op(name="e").name == "A_1/c/d/e"
    with tf.name_scope("A_1/") as again:
        assert again == "A_1/" and tf.no_op(name="c/d").name == "A_1/c/d_1"
    assert tf.no_op(name="a_1").name == "a_1_1"


# -- Choice of the graph -----------------------------------------------------------------------------------------------


def test_operations_go_where_their_inputs_are(graph, foreign):
    assert (foreign + 1).graph is foreign.graph and tf.add(1, foreign).graph is foreign.graph
    with tf.name_scope("s", values=[foreign]):
        assert tf.no_op().graph is foreign.graph
    assert tf.no_op().graph is graph


def test_inputs_of_two_graphs(graph, foreign):
    a = tf.constant(1, name="a")
    text = f"{foreign} must be from the same graph as {a}."
    assert _text(ValueError, lambda: tf.add(a, foreign)) == text
    assert _text(ValueError, lambda: tf.add(foreign, a)) == f"{a} must be from the same graph as {foreign}."
    assert _text(ValueError, _enter, "s", None, [a, foreign]) == text
    assert _text(ValueError, lambda: graph.create_op("Neg", [foreign], [tf.int32])) == (
        f"{foreign} must be from the same graph as <tf.Operation 'a' type=Const>."
    )


def test_inputs_that_are_not_of_the_passed_graph(graph, foreign):
    from tinytf._src.framework.scopes.name_scope import graph_of_inputs

    assert _text(ValueError, lambda: graph_of_inputs([foreign], graph)) == f"{foreign} is not from the passed-in graph."
    assert graph_of_inputs([foreign], foreign.graph) is foreign.graph


@pytest.mark.parametrize("values", [[], [1]])
def test_a_scope_of_values_needs_a_name(values):
    assert _text(ValueError, _enter, None, None, values) == (
        "At least one of name (None) and default_name (None) must be provided."
    )


# -- Control inputs ----------------------------------------------------------------------------------------------------


def test_what_control_inputs_may_be(graph):
    a, op = tf.constant(1, name="a"), tf.no_op()
    ref = tf.get_variable("ref", initializer=1.0, use_resource=False)
    resource = tf.get_variable("resource", initializer=1.0, use_resource=True)
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))
    with tf.control_dependencies([a, op, ref, resource, slices, "a"]):
        names = [c.name for c in tf.no_op().control_inputs]
    assert names[:3] == ["a", op.name, "ref"] and names[3].startswith("resource") and names[4] == slices.values.op.name


def test_what_control_inputs_may_not_be(foreign):
    for bad in (3, None, 1.5, [1]):
        text = _text(TypeError, tf.control_dependencies, [bad])
        assert text == f"Control input must be Operation or Tensor: {bad}"
    assert f"Tensor {foreign} is not an element of this graph." in _text(
        ValueError, lambda: tf.control_dependencies([foreign])
    )


def test_none_leaves_dependencies_and_context(graph):
    context = type("Context", (), {"AddOp": lambda self, op: None})()
    graph._set_control_flow_context(context)
    with tf.control_dependencies([tf.no_op()]):
        with tf.control_dependencies(None):
            assert graph._get_control_flow_context() is None
            assert tf.no_op().control_inputs == []
            with tf.control_dependencies([tf.no_op(name="inner")]):
                assert [c.name for c in tf.no_op().control_inputs] == ["inner"]
        assert graph._get_control_flow_context() is context
        assert len(tf.no_op().control_inputs) == 1
    graph._set_control_flow_context(None)


# -- Tensors cannot be used as Python values ---------------------------------------------------------------------------


def test_tensors_as_python_values():
    a = tf.constant([1, 2])
    after = " is not allowed in Graph execution. Use Eager execution or decorate this function with @tf.function."
    for use in (lambda: bool(a), lambda: not a, lambda: a and a, lambda: [1 for x in [1] if a]):
        text = _text(tf.errors.OperatorNotAllowedInGraphError, use)
        assert text == "using a `tf.Tensor` as a Python `bool`" + after
    for use in (lambda: [*a], lambda: list(a), lambda: max(a)):
        assert _text(tf.errors.OperatorNotAllowedInGraphError, use) == "iterating over `tf.Tensor`" + after
    assert issubclass(tf.errors.OperatorNotAllowedInGraphError, TypeError)
    with pytest.raises(NotImplementedError, match="to a numpy array"):
        np.asarray(a)
