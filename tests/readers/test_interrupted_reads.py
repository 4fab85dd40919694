"""Ctrl-C while one step reads many records ends it soon, and the reader continues after the last record read."""

import os
import signal
import threading
import time

import pytest

import tinytf as tf

LINES, SMALL = 2_000_000, 20_000


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
        begin = time.process_time()
        read(SMALL)
        whole = (time.process_time() - begin) * LINES / SMALL
        sent = []

        def interrupt():
            while session._engine.active_runs() == 0:
                time.sleep(0)
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            read(LINES)
        thread.join()
        assert time.process_time() - sent[0] < whole / 2
        produced = session.run(reader.num_records_produced())
        assert SMALL <= produced < LINES
        read(1)
        assert session.run(reader.num_records_produced()) == produced + 1
