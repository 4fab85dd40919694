"""`RecordInput` beyond TensorFlow's guarantees: a waiting step blocks no thread and ends soon, no thread is leaked,
and invalid numbers and files are errors.
"""

import os
import threading
import time

import numpy as np
import pytest

import tinytf as tf
from tinytf.python.ops.data_flow_ops import RecordInput


def _write(path, records):
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for record in records:
            writer.write(record)


def _threads():
    """The names of the process's record-reading threads."""
    names = []
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/comm") as file:
                names.append(file.read().strip())
        except (FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            pass
    return [name for name in names if name == "tinytf-records"]


def _no_threads():
    """Whether these threads end soon; the system lists a joined thread for a moment."""
    end = time.monotonic() + 30
    while _threads() and time.monotonic() < end:
        time.sleep(0.001)
    return not _threads()


@pytest.fixture
def files(tmp_path):
    for k in range(5):
        _write(tmp_path / f"f{k}", [b"%d-%d" % (k, i) for i in range(40)])
    return str(tmp_path / "f*")


@pytest.mark.parametrize("parallelism", [1, 3, 100])
@pytest.mark.parametrize("buffer_size", [1, 7, 64, 1000])
def test_each_epoch_has_all_records_once(files, parallelism, buffer_size):
    records = RecordInput(files, 25, buffer_size, parallelism, shift_ratio=0.3).get_yield_op()
    wanted = sorted(b"%d-%d" % (k, i) for k in range(5) for i in range(40))
    with tf.Session() as session:
        for _ in range(3):
            got = np.concatenate([session.run(records) for _ in range(8)]).tolist()
            assert sorted(got) == wanted
        assert got != wanted


def test_a_batch_may_be_larger_than_an_epoch(tmp_path):
    _write(tmp_path / "one", [b"a", b"b"])
    records = RecordInput(str(tmp_path / "one"), 101, 1000).get_yield_op()
    with tf.Session() as session:
        got = session.run(records).tolist()
    assert got.count(b"a") in (50, 51) and len(got) == 101


def test_close_ends_the_threads(files):
    records = RecordInput(files, 1, 1000, 4).get_yield_op()
    session = tf.Session()
    session.run(records)
    assert 1 <= len(_threads()) <= 4
    session.close()
    assert _no_threads()


def test_sessions_that_go_end_the_threads(files):
    with tf.Graph().as_default():
        records = RecordInput(files, 1, 2, 4).get_yield_op()
        session = tf.Session()
        session.run(records)
        assert _threads()
        session.close()
        del session
    assert _no_threads()


def test_what_waits_is_cancelled(files, later):
    records = RecordInput(files, 2_000_000).get_yield_op()
    session = tf.Session()
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.run(records, options=tf.RunOptions(timeout_in_ms=20))
    waiting = later(session, records)
    while session._engine.active_runs() == 0 and not waiting.done():
        time.sleep(0.001)
    session.close()
    with pytest.raises(tf.errors.CancelledError):
        waiting.result(60)
    assert _no_threads()


def test_a_batch_that_is_given_up_does_not_hold_up_others(files):
    records = RecordInput(files, 3, 50).get_yield_op()
    endless_wait = tf.FIFOQueue(1, tf.string).dequeue()
    with tf.Session() as session:
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run([records, endless_wait], options=tf.RunOptions(timeout_in_ms=50))
        assert len(session.run(records)) == 3


def test_many_steps_at_a_time(files):
    records = RecordInput(files, 8, 20, 2).get_yield_op()
    found = []
    with tf.Session() as session:

        def take():
            for _ in range(25):
                found.extend(session.run(records).tolist())

        takers = [threading.Thread(target=take) for _ in range(4)]
        for taker in takers:
            taker.start()
        for taker in takers:
            taker.join()
    assert len(found) == 800 and set(map(found.count, set(found))) == {4}


@pytest.mark.parametrize(
    "given",
    [{"buffer_size": 0}, {"buffer_size": -1}, {"parallelism": 0}, {"parallelism": -(1 << 63)}, {"batch_size": -1}],
)
def test_numbers_that_are_none(files, given):
    records = RecordInput(**{"file_pattern": files, "batch_size": 2, **given}).get_yield_op()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="must"):
        session.run(records)


def test_sizes_beyond_memory(files):
    records = RecordInput(files, (1 << 63) - 1).get_yield_op()
    with tf.Session() as session:
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
            session.run(records)
        largest = RecordInput(files, 200, (1 << 63) - 1, (1 << 63) - 1).get_yield_op()
        assert len(set(session.run(largest).tolist())) == 200


def test_files_without_records(tmp_path):
    _write(tmp_path / "empty", [])
    (tmp_path / "nothing").write_bytes(b"")
    records = RecordInput(str(tmp_path / "*")).get_yield_op()
    with tf.Session() as session, pytest.raises(tf.errors.NotFoundError, match="Found no records in the files at"):
        session.run(records)


def test_files_that_are_cut_and_changed(tmp_path):
    """For a change of any byte of a file, the step fails or yields records; it neither hangs nor crashes."""
    _write(tmp_path / "whole", [b"abc", b"defgh"])
    whole = (tmp_path / "whole").read_bytes()
    damaged = tmp_path / "damaged"
    records = RecordInput(str(damaged), 2, 10).get_yield_op()
    for i in range(len(whole)):
        for content in (whole[:i], whole[:i] + bytes([whole[i] ^ 0x41]) + whole[i + 1 :]):
            damaged.write_bytes(content)
            with tf.Session() as session:
                try:
                    assert set(session.run(records).tolist()) <= {b"abc", b"defgh"}
                except (tf.errors.DataLossError, tf.errors.NotFoundError):
                    pass


def test_the_error_stays(tmp_path):
    (tmp_path / "bad").write_bytes(b"x" * 40)
    records = RecordInput(str(tmp_path / "bad")).get_yield_op()
    with tf.Session() as session:
        for _ in range(3):
            with pytest.raises(tf.errors.DataLossError, match="corrupted record at 0"):
                session.run(records)


def test_a_child_reads_for_itself(files):
    records = RecordInput(files, 4, 16, 2).get_yield_op()
    with tf.Session() as session:
        session.run(records)
        child = os.fork()
        if child == 0:
            os._exit(0 if len(session.run(records)) == 4 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert len(session.run(records)) == 4


def test_eager_execution(files):
    with tf.EagerSession():
        got = tf.raw_ops.RecordInput(file_pattern=files, batch_size=4)
        assert got.shape == (4,) and got.dtype == tf.string
