"""Seeds and random numbers in traced functions."""

import numpy as np
import pytest

import tinytf as tf


@pytest.fixture(autouse=True)
def _no_seed(eager):
    tf.set_random_seed(None)
    yield
    tf.set_random_seed(None)


def numbers():
    return tf.function(lambda: (tf.random_uniform([2]), tf.random_uniform([2], seed=7)))


def values(function, *args):
    return np.concatenate([t.numpy() for t in function(*args)]).tolist()


def test_sequences_go_on_from_call_to_call():
    tf.set_random_seed(42)
    f = numbers()
    first, second = values(f), values(f)
    assert first != second
    np.testing.assert_allclose(first[2:], [0.8627677, 0.6567626], rtol=1e-6)
    np.testing.assert_allclose(second[2:], [0.45871079, 0.16115677], rtol=1e-6)


def test_each_function_has_sequences_of_its_own():
    tf.set_random_seed(42)
    assert values(numbers()) == values(numbers())


def test_a_seed_begins_all_sequences_anew():
    tf.set_random_seed(42)
    f = numbers()
    first = [values(f) for _ in range(3)]
    tf.set_random_seed(42)
    assert [values(f) for _ in range(3)] == first
    assert [values(numbers()) for _ in range(1)] == first[:1]


def test_without_a_seed_numbers_are_random():
    assert values(numbers())[:2] != values(numbers())[:2]


def test_with_tapes():
    tf.set_random_seed(42)

    @tf.function
    def f(x):
        return x * tf.random_uniform([], seed=1), x * x

    x = tf.constant(2.0)

    def steps():
        found = []
        for _ in range(2):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y, square = f(x)
            found.append((float(y), *map(float, tape.gradient([y, square], [x]))))
        return found

    first = steps()
    assert first[0] != first[1]
    assert all(abs(slope - 4.0 - y / 2.0) < 1e-6 for y, slope in first)
    tf.set_random_seed(42)
    assert steps() == first
