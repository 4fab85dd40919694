"""`Session._make_callable_from_options`: functions of feeds by position, described by a message."""

import pytest

import tinytf as tf
from tinytf.interop import protos


@pytest.fixture
def sess():
    with tf.Session() as session:
        yield session


@pytest.fixture
def model():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    total = tf.Variable(0.0, name="total", use_resource=True)
    tf.subtract(x, y, name="z")
    total.assign_add(x, name="add")
    return total


def test_feeds_and_fetches_go_by_their_order(sess, model):
    sess.run(model.initializer)
    call = sess._make_callable_from_options(
        protos.CallableOptions(feed=["y:0", "x"], fetch=["z:0", "x:0"], target=[model.assign_add(1.0).op.name])
    )
    assert call(1.0, 5.0) == [4.0, 5.0]
    assert call(2.0, 5) == [3.0, 5.0]
    assert sess.run(model) == 2.0


def test_the_number_of_values_is_checked(sess, model):
    call = sess._make_callable_from_options(protos.CallableOptions(feed=["x:0", "y:0"], fetch=["z:0"]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Expected 2 feed tensors, but got 1$"):
        call(1.0)
    none = sess._make_callable_from_options(protos.CallableOptions(target=[tf.no_op().name]))
    assert none() == []
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Expected 0 feed tensors, but got 1$"):
        none(1.0)


def test_options_hold_for_every_call(sess, model):
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    call = sess._make_callable_from_options(
        protos.CallableOptions(feed=["x:0", "y:0"], fetch=["z:0"], run_options=options)
    )
    metadata = tf.RunMetadata()
    assert call(3.0, 1.0, run_metadata=metadata) == [2.0]
    assert [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats] == ["z"]


def test_names_that_the_graph_lacks(sess, model):
    with pytest.raises(KeyError, match="does not exist"):
        sess._make_callable_from_options(protos.CallableOptions(fetch=["nothing:0"]))
