"""A step that waits for room or a tuple in a staging map blocks no thread; each tuple is taken once."""

import random
import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.ops.data_flow_ops import MapStagingArea

ONE_THREAD = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)


def _numbers(**options):
    """A staging map of pairs, a fed key, and a put of the key and its double."""
    area = MapStagingArea([tf.int64, tf.int64], shapes=[[], []], **options)
    key = tf.placeholder(tf.int64, [])
    return area, key, area.put(key, [key, 2 * key], [0, 1])


def test_a_take_waits_for_its_key_and_holds_up_nobody(later):
    with tf.Session(config=ONE_THREAD) as session:
        area, key, put = _numbers()
        late = later(session, area.get(9)[1])
        session.run(put, {key: 1})
        assert session.run(area.get(1)[1]) == [1, 2]
        session.run(put, {key: 9})
        assert late.result() == [9, 18]


def test_a_put_waits_for_room():
    with tf.Session(config=ONE_THREAD) as session:
        area, key, put = _numbers(capacity=2)
        thread = threading.Thread(target=lambda: [session.run(put, {key: i}) for i in range(40)])
        thread.start()
        for i in range(40):
            assert session.run(area.get(i)[1]) == [i, 2 * i]
        thread.join()
        assert session.run(area.size()) == 0


def test_a_part_waits_for_memory_and_not_for_capacity():
    with tf.Session() as session:
        area = MapStagingArea([tf.int64, tf.int64], capacity=1, memory_limit=24)
        key = tf.placeholder(tf.int64, [])
        first, second = (area.put(key, [key], [i]) for i in range(2))
        session.run(first, {key: 1})
        session.run(second, {key: 1})
        session.run(first, {key: 2})
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(second, {key: 2}, options=tf.RunOptions(timeout_in_ms=20))
        session.run(area.get(1)[1])
        session.run(second, {key: 2})
        assert session.run(area.size()) == 1


@pytest.mark.parametrize("waits", ["take", "put", "peek", "first"])
def test_a_timeout_ends_what_waits(waits):
    with tf.Session() as session:
        area, key, put = _numbers(capacity=1)
        fetch = {"take": area.get(5)[1], "put": put, "peek": area.peek(5), "first": area.get()[0]}[waits]
        if waits == "put":
            session.run(put, {key: 1})
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(fetch, {key: 3}, options=tf.RunOptions(timeout_in_ms=20))
        session.run(area.clear())
        session.run(put, {key: 5})
        assert session.run(area.get(5)[1]) == [5, 10]


def test_what_a_put_or_a_take_that_fails_finds_stays():
    """A failed put or take leaves the contents unchanged; TensorFlow reads out of bounds and drops values found
    before the error.
    """
    raw, types = tf.raw_ops, {"dtypes": [tf.int32, tf.float32], "shared_name": "m"}
    with tf.Session() as session:

        def put(indices, *values, key=1):
            session.run(raw.MapStage(key=key, indices=indices, values=values, **types))

        one, half = tf.constant(1), tf.constant(0.5)
        for key, indices, values, text in [
            (1, [0], [one, half], "There are 1 indices for 2 values"),
            (1, [0, 2], [one, half], "Index '2' for key '1' was out of bounds '2'"),
            (1, [0, 1], [half, half], "Mismatch stage/unstage: float vs. int32"),
            ([1, 2], [0, 1], [one, half], r"key must be a scalar, but had shape: \[2\]"),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                put(indices, *values, key=key)
        put([0, 1], one, half)
        for indices, dtypes, text in [
            ([0, 1], [tf.int32], "output/indices size mismatch: 1 vs. 2"),
            ([0, 1], [tf.int32, tf.int32], "Mismatch stage/unstage: float vs. int32"),
            ([0, 7], [tf.int32, tf.float32], "Index '7'"),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(raw.MapUnstage(key=1, indices=indices, dtypes=dtypes, shared_name="m"))
        found = raw.MapUnstage(key=1, indices=[0, 1], dtypes=[tf.int32, tf.float32], shared_name="m")
        assert session.run(found) == [1, 0.5]


def test_fed_arrays_may_change_when_they_are_in():
    with tf.Session() as session:
        area = MapStagingArea([tf.int32])
        values = tf.placeholder(tf.int32)
        fed = np.arange(1000, dtype=np.int32)
        session.run(area.put(1, [values], [0]), {values: fed})
        fed[:] = 0
        assert session.run(area.get(1)[1])[0].tolist() == list(range(1000))


@pytest.mark.parametrize("seed", range(3))
def test_many_threads_get_each_tuple_once(seed):
    putters, takers, count = 3, 3, 40
    with tf.Session() as session:
        area, key, put = _numbers(ordered=True, capacity=4)
        first, taken = area.get(), []

        def put_all(which):
            numbers = [which * count + i for i in range(count)]
            random.Random(seed * 10 + which).shuffle(numbers)
            for number in numbers:
                session.run(put, {key: number})

        def take_all():
            for _ in range(count):
                number, (value, double) = session.run(first)
                assert (value, double) == (number, 2 * number)
                taken.append(int(number))

        threads = [threading.Thread(target=put_all, args=[i]) for i in range(putters)]
        threads += [threading.Thread(target=take_all) for _ in range(takers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(taken) == list(range(putters * count))
        assert session.run(area.size()) == 0
