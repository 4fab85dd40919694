"""The global step: finding, creating and checking it."""

import pytest

import tinytf as tf
from tinytf import train
from tinytf._src.training import training_util


def test_made_once_and_found():
    assert train.get_global_step() is None
    step = train.get_or_create_global_step()
    assert step.op.name == "global_step" and step.dtype.base_dtype == tf.int64 and step.shape.ndims == 0
    assert train.get_or_create_global_step() is step is train.get_global_step()
    assert tf.get_collection(tf.GraphKeys.GLOBAL_STEP) == [step]
    assert step in tf.global_variables() and step not in tf.trainable_variables()
    with pytest.raises(ValueError, match='^"global_step" already exists.$'):
        train.create_global_step()


def test_in_another_graph_whatever_the_scope():
    graph = tf.Graph()
    with tf.name_scope("scope"):
        step = train.create_global_step(graph)
    assert step.graph is graph and step.op.name == "global_step"


def test_found_by_name():
    tf.Variable(3, name="global_step", trainable=False)
    assert train.get_global_step().name == "global_step:0"


def test_several_in_the_collection(caplog):
    for name in "ab":
        tf.add_to_collection(tf.GraphKeys.GLOBAL_STEP, tf.Variable(0, name=name))
    assert train.get_global_step() is None
    assert "Multiple tensors in global_step collection." in caplog.text


def test_value():
    step = tf.Variable(7, name="global_step")
    with tf.Session() as sess:
        sess.run(step.initializer)
        assert train.global_step(sess, step) == 7


def test_checks():
    with pytest.raises(TypeError, match='Existing "global_step" must be a Variable or Tensor: 5.'):
        train.assert_global_step(5)
    with pytest.raises(TypeError, match='Existing "global_step" does not have integer type: '):
        train.assert_global_step(tf.constant(1.0))
    with pytest.raises(TypeError, match='Existing "global_step" is not scalar: '):
        train.assert_global_step(tf.constant([1]))
    train.assert_global_step(tf.constant(1))


@pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])
def test_read_comes_before_the_increment(use_resource):
    with tf.variable_scope("", use_resource=use_resource):
        train.create_global_step()
    read = training_util._get_or_create_global_step_read()
    assert training_util._get_or_create_global_step_read() is read
    increment = training_util._increment_global_step(2)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [sess.run([read, increment])[0] for _ in range(3)] == [0, 2, 4]
