"""Positions of iterators with parallel stages: they can be saved after each element, and damaged ones are errors."""

import cached
import interleaved
import mapped_in_parallel
import pytest
from raw_datasets_parallel import Pull, count_up, failing_at, moved_pulls, numbers, repeated, vectors

import tinytf as tf

ERRORS = (tf.errors.DataLossError, tf.errors.InvalidArgumentError)


def _interleaved(op, function=None):
    return lambda: interleaved.interleave(
        tf, op, count_up(tf, 4), (function or interleaved.tens)(tf), 2, 3, **interleaved.ways(2)[op]
    )


def _chosen():
    inputs = [count_up(tf, 6), count_up(tf, 6)]
    return tf.raw_ops.ChooseFastestDataset(input_datasets=inputs, num_experiments=2, **numbers(tf))


def _increment():
    return mapped_in_parallel.increment(tf)


DATASETS = {
    **{op: (_interleaved(op), numbers) for op in interleaved.ways(2)},
    **{op + " with errors": (_interleaved(op, interleaved.failing_inner), numbers) for op in interleaved.ways(2)},
    "map": (lambda: mapped_in_parallel.parallel_map(tf, count_up(tf, 6), _increment(), 3), numbers),
    "failing map": (
        lambda: mapped_in_parallel.parallel_map(tf, failing_at(tf, count_up(tf, 6), [1, 4]), _increment(), 3),
        numbers,
    ),
    "batch": (lambda: mapped_in_parallel.map_and_batch(tf, count_up(tf, 11), _increment()), vectors),
    "cache": (lambda: repeated(tf, cached.cache(tf, count_up(tf, 3)), 2, numbers(tf)), numbers),
    "chosen": (_chosen, numbers),
}


@pytest.mark.parametrize("name", DATASETS)
def test_a_moved_iterator_continues_at_the_same_element(name):
    make, of = DATASETS[name]
    with tf.Graph().as_default():
        expected = moved_pulls(tf, make(), of(tf), 0)
    for at in range(1, len(expected) + 1):
        with tf.Graph().as_default():
            assert moved_pulls(tf, make(), of(tf), at)[: len(expected)] == expected, at


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("other", ["map", "InterleaveDataset", "batch", "cache"])
def test_a_position_of_another_dataset_is_an_error_or_a_position(name, other):
    with tf.Graph().as_default(), tf.Session() as session:
        first = Pull(tf, DATASETS[other][0](), DATASETS[other][1](tf), "first")
        second = Pull(tf, DATASETS[name][0](), DATASETS[name][1](tf), "second")
        move = first.move_to(second)
        session.run([first.start, second.start])
        first.outcomes(session, 2)
        try:
            session.run(move)
        except ERRORS:
            pass
        second.outcomes(session, 3)
