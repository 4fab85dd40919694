"""Staging areas behave as in TensorFlow 1.15.5; a step waiting for room or a tuple blocks no thread."""

import threading

import numpy as np
import pytest
import staging_programs
from recorded import recorded

import tinytf as tf

AREA = {"shared_name": "area", "capacity": 2}


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    staging_programs, "staging_of_1_15.json"
)


def _numbers():
    """A fed number, a put of it, and a take."""
    number = tf.placeholder(tf.int32)
    put = tf.raw_ops.Stage(values=[number], **AREA)
    (taken,) = tf.raw_ops.Unstage(dtypes=[tf.int32], **AREA)
    return number, put, taken


def test_what_waits_for_room_goes_on_when_there_is_some():
    with tf.Session() as session:
        number, put, taken = _numbers()
        thread = threading.Thread(target=lambda: [session.run(put, {number: i}) for i in range(50)])
        thread.start()
        assert [session.run(taken) for _ in range(50)] == list(range(50))
        thread.join()


def test_a_peek_waits_for_its_tuple_and_holds_up_nobody():
    with tf.Session() as session:
        number, put, taken = _numbers()
        (second,) = tf.raw_ops.StagePeek(index=1, dtypes=[tf.int32], **AREA)
        results = []
        thread = threading.Thread(target=lambda: results.append(session.run(second)))
        thread.start()
        for i in range(2):
            session.run(put, {number: i})
        thread.join()
        assert results == [1]
        assert session.run(taken) == 0


@pytest.mark.parametrize("waits", ["taken", "put"])
def test_a_timeout_ends_what_waits(waits):
    with tf.Session() as session:
        number, put, taken = _numbers()
        if waits == "put":
            for i in range(2):
                session.run(put, {number: i})
        with pytest.raises(tf.errors.DeadlineExceededError):
            fetch = put if waits == "put" else taken
            session.run(fetch, {number: 9}, options=tf.RunOptions(timeout_in_ms=20))
        if waits == "taken":
            session.run(put, {number: 0})
        assert session.run(taken) == 0


def test_fed_arrays_may_change_when_they_are_in():
    with tf.Session() as session:
        values = tf.placeholder(tf.int32)
        put = tf.raw_ops.Stage(values=[values], **AREA)
        (taken,) = tf.raw_ops.Unstage(dtypes=[tf.int32], **AREA)
        fed = np.arange(1000, dtype=np.int32)
        session.run(put, {values: fed})
        fed[:] = 0
        assert session.run(taken).tolist() == list(range(1000))


def test_tuples_of_other_types_and_places_that_cannot_be_are_refused():
    """TensorFlow returns a tuple of another dtype, and waits forever for an invalid index."""
    with tf.Session() as session:
        number, put, taken = _numbers()
        session.run(put, {number: 1})
        (other,) = tf.raw_ops.StagePeek(index=0, dtypes=[tf.float32], **AREA)
        with pytest.raises(tf.errors.InvalidArgumentError, match="Mismatch stage/unstage: int32 vs. float"):
            session.run(other)
        (before,) = tf.raw_ops.StagePeek(index=-1, dtypes=[tf.int32], **AREA)
        with pytest.raises(tf.errors.InvalidArgumentError, match="index must be >= 0 not -1"):
            session.run(before)
        assert session.run(taken) == 1
