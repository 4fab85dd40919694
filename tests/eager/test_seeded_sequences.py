"""Random sequences of seeded ops continue for the whole process, however many other ops were called in between."""

import numpy as np
import pytest

import tinytf as tf

OTHERS = 600  # more than the number of cached kernels per op


@pytest.fixture(autouse=True)
def _no_seed(eager):
    tf.set_random_seed(None)
    yield
    tf.set_random_seed(None)


def _draw(seed, count=1, **options):
    return [tf.random_uniform([2], seed=seed, **options).numpy().tolist() for _ in range(count)]


def _fill(first=10_000):
    for seed in range(first, first + OTHERS):
        tf.random_uniform([1], seed=seed)


def test_a_sequence_goes_on_after_many_other_seeds():
    expected = _draw(1, 6)
    tf.set_random_seed(None)  # restarts the sequences
    values = _draw(1, 2)
    _fill()
    values += _draw(1, 2)
    _fill(20_000)
    assert values + _draw(1, 2) == expected


def test_many_sequences_go_on_at_once():
    expected = {seed: _draw(seed, 3) for seed in range(OTHERS)}
    tf.set_random_seed(None)
    rounds = [[_draw(seed)[0] for seed in range(OTHERS)] for _ in range(3)]
    assert {seed: [drawn[seed] for drawn in rounds] for seed in range(OTHERS)} == expected


def test_types_and_ops_keep_sequences_of_their_own():
    def draws():
        values = _draw(3) + _draw(3, dtype=tf.float64) + [tf.random_normal([2], seed=3).numpy().tolist()]
        return values + [tf.random_shuffle(tf.range(20), seed=3).numpy().tolist()]

    expected = draws() + draws()
    tf.set_random_seed(None)
    values = draws()
    for seed in range(10_000, 10_000 + OTHERS):
        tf.random_uniform([1], seed=seed, dtype=tf.float64)
        tf.random_normal([1], seed=seed)
        tf.random_shuffle([1], seed=seed)
    assert values + draws() == expected


def test_sequences_that_a_tape_still_holds():
    expected = _draw(1, 3)
    tf.set_random_seed(None)
    with tf.GradientTape() as tape:
        x = tf.constant([1.0])
        tape.watch(x)
        values = _draw(1)
        for seed in range(10_000, 10_000 + OTHERS):
            x = x + tf.random_uniform([1], seed=seed)
        values += _draw(1)
    assert values + _draw(1) == expected


@pytest.mark.parametrize("seed", [5, np.int64(5), np.int32(5)], ids=lambda s: type(s).__name__)
def test_seeds_of_any_type(seed):
    expected = _draw(5, 2)
    tf.set_random_seed(None)
    assert _draw(seed, 2) == expected


def test_asynchronous_sessions_lose_no_draw():
    expected = _draw(1, 4)
    tf.set_random_seed(None)
    with tf.EagerSession(async_=True) as session:
        drawn = []
        for start in range(10_000, 14_000, 1000):
            drawn.append(tf.random_uniform([2], seed=1))
            _fill(start)
        session.synchronize()
        assert [tensor.numpy().tolist() for tensor in drawn] == expected


def test_memory_info_counts_them_and_a_new_seed_forgets_them():
    assert tf.memory_info().random_sequences == 0
    _fill()
    kept = tf.memory_info().random_sequences
    assert 0 < kept <= OTHERS
    _fill()  # the same sequences again; none is counted twice
    assert tf.memory_info().random_sequences == kept
    tf.set_random_seed(1)
    assert tf.memory_info().random_sequences == 0


def test_seeds_that_the_program_did_not_give_are_not_kept():
    tf.set_random_seed(1)
    for _ in range(OTHERS):
        tf.random_uniform([1])
    assert tf.memory_info().random_sequences == 0
