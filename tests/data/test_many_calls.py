"""Stages with more calls at a time than a queue of the pool holds, and calls that wait for other stages."""

import numpy as np
import pytest

import tinytf as tf

MANY = 3000  # A queue of a thread holds 1024 tasks.


def _range():
    return tf.data.Dataset.range(2 * MANY)


STAGES = {
    "map": lambda: _range().map(lambda x: x + 1, num_parallel_calls=MANY),
    "map and batch": lambda: (
        _range()
        .apply(tf.data.experimental.map_and_batch(lambda x: x + 1, MANY, num_parallel_calls=MANY))
        .apply(tf.data.experimental.unbatch())
    ),
    "interleave": lambda: _range().interleave(
        lambda x: tf.data.Dataset.from_tensors(x + 1), cycle_length=MANY, num_parallel_calls=MANY
    ),
}


@pytest.mark.parametrize("stage", STAGES)
def test_any_number_of_calls_at_a_time(stage):
    with tf.Graph().as_default(), tf.Session() as session:
        count, total = session.run(
            STAGES[stage]().reduce((np.int64(0), np.int64(0)), lambda sums, x: (sums[0] + 1, sums[1] + x))
        )
    assert (count, total) == (2 * MANY, MANY * (2 * MANY + 1))


def test_calls_that_iterate_over_datasets_need_no_further_threads():
    """Each call waits for stages that work in the background, on as many threads as there are."""

    def total(n):
        dataset = tf.data.Dataset.range(n).map(lambda x: x, num_parallel_calls=2).prefetch(1)
        return dataset.reduce(np.int64(0), lambda total, x: total + x)

    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.data.Dataset.range(64).map(total, num_parallel_calls=64).batch(64)
        found = session.run(tf.data.make_one_shot_iterator(dataset).get_next())
    np.testing.assert_array_equal(found, [n * (n - 1) // 2 for n in range(64)])


def test_calls_that_ask_an_iterator_need_no_further_threads():
    with tf.Graph().as_default(), tf.Session() as session:
        source = tf.data.Dataset.range(64).map(lambda x: x, num_parallel_calls=2).prefetch(1)
        asked = tf.data.make_initializable_iterator(source)
        dataset = tf.data.Dataset.range(64).map(lambda x: 0 * x + asked.get_next(), num_parallel_calls=64).batch(64)
        iterator = tf.data.make_initializable_iterator(dataset)
        session.run([asked.initializer, iterator.initializer])
        found = session.run(iterator.get_next())
    np.testing.assert_array_equal(sorted(found), range(64))
