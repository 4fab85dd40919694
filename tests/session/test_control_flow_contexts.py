"""Control flow contexts as protos: manually exported graphs can restore them."""

import pytest

import tinytf as tf
from tinytf.python.ops.control_flow_ops import CondContext, WhileContext


def _build():
    x = tf.placeholder(tf.float32, [], name="x")
    n = tf.placeholder(tf.int32, [], name="n")

    def body(i, y):
        return i + 1, tf.cond(i < 2, lambda: y * x, lambda: tf.while_loop(lambda z: z < 9.0, lambda z: z + x, [y]))

    loop = tf.while_loop(lambda i, y: i < n, body, (0, x), maximum_iterations=7)
    branch = tf.cond(x < 3.0, lambda: tf.cond(x < 1.0, lambda: x, lambda: x * x), lambda: tf.exp(x))
    return tf.add(loop[1], branch, name="y")


def _exported():
    """A GraphDef with branches and loops, and the protos of its contexts."""
    with tf.Graph().as_default() as graph:
        _build()
        contexts = {key: [c.to_proto() for c in graph.get_collection(key)] for key in _KINDS}
        return graph.as_graph_def(), contexts


_KINDS = {tf.GraphKeys.COND_CONTEXT: CondContext, tf.GraphKeys.WHILE_CONTEXT: WhileContext}


def _imported(scope):
    """The contexts of the imported graph, from protos."""
    graph_def, messages = _exported()
    tf.import_graph_def(graph_def, name=scope or "")
    return {key: [kind.from_proto(m, import_scope=scope) for m in messages[key]] for key, kind in _KINDS.items()}


@pytest.mark.parametrize("scope", [None, "imp", "a/b"])
def test_contexts_come_back(scope):
    _, messages = _exported()
    contexts = _imported(scope)
    assert {key: [c.to_proto(scope) for c in found] for key, found in contexts.items()} == messages
    prefix = f"{scope}/" if scope else ""
    [loop] = contexts[tf.GraphKeys.WHILE_CONTEXT]
    assert loop.name == f"{prefix}while/while_context" and loop.parallel_iterations == 10 and loop.back_prop
    assert loop.maximum_iterations.name == f"{prefix}while/maximum_iterations:0"
    graph = tf.get_default_graph()
    assert graph.get_operation_by_name(f"{prefix}while/Identity")._get_control_flow_context() is loop
    assert graph.get_operation_by_name(f"{prefix}while/Enter").get_attr("frame_name") == loop.name.encode()
    inner = graph.get_operation_by_name(f"{prefix}while/cond/while/Enter")._get_control_flow_context()
    assert inner.IsWhileContext() and inner.outer_context.IsCondContext() and inner.outer_context.outer_context is loop


@pytest.mark.parametrize("scope", [None, "imp"])
def test_imported_graphs_run_and_are_differentiated(scope):
    with tf.Graph().as_default():
        y = _build()
        x = tf.get_default_graph().get_tensor_by_name("x:0")
        with tf.Session() as sess:
            expected = [sess.run(y, {x: start, "n:0": 4}) for start in (0.5, 2.0, 4.0)]
    _imported(scope)
    prefix = f"{scope}/" if scope else ""
    element = tf.get_default_graph().get_tensor_by_name
    x, y, n = element(f"{prefix}x:0"), element(f"{prefix}y:0"), element(f"{prefix}n:0")
    [slope] = tf.gradients(element(f"{prefix}cond/Merge:0"), x)
    with tf.Session() as sess:
        assert [sess.run(y, {x: start, n: 4}) for start in (0.5, 2.0, 4.0)] == expected
        assert [sess.run(slope, {x: start}) for start in (0.5, 2.0)] == [1, 4]


def test_what_is_outside_of_the_exported_scope_is_left_out():
    with tf.name_scope("s"):
        _build()
    [loop] = tf.get_collection(tf.GraphKeys.WHILE_CONTEXT)
    assert loop.to_proto("other") is None and loop.to_proto("s").context_name == "while/while_context"
    assert all(c.to_proto("t") is None for c in tf.get_collection(tf.GraphKeys.COND_CONTEXT))


def test_tensors_of_an_imported_loop_are_for_its_operations():
    _imported(None)
    with pytest.raises(
        ValueError, match="^Cannot use 'while/add' as input to 'Identity' because 'while/add' is in a while"
    ):
        tf.identity(tf.get_default_graph().get_tensor_by_name("while/add:0"))
