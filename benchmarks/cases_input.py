"""Input pipelines based on queues: shuffled batches of lines from files, and elements passed from one thread to
another.
"""

from __future__ import annotations

import atexit
import os
import tempfile
import threading
import time

import numpy as np
from case import Case, Measured, sessions

LINES, BATCH = 400_000, 1000
ELEMENTS, TOGETHER = 200_000, 100


def _file_of_lines():
    handle, path = tempfile.mkstemp()
    with os.fdopen(handle, "w") as file:
        file.writelines(f"line {i},{i}\n" for i in range(LINES))
    atexit.register(os.remove, path)
    return path


def _lines(peer, at_once=None):
    """Seconds per line; the queues are as full after a sample as before it."""
    tf, session = peer.tf, peer.session()
    names, reader = tf.train.string_input_producer([_file_of_lines()]), tf.TextLineReader()
    _, line = reader.read(names) if at_once is None else reader.read_up_to(names, at_once)
    batch = tf.train.shuffle_batch([line], BATCH, 6 * BATCH, 5 * BATCH, enqueue_many=at_once is not None)
    tf.train.start_queue_runners(session)
    run = session.make_callable(batch)

    def sample(batches=50):
        run()
        start = time.perf_counter()
        for _ in range(batches):
            run()
        return (time.perf_counter() - start) / (batches * BATCH)

    return Measured(sample)


def _handed_over(peer):
    """Seconds per element that one thread enqueues and another dequeues, TOGETHER elements at a time."""
    tf, session = peer.tf, peer.session()
    queue = tf.FIFOQueue(10 * TOGETHER, tf.float32, shapes=[[]])
    put = session.make_callable(queue.enqueue_many(tf.constant(np.zeros(TOGETHER, np.float32))))
    take = session.make_callable(queue.dequeue_many(TOGETHER))

    def fill():
        for _ in range(ELEMENTS // TOGETHER):
            put()

    def sample():
        thread = threading.Thread(target=fill)
        start = time.perf_counter()
        thread.start()
        for _ in range(ELEMENTS // TOGETHER):
            take()
        seconds = time.perf_counter() - start
        thread.join()
        return seconds / ELEMENTS

    return Measured(sample)


CASES = [
    Case("lines", "a line: reader, shuffle_batch of 1000", "µs", 3.33, sessions(_lines), better_than="tensorflow"),
    Case("lines_together", "the same, read 100 at a time", "µs", 1, sessions(lambda peer: _lines(peer, 100))),
    Case("handed_over", "element from thread to thread, 100 at a time", "µs", 1, sessions(_handed_over)),
]
