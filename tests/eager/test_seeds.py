"""Random numbers in eager execution equal TensorFlow's for the same seeds, and sequences continue from call to call."""

import random
import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

M = 2**31 - 1


@pytest.fixture(autouse=True)
def _no_seed(eager):
    tf.set_random_seed(None)
    yield
    tf.set_random_seed(None)


def _uniform(count=1, **options):
    return [tf.random_uniform([2], **options).numpy() for _ in range(count)]


def _same(values, expected):
    np.testing.assert_allclose(np.asarray(values), np.asarray(expected), rtol=3e-6)


def test_a_seed_of_the_op_gives_a_sequence():
    values = tf.random_uniform([3], seed=1), tf.random_uniform([3], seed=1)
    _same(values, [[0.23903739, 0.92039955, 0.05051243], [0.85147619, 0.28712368, 0.79762769]])
    values = tf.random_normal([3], seed=1), tf.random_normal([3], seed=1)
    _same(values, [[-0.81131822, 1.48459876, 0.06532937], [0.55171245, -0.13107552, -0.04481386]])


def test_a_global_seed_gives_each_call_numbers_of_its_own():
    expected = [[0.66456211, 0.44100678], [0.68789124, 0.48447883], [0.74136782, 0.62854624]]
    tf.set_random_seed(42)
    _same(_uniform(3), expected)
    tf.set_random_seed(42)
    _same(_uniform(3), expected)


def test_both_seeds():
    tf.set_random_seed(42)
    _same(_uniform(3, seed=7), [[0.8627677, 0.6567626], [0.45871079, 0.16115677], [0.24097872, 0.38112164]])


def test_seeds_of_all_random_ops():
    tf.set_random_seed(42)
    _uniform(3)
    _same(tf.random_normal([3]), [0.65648675, -0.41305169, 0.33997506])
    _same(tf.truncated_normal([3]), [0.00924649, -0.66206276, -0.74102688])
    assert tf.random_shuffle(tf.range(6)).numpy().tolist() == [3, 0, 4, 2, 1, 5]
    assert tf.multinomial(tf.ones([1, 4]), 5).numpy().tolist() == [[1, 3, 3, 2, 2]]
    _same(tf.random_gamma([2], 1.5), [0.40159142, 5.73051405])
    assert tf.random_poisson([3.0], [4]).numpy().ravel().tolist() == [6, 4, 1, 1]


def test_seeds_of_zero():
    tf.set_random_seed(0)
    assert tf.get_seed(0) == (0, M)
    _same(tf.random_uniform([2], seed=0), [0.01975703, 0.00704217])


def test_setting_the_seed_begins_sequences_anew():
    tf.set_random_seed(5)
    first = _uniform(2, seed=3)
    tf.set_random_seed(5)
    _same(_uniform(2, seed=3), first)
    assert not np.array_equal(first[0], first[1])


def test_shapes_share_a_sequence_and_types_do_not():
    tf.set_random_seed(5)
    _same(tf.random_uniform([2], seed=9), [0.85900664, 0.21150982])
    _same(tf.random_uniform([3], seed=9), [0.53896427, 0.41550994, 0.6432518])
    _same(tf.random_uniform([2], seed=9, dtype=tf.float64), [0.87205337, 0.36144981])
    _same(tf.random_uniform([2], seed=9), [0.0059272051, 0.00294292])


def test_no_seed_is_no_repetition():
    assert tf.get_seed(None) == (None, None)
    assert len({v.tobytes() for v in _uniform(20)}) == 20


def test_op_seeds_are_pythons_random_numbers():
    tf.set_random_seed(17)
    numbers = random.Random(17)
    for _ in range(5):
        assert tf.get_seed(None) == (17, numbers.randint(0, M))
    assert tf.get_seed(3) == (17, 3)
    tf.set_random_seed(None)
    assert tf.get_seed(3) == (87654321, 3)


def test_threads_share_the_seed():
    tf.set_random_seed(11)
    numbers = random.Random(11)
    seen = []

    def work():
        with eager_mode():
            seen.append(tf.get_seed(None))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [(11, numbers.randint(0, M))]


def test_graphs_keep_seeds_of_their_own():
    tf.set_random_seed(42)
    with tf.Graph().as_default() as graph:
        assert tf.get_seed(None) == (None, None)
        tf.set_random_seed(3)
        assert graph.seed == 3
        assert tf.get_seed(None) == (3, 0)
    assert tf.get_seed(1) == (42, 1)
