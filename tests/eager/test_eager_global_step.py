"""The global step in eager execution."""

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def test_is_made_once():
    assert tf.train.get_global_step() is None
    step = tf.train.get_or_create_global_step()
    assert tf.train.get_or_create_global_step() is step
    assert tf.train.get_global_step() is step
    assert (step.name, step.dtype, int(step), step.trainable) == ("global_step:0", tf.int64, 0, False)
    with pytest.raises(ValueError, match='"global_step" already exists.'):
        tf.train.create_global_step()
    tf.reset_default_graph()


def test_is_counted_up():
    step = tf.train.get_or_create_global_step()
    step.assign_add(2)
    tf.assign_add(step, 1)
    assert int(step) == 3
    tf.reset_default_graph()
