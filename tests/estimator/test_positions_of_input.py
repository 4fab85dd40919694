"""`RunConfig(save_input_state=True)`: trainings of estimators go on with the next element of their input."""

import numpy as np
import pytest

import tinytf as tf


def _dataset():
    numbers = tf.data.Dataset.range(50).shuffle(10, seed=3).map(lambda x: tf.cast(x, tf.float32))
    return numbers.batch(3).prefetch(2).repeat()


@pytest.fixture(autouse=True)
def _no_writers():
    yield
    tf.summary.FileWriterCache.clear()


def _hook_input():
    return tf.data.make_one_shot_iterator(_dataset()).get_next()


def _model(features, labels, mode):
    step = tf.train.get_global_step()
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer())
    weight = tf.pow(0.9, tf.cast(step, tf.float32))  # the order of elements matters
    with tf.control_dependencies([tf.assign_add(total, weight * tf.reduce_sum(features))]):
        train = tf.assign_add(step, 1).op
    return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_sum(features), train_op=train)


def _total(folder, parts, input_fn, **more):
    """The variable after trainings of so many steps each, by one estimator after the other."""
    for steps in parts:
        config = tf.estimator.RunConfig(str(folder), tf_random_seed=5, save_checkpoints_steps=4, **more)
        tf.estimator.Estimator(_model, config=config).train(input_fn, steps=steps)
    return tf.train.load_variable(str(folder), "total")


@pytest.mark.parametrize("input_fn", [_dataset, _hook_input])
def test_trainings_go_on_with_the_next_element(tmp_path, input_fn):
    whole = _total(tmp_path / "whole", [20], input_fn, save_input_state=True)
    parts = _total(tmp_path / "parts", [5, 9, 6], input_fn, save_input_state=True)
    without = _total(tmp_path / "without", [5, 9, 6], input_fn)
    np.testing.assert_array_equal(parts, whole)
    assert without != whole


def test_models_of_such_checkpoints_are_evaluated(tmp_path):
    config = tf.estimator.RunConfig(str(tmp_path), save_input_state=True)
    estimator = tf.estimator.Estimator(_model, config=config)
    estimator.train(_dataset, steps=3)
    assert estimator.evaluate(_dataset, steps=2)["global_step"] == 3


def test_setting():
    config = tf.estimator.RunConfig()
    assert config.save_input_state is False
    assert config.replace(save_input_state=True).save_input_state is True
    assert tf.estimator.RunConfig(save_input_state=True).save_input_state is True
