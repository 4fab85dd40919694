"""A stored position has the states of the random operations in functions of the pipeline: a restored iterator draws the
numbers that the stored one draws.
"""

import numpy as np
import pytest

import tinytf as tf

Dataset = tf.data.Dataset


def _noisy(x):
    return tf.random_uniform([], seed=3) + tf.cast(x, tf.float32)


def _scanned(total, x):
    total += _noisy(x)
    return total, total


def _repeated(x):
    return Dataset.from_tensors(_noisy(x)).repeat(3)


def _without_seed(x):
    return Dataset.from_tensors(tf.random_normal([])).repeat(9)


def _key(x):
    return tf.random_uniform([], 0, 2, tf.int64, seed=7)


def _windows(dataset):
    windows = tf.data.experimental.group_by_window(_key, lambda _, group: group.map(_noisy).batch(3), window_size=3)
    return dataset.apply(windows).map(tf.reduce_sum)


def _chosen(x):
    return tf.cond(tf.equal(x % 2, 0), lambda: _noisy(x), lambda: -_noisy(x))


def _reduced(dataset):
    reducer = tf.data.experimental.Reducer(
        lambda _: tf.random_uniform([], seed=9), lambda state, x: state + _noisy(x), lambda state: state
    )
    return dataset.apply(tf.data.experimental.group_by_reducer(lambda x: x % 3, reducer))


_PIPELINES = {
    "map": lambda d: d.map(_noisy),
    "map without a seed": lambda d: d.map(lambda x: tf.random_normal([]) + tf.cast(x, tf.float32)),
    "parallel map": lambda d: d.map(_noisy, num_parallel_calls=1),
    "batch": lambda d: d.map(_noisy).batch(2).map(tf.reduce_sum),
    # One call at a time, here and below: several draw in an order that depends on time.
    "map_and_batch": lambda d: d.apply(tf.data.experimental.map_and_batch(_noisy, 2, num_parallel_calls=1)).map(
        tf.reduce_sum
    ),
    "filter": lambda d: d.repeat(3).filter(lambda x: tf.random_uniform([], seed=5) < 0.5),
    "take_while": lambda d: d.apply(tf.data.experimental.take_while(lambda x: tf.random_uniform([], seed=6) < 0.9)),
    "scan": lambda d: d.apply(tf.data.experimental.scan(0.0, _scanned)),
    "flat_map": lambda d: d.flat_map(_repeated),
    "interleave": lambda d: d.interleave(_repeated, 2),
    "parallel interleave": lambda d: d.take(1).interleave(_without_seed, 1, num_parallel_calls=1),
    "map in flat_map": lambda d: d.flat_map(lambda x: Dataset.range(3).map(_noisy)),
    "branches": lambda d: d.map(_chosen),
    "windows": _windows,
    "reducer": _reduced,
    "repeat": lambda d: d.map(_noisy).repeat(2),
    "shuffle": lambda d: d.map(_noisy).shuffle(3, seed=1).prefetch(2),
}


def _rest(session, number):
    numbers = []
    while True:
        try:
            numbers.append(float(np.asarray(session.run(number))))
        except tf.errors.OutOfRangeError:
            return numbers


@pytest.mark.parametrize("name", _PIPELINES)
def test_restored_iterators_draw_the_same_numbers(name, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = tf.data.make_initializable_iterator(_PIPELINES[name](Dataset.range(8)))
        number = iterator.get_next()
        saver = tf.train.Saver({"input": tf.data.experimental.make_saveable_from_iterator(iterator)})
        taken = 0
        while True:
            session.run(iterator.initializer)
            for _ in range(taken):
                session.run(number)
            path = saver.save(session, str(tmp_path / "position"), write_meta_graph=False)
            rest = _rest(session, number)
            with tf.Session() as other:
                other.run(iterator.initializer)
                saver.restore(other, path)
                assert _rest(other, number) == rest, taken
            taken += 1
            if not rest:
                break
        assert taken > 3
