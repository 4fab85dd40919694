"""`tf.Operation(node_def, graph)` adds the node of a NodeDef, as TensorFlow programs may do."""

import numpy as np
import pytest

import tinytf as tf

FLOAT = tf.AttrValue(type=tf.float32.as_datatype_enum)


def _identity(name, **fields):
    return tf.NodeDef(name=name, op="Identity", attr={"T": FLOAT}, **fields)


def test_the_node_is_in_the_graph_and_runs():
    x = tf.constant([1.0, 2.0], name="x")
    first = tf.no_op(name="first")
    slices = tf.IndexedSlices(tf.constant([1.0], name="values"), tf.constant([0]))
    op = tf.Operation(
        _identity("copy", device="/cpu:0"),
        tf.get_default_graph(),
        [x],
        [tf.float32],
        [first, x, slices],
        [tf.float32],
        first,
    )
    assert tf.get_default_graph().get_operation_by_name("copy") is op is op.outputs[0].op
    assert (op.name, op.type, op.inputs, op.device) == ("copy", "Identity", (x,), "/cpu:0")
    assert {control.name for control in op.control_inputs} == {"first", "x", "values"}
    assert op._original_op is first and op.outputs[0].shape.as_list() == [2]
    file, _, function, _ = op.traceback[-1]
    assert (file, function) == (__file__, "test_the_node_is_in_the_graph_and_runs")
    with tf.Session() as sess:
        np.testing.assert_array_equal(sess.run("copy:0"), [1, 2])
    assert tf.identity(x, name="copy").op.name == "copy_1"


def test_open_scopes_do_not_count():
    x = tf.constant(1.0)
    other = tf.Graph()
    with tf.name_scope("scope"), tf.control_dependencies([x]), tf.device("/cpu:1"), other.as_default():
        op = tf.Operation(_identity("copy"), x.graph, inputs=[x])
    assert op.graph is x.graph and (op.name, op.control_inputs, op.device) == ("copy", [], "")
    assert other.version == 0


def test_sessions_see_the_node():
    x = tf.constant(1.0)
    with tf.Session() as sess:
        sess.run(x)
        op = tf.Operation(_identity("copy"), x.graph, [x])
        assert sess.run(op.outputs[0]) == 1
    x.graph.finalize()
    with pytest.raises(RuntimeError, match="^Graph is finalized and cannot be modified.$"):
        tf.Operation(_identity("another"), x.graph, [x])


@pytest.mark.parametrize("item", [3, "x:0", None, [1.0]])
def test_control_inputs_are_operations(item):
    with pytest.raises(TypeError) as caught:
        tf.Operation(tf.NodeDef(name="n", op="NoOp"), tf.get_default_graph(), control_inputs=[item])
    assert str(caught.value) == f"Control input must be an Operation, a Tensor, or IndexedSlices: {item}"
    assert tf.get_default_graph().version == 0


def test_arguments_of_other_types():
    graph, x = tf.get_default_graph(), tf.constant(1.0, name="x")
    for arguments, text in [
        ((3, graph), "node_def needs to be a NodeDef: 3"),
        ((_identity("n"), "graph"), "g needs to be a Graph: graph"),
        ((_identity("n"), graph, x), f"inputs needs to be a list of Tensors: {x}"),
        ((_identity("n"), graph, [1.0]), "input needs to be a Tensor: 1.0"),
        (
            (_identity("n"), graph, [x], None, None, [tf.int32]),
            "In op 'n', input types ([tf.float32]) are not compatible with expected types ([tf.int32])",
        ),
        (
            (_identity("n"), graph, [x], None, None, [tf.float32._as_ref]),
            "In op 'n', input types ([tf.float32]) are not compatible with expected types ([tf.float32_ref])",
        ),
    ]:
        with pytest.raises(TypeError) as caught:
            tf.Operation(*arguments)
        assert str(caught.value) == text
    assert graph.version == 1


def test_nodes_that_do_not_fit():
    graph, x = tf.get_default_graph(), tf.constant(1.0, name="x")
    elsewhere = tf.Graph()
    with elsewhere.as_default():
        y = tf.constant(1.0)
    for node, inputs, text in [
        (_identity("_n"), [x], "^'_n' is not a valid node name$"),
        (_identity("x"), [x], "^Duplicate node name in graph: 'x'$"),
        (_identity("n"), [y], "must be from the same graph as"),
        (_identity("n"), [], "^Not enough inputs for node n"),
        (tf.NodeDef(name="n", op="Identity", attr={"T": tf.AttrValue(type=3)}), [x], "passed float incompatible with"),
    ]:
        with pytest.raises(ValueError, match=text):
            tf.Operation(node, graph, inputs)
    with pytest.raises(tf.errors.NotFoundError, match="^Op type not registered 'Nope' in binary running on "):
        tf.Operation(tf.NodeDef(name="n", op="Nope"), graph)
    assert graph.version == 1
