"""Ctrl-C while one step reads many records ends it soon, and the reader continues after the last record read."""

import pytest
from signal_polls import SignalPolls, interrupt

import tinytf as tf

LINES = 2_000_000


def test_a_step_that_reads_many_lines_ends_early(tmp_path):
    file = tmp_path / "lines.txt"
    file.write_bytes(b"x\n" * LINES)
    queue = tf.FIFOQueue(2, tf.string, shapes=[[]])
    reader = tf.TextLineReader()
    most = tf.placeholder(tf.int64, [])
    _, lines = reader.read_up_to(queue, most)
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=config) as session:
        session.run(queue.enqueue(str(file)))
        read = session.make_callable(lines.op, [most])
        with SignalPolls(lambda: session._engine.active_runs() > 0, interrupt), pytest.raises(KeyboardInterrupt):
            read(LINES)
        produced = session.run(reader.num_records_produced())
        assert 0 < produced < LINES / 2
        read(1)
        assert session.run(reader.num_records_produced()) == produced + 1
