"""Learning-rate decays in eager execution return functions, because the step changes between their calls."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.training import learning_rate_decay

_ARGUMENTS = {
    "exponential_decay": (0.1, 10, 0.5),
    "natural_exp_decay": (0.1, 10, 0.5),
    "inverse_time_decay": (0.1, 10, 0.5),
    "polynomial_decay": (0.1, 10),
    "cosine_decay": (0.1, 10),
    "cosine_decay_restarts": (0.1, 4),
    "linear_cosine_decay": (0.1, 10),
}


@pytest.mark.parametrize("name", _ARGUMENTS)
def test_decays_agree_with_their_nodes(name, eager):
    decay, (rate, *rest) = getattr(tf.train, name), _ARGUMENTS[name]
    for step in (0, 3, 11):
        with tf.Graph().as_default(), tf.Session() as sess:
            expected = sess.run(decay(rate, tf.constant(step), *rest))
        later = decay(rate, tf.constant(step), *rest)
        assert callable(later)
        assert later().numpy() == expected


def test_piecewise_constant(eager):
    rates = [tf.train.piecewise_constant(tf.constant(step), [2, 5], [1.0, 0.5, 0.25])().numpy() for step in (2, 3, 9)]
    assert rates == [1.0, 0.5, 0.25]


def test_noise_is_drawn_by_each_call(eager):
    later = tf.train.noisy_linear_cosine_decay(0.1, tf.constant(1), 10)
    assert np.unique([later().numpy() for _ in range(4)]).size == 4


def test_steps_are_needed(eager):
    with pytest.raises(ValueError, match="global_step is required for polynomial_decay"):
        tf.train.polynomial_decay(0.1, None, 10)


def test_every_decay_is_tested():
    tested = {*_ARGUMENTS, "piecewise_constant", "piecewise_constant_decay", "noisy_linear_cosine_decay"}
    assert set(learning_rate_decay.__all__) == tested
