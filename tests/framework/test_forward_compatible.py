"""`tf.compat.forward_compatible` returns the same as in TensorFlow 1.15."""

import pytest

import tinytf as tf


def test_the_day_is_that_of_tensorflow_1_15():
    assert [tf.compat.forward_compatible(*day) for day in ((2019, 8, 20), (2019, 8, 21), (2020, 1, 1))] == [1, 0, 0]


def test_the_day_can_be_another_for_a_while():
    with tf.compat.forward_compatibility_horizon(2019, 12, 31):
        assert tf.compat.forward_compatible(2019, 12, 30)
        assert not tf.compat.forward_compatible(2019, 12, 31)
    assert not tf.compat.forward_compatible(2019, 12, 30)
    with pytest.raises(ValueError, match="day"), tf.compat.forward_compatibility_horizon(2019, 2, 31):
        pass
