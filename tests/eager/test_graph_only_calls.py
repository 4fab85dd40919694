"""Functions that only make sense in graphs say so in eager execution."""

import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _executed(eager):
    pass


def _refused(text, function, *args, kind=RuntimeError):
    with pytest.raises(kind) as caught:
        function(*args)
    assert str(caught.value) == text


def test_placeholders():
    text = "tf.placeholder() is not compatible with eager execution."
    _refused(text, tf.placeholder, tf.float32)
    _refused(text, tf.sparse_placeholder, tf.float32)


def test_gradients():
    x = tf.constant(1.0)
    text = "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
    _refused(text, tf.gradients, x, x)


def test_handles_of_sessions():
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        tf.get_session_handle(tf.constant(1.0))
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.get_session_tensor("GetSessionHandle;0;/cpu:0", tf.float32)
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.delete_session_tensor("GetSessionHandle;0;/cpu:0")


@pytest.mark.parametrize("attribute", ["op", "graph", "name", "value_index"])
def test_attributes_of_nodes(attribute):
    text = f"Tensor.{attribute} is meaningless when eager execution is enabled."
    _refused(text, getattr, tf.constant(1.0), attribute, kind=AttributeError)


def test_evaluation():
    x = tf.constant(1.0)
    text = "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
    _refused(text, x.eval, kind=NotImplementedError)
    with pytest.raises(NotImplementedError):
        x.consumers()


def test_devices_by_function():
    _refused("tf.device does not support functions when eager execution is enabled.", tf.device, lambda op: "/cpu:0")


def test_sessions_run_graphs():
    x = tf.constant(1.0)
    with tf.Session() as sess:
        text = "The Session graph is empty.  Add operations to the graph before calling run()."
        _refused(text, sess.run, x)
    assert tf.get_default_session() is None


def test_losses_are_not_collected():
    x = tf.constant([1.0, 2.0])
    for _ in range(3):
        tf.losses.mean_squared_error(x, x + 1.0)
    assert tf.losses.get_losses() == []
    with pytest.raises(ValueError, match="at least one Tensor"):
        tf.losses.get_total_loss()


def test_what_orders_nodes_has_nothing_to_do():
    x, y = tf.constant(1.0), tf.constant(2.0)
    assert tf.no_op() is None
    assert tf.group(x, [y]) is None
    assert tf.group() is None
    assert tf.tuple([x, y]) == [x, y]
    with tf.control_dependencies([x, None]), tf.colocate_with(y):
        assert (x + y).numpy() == 3
    with pytest.raises(ValueError, match="Unknown keyword arguments: when"):
        tf.group(x, when=1)


def test_graphs_are_built_inside_their_scope():
    with tf.Graph().as_default() as graph:
        assert not tf.executing_eagerly()
        p = tf.placeholder(tf.float32)
        assert p.graph is graph
        with tf.Session() as sess:
            assert sess.run(p + 1.0, {p: 2.0}) == 3
    assert tf.executing_eagerly()
