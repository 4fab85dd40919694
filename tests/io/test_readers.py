"""Readers yield the records or errors of TensorFlow 1.15.5; a waiting read blocks no thread."""

import threading

import pytest
import reader_programs
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    reader_programs, "readers_of_1_15.json"
)


def test_numbers_of_records_that_make_no_sense_are_refused():
    """Invalid record counts are errors, whereas TensorFlow aborts the process."""
    with tf.Session() as session:
        queue, number = tf.FIFOQueue(10, tf.string), tf.placeholder(tf.int64)
        read = tf.IdentityReader().read_up_to(queue, number)
        with pytest.raises(tf.errors.InvalidArgumentError, match="num_records must be >= 0 not -1"):
            session.run(read, {number: -1})
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be a scalar, but had shape: \[2\]"):
            session.run(read, {number: [1, 2]})


def test_queues_of_other_elements_keep_them():
    """A queue with another element type keeps its element, whereas TensorFlow removes and drops it."""
    with tf.Session() as session:
        queue = tf.FIFOQueue(10, tf.int32)
        session.run(queue.enqueue(1))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Expected queue with single string component"):
            session.run(tf.IdentityReader().read(queue))
        assert session.run(queue.size()) == 1


def test_records_longer_than_32_bits_tell_do_not_exist(tmp_path):
    """Records longer than the file do not exist, whereas TensorFlow truncates the length to 32 bits and yields an
    empty record.
    """
    tmp_path.joinpath("f").write_bytes(b"abc")
    with tf.Session() as session:
        queue = tf.FIFOQueue(10, tf.string)
        session.run(queue.enqueue(str(tmp_path / "f")))
        session.run(queue.close())
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(tf.FixedLengthRecordReader(2**63 - 1, footer_bytes=2**63 - 1).read(queue))


def test_many_empty_files_in_a_row(tmp_path):
    tmp_path.joinpath("empty").touch()
    with tf.Session() as session:
        queue = tf.FIFOQueue(-1, tf.string, shapes=[[]])
        session.run(queue.enqueue_many([[str(tmp_path / "empty")] * 100_000 + [__file__]]))
        assert session.run(tf.TextLineReader().read(queue)).key == f"{__file__}:1".encode()


def _started(session, fetch, results):
    def run():
        try:
            results.append(session.run(fetch))
        except tf.errors.OpError as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_what_waits_is_served_in_turn():
    """Two reads wait for work; counts and resets do not wait behind them, unlike in TensorFlow."""
    with tf.Session() as session:
        queue, reader = tf.FIFOQueue(10, tf.string, shapes=[[]]), tf.IdentityReader()
        read, results = reader.read(queue), []
        threads = [_started(session, read, results) for _ in range(2)]
        assert session.run(reader.num_records_produced()) == 0
        session.run(reader.reset())
        session.run(queue.enqueue_many([["a", "b"]]))
        for thread in threads:
            thread.join()
        assert sorted(value.key for value in results) == [b"a", b"b"]


def test_closing_the_session_ends_what_waits():
    session = tf.Session()
    queue, reader = tf.FIFOQueue(10, tf.string), tf.IdentityReader()
    read, results = reader.read(queue), []
    threads = [_started(session, read, results) for _ in range(3)]
    while session.run(queue.size()):
        pass
    session.close()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, (tf.errors.CancelledError, RuntimeError)) for error in results)
    assert len(results) == 3


def test_a_timeout_ends_the_read_that_waits_and_no_other():
    with tf.Session() as session:
        queue, reader = tf.FIFOQueue(10, tf.string), tf.IdentityReader()
        read, results = reader.read(queue), []
        thread = _started(session, read, results)
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(reader.read(queue), options=tf.RunOptions(timeout_in_ms=20))
        session.run(queue.enqueue("a"))
        session.run(queue.enqueue("b"))
        thread.join()
        assert results[0].key in (b"a", b"b")
