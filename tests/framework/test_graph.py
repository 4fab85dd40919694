"""Graphs: names, scopes, control dependencies, devices, colocation, collections, look-ups and attributes."""

import numpy as np
import pytest

import tinytf as tf


def _graph():
    return tf.get_default_graph()


# -- Names -------------------------------------------------------------------------------------------------------------


def test_names_are_made_unique():
    names = [tf.no_op(name="a").name for _ in range(3)]
    assert names == ["a", "a_1", "a_2"]
    assert tf.no_op(name="A").name == "A_3"
    assert tf.no_op(name="a_1").name == "a_1_1"
    assert tf.constant(1).op.name == "Const" and (tf.constant(1) + 1).op.name == "add"


def test_unique_name():
    graph = _graph()
    assert graph.unique_name("x") == "x"
    assert graph.unique_name("x") == "x_1"
    assert graph.unique_name("y", mark_as_used=False) == "y"
    assert graph.unique_name("y") == "y"
    with graph.name_scope("s"):
        assert graph.unique_name("x") == "s/x"


def test_scopes():
    with tf.name_scope("outer") as outer:
        assert outer == "outer/"
        assert tf.no_op(name="a").name == "outer/a"
        with tf.name_scope("inner"):
            assert tf.no_op(name="a").name == "outer/inner/a"
        with tf.name_scope("inner") as again:
            assert again == "outer/inner_1/"
        with tf.name_scope(None):
            assert tf.no_op(name="b").name == "b"
    with tf.name_scope("outer") as second:
        assert second == "outer_1/"
    with tf.name_scope(outer):
        assert tf.no_op(name="a").name == "outer/a_1"
    assert tf.no_op(name="exact/").name == "exact"


def test_scopes_of_values():
    with tf.name_scope(None, "default", [tf.constant(1)]) as scope:
        assert scope == "default/"
    with pytest.raises(ValueError, match=r"At least one of name \(None\) and default_name \(None\) must be provided\."):
        with tf.name_scope(None, None, [tf.constant(1)]):
            pass
    other = tf.Graph()
    with other.as_default():
        value = tf.constant(1)
    with tf.name_scope("s", values=[value]):
        assert tf.no_op().graph is other


@pytest.mark.parametrize("name", ["-a", "a b", "_a", "a:0", "é"])
def test_bad_names(name):
    with pytest.raises(ValueError, match="is not a valid (node|scope) name"):
        tf.no_op(name=name)


def test_bad_scope_names():
    with pytest.raises(ValueError, match="'_a' is not a valid scope name"), tf.name_scope("_a"):
        pass
    with tf.name_scope("a"), tf.name_scope("_b") as scope:
        assert scope == "a/_b/"


# -- Versions, ids, finalize -------------------------------------------------------------------------------------------


def test_versions_count_operations():
    graph = _graph()
    assert graph.version == 0
    op = tf.no_op()
    assert op._id == 1 and graph.version == 1
    tf.constant(1) + 1
    assert graph.version == 4


def test_finalize():
    graph = _graph()
    tf.no_op()
    assert not graph.finalized
    graph.finalize()
    assert graph.finalized
    with pytest.raises(RuntimeError, match="^Graph is finalized and cannot be modified.$"):
        tf.no_op()
    graph._unsafe_unfinalize()
    tf.no_op()


# -- Look-ups ----------------------------------------------------------------------------------------------------------


def test_look_ups():
    graph = _graph()
    a = tf.constant(1, name="a")
    assert graph.get_operation_by_name("a") is a.op
    assert graph.get_tensor_by_name("a:0") is a
    assert graph.as_graph_element("a") is a.op and graph.as_graph_element("a:0") is a
    assert graph.as_graph_element(a) is a and graph.as_graph_element(a.op) is a.op
    assert graph.get_operations() == [a.op]
    assert a.op.outputs == [a] and a.value_index == 0 and a.name == "a:0"
    b = a + 1
    assert list(b.op.inputs)[0] is a and b.op in a.consumers()


@pytest.mark.parametrize(
    ("look", "error", "text"),
    [
        (lambda g: g.get_operation_by_name("b"), KeyError, "The name 'b' refers to an Operation not in the graph."),
        (
            lambda g: g.get_tensor_by_name("b:0"),
            KeyError,
            "The name 'b:0' refers to a Tensor which does not exist. The operation, 'b', does not exist in the graph.",
        ),
        (lambda g: g.get_tensor_by_name("a:1"), KeyError, "The operation, 'a', exists but only has 1 outputs."),
        (lambda g: g.get_tensor_by_name("a"), ValueError, "The name 'a' refers to an Operation, not a Tensor."),
        (
            lambda g: g.get_operation_by_name("a:0"),
            ValueError,
            "Name 'a:0' appears to refer to a Tensor, not a Operation.",
        ),
        (
            lambda g: g.get_operation_by_name(3),
            TypeError,
            "Operation names are strings (or similar), not int.",
        ),
        (lambda g: g.get_tensor_by_name(3), TypeError, "Tensor names are strings (or similar), not int."),
        (lambda g: g.as_graph_element(3), TypeError, "Can not convert a int into a Tensor or Operation."),
        (
            lambda g: g.as_graph_element("a", allow_tensor=False, allow_operation=False),
            ValueError,
            "can't both be False.",
        ),
    ],
)
def test_bad_look_ups(look, error, text):
    tf.constant(1, name="a")
    with pytest.raises(error) as caught:
        look(_graph())
    assert text in str(caught.value)


def test_inputs_of_two_graphs():
    a = tf.constant(1)
    with tf.Graph().as_default():
        b = tf.constant(2)
        with pytest.raises(ValueError, match="must be from the same graph as"):
            tf.add(a, b)


# -- Control dependencies ----------------------------------------------------------------------------------------------


def test_control_dependencies():
    a, b = tf.no_op(name="a"), tf.constant(1, name="b")
    with tf.control_dependencies([a, b]):
        c = tf.no_op(name="c")
        with tf.control_dependencies([c]):
            d = tf.constant(2)
        with tf.control_dependencies(None):
            e = tf.no_op()
    assert c.control_inputs == [a, b.op]
    assert c in d.op.control_inputs
    assert e.control_inputs == []


def test_what_depends_by_its_inputs_needs_no_control_edge():
    a = tf.constant(1)
    with tf.control_dependencies([a]):
        b = tf.identity(a)
    assert a.op not in b.op.control_inputs


def test_bad_control_inputs():
    with pytest.raises(TypeError, match="Control input must be"), tf.control_dependencies([3]):
        pass


# -- Devices -----------------------------------------------------------------------------------------------------------


def test_device_scopes_merge():
    with tf.device("/job:worker/cpu:0"):
        assert tf.no_op().device == "/job:worker/device:CPU:0"
        with tf.device("/task:1/cpu:2"):
            assert tf.no_op().device == "/job:worker/task:1/device:CPU:2"
        with tf.device(None):
            assert tf.no_op().device == ""
    assert tf.no_op().device == ""


def test_device_functions_replace():
    with tf.device("/job:a"), tf.device(lambda op: "/cpu:1" if op.type == "NoOp" else ""):
        assert tf.no_op().device == "/job:a/device:CPU:1"
    seen = []
    with tf.device(lambda op: seen.append(op.name) or "/cpu:0"):
        tf.no_op(name="n")
    assert seen == ["n"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("/cpu:0/gpu:1", "Cannot specify multiple device types"), ("/machine:0", "Unknown attribute: 'machine'")],
)
def test_bad_devices(name, text):
    with pytest.raises(ValueError, match=text), tf.device(name):
        pass


def test_colocation():
    with tf.device("/cpu:1"):
        a = tf.constant(1, name="a")
    with tf.device("/cpu:0"), tf.colocate_with(a):
        b = tf.constant(2, name="b")
        with tf.colocate_with(None, ignore_existing=True):
            c = tf.constant(3)
    assert b.op.colocation_groups() == [b"loc:@a"]
    assert b.device == "/device:CPU:1"
    assert c.op.colocation_groups() == [b"loc:@" + c.op.name.encode()]
    with pytest.raises(ValueError, match=r"Trying to reset colocation \(op is None\) but ignore_existing is not True"):
        with tf.colocate_with(None):
            pass


# -- Collections -------------------------------------------------------------------------------------------------------


def test_collections():
    graph = _graph()
    tf.add_to_collection("things", 1)
    tf.add_to_collection("things", 2)
    assert tf.get_collection("things") == [1, 2]
    tf.get_collection("things").append(3)
    assert tf.get_collection("things") == [1, 2]
    tf.get_collection_ref("things").append(3)
    assert graph.get_collection("things") == [1, 2, 3]
    assert tf.get_collection("none") == []
    graph.add_to_collections(["x", "y", "x"], "v")
    assert graph.get_collection("x") == ["v"] and "y" in graph.get_all_collection_keys()
    graph.clear_collection("x")
    assert graph.get_collection("x") == []


def test_collections_by_scope():
    a = tf.get_variable("s/a", initializer=1.0)
    tf.get_variable("t/b", initializer=1.0)
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="s") == [a]
    assert tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope="s/a$") == []


# -- Tensors and operations --------------------------------------------------------------------------------------------


def test_tensors_have_no_python_value():
    a = tf.constant(1)
    for use in (lambda: bool(a), lambda: [*tf.constant([1])], lambda: 1 if a else 0):
        with pytest.raises(TypeError, match="is not allowed in Graph execution"):
            use()
    assert a == a and a in {a} and (a != tf.constant(1))  # comparison by identity
    with pytest.raises(TypeError):
        len(tf.constant([1, 2]))
    with pytest.raises(NotImplementedError):
        np.array(a)


def test_shapes_only_become_more_precise():
    x = tf.placeholder(tf.float32, [None, 3])
    x.set_shape([2, None])
    assert x.shape.as_list() == [2, 3]
    with pytest.raises(ValueError):
        x.set_shape([5, 3])
    y = tf.placeholder(tf.float32)
    assert y.shape.ndims is None and str(y.shape) == "<unknown>"
    y.set_shape([None])
    assert y.get_shape().ndims == 1


def test_attributes():
    op = tf.placeholder(tf.float32, [2, None], name="x").op
    assert op.get_attr("dtype") == tf.float32
    assert op.node_def.op == "Placeholder" and op.node_def.name == "x"
    with pytest.raises(ValueError):
        op.get_attr("nothing")
    assert op.type == "Placeholder" and op.graph is _graph()
    assert repr(op) == "<tf.Operation 'x' type=Placeholder>"
    assert repr(op.outputs[0]) == "<tf.Tensor 'x:0' shape=(2, ?) dtype=float32>"


def test_gradient_override_map():
    graph = _graph()
    with graph.gradient_override_map({"Identity": "Outer"}):
        a = tf.identity(1.0)
        with graph.gradient_override_map({"Identity": "Inner"}):
            b = tf.identity(1.0)
        c = tf.identity(1.0)
    d = tf.identity(1.0)
    assert [t.op.get_attr("_gradient_op_type") for t in (a, b, c)] == [b"Outer", b"Inner", b"Outer"]
    with pytest.raises(ValueError):
        d.op.get_attr("_gradient_op_type")
    for bad in (3, {"a": 3}, {3: "a"}):
        with pytest.raises(TypeError, match="op_type_map must be a dictionary mapping strings to strings"):
            with graph.gradient_override_map(bad):
                pass


def test_containers():
    with _graph().container("c"):
        v = tf.Variable(1.0)
    assert v.op.get_attr("container") == b"c"


def test_graph_seeds():
    tf.set_random_seed(5)
    assert _graph().seed == 5
    assert tf.get_seed(3) == (5, 3)
    tf.no_op()
    assert tf.get_seed(None) == (5, 1)
    with tf.Graph().as_default():
        assert tf.get_seed(None) == (None, None)
        assert tf.get_seed(7) == (87654321, 7)
        tf.set_random_seed(0)
        assert tf.get_seed(0) == (0, 2**31 - 1)


def test_a_constant_that_waits_is_still_known_while_building():
    x = tf.placeholder(tf.float32, [4, 6])
    with tf.control_dependencies([x.op]):
        y = tf.strided_slice(x, tf.constant([0, 1]), tf.constant([2, 4]), tf.constant([1, 1]))
    assert y.shape.as_list() == [2, 3]
