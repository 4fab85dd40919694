"""Eager operations on a reader do not deadlock with a read of a compressed file on another thread."""

import contextvars
import gzip
import threading

import tinytf as tf
from tinytf.eager import EagerSession

BATCHES, BATCH = 200, 50


def test_counts_of_a_reader_while_another_thread_reads(tmp_path):
    """The read decompresses with Python's zlib, for which it takes the GIL while it holds the reader's mutex."""
    file = tmp_path / "records.gz"
    with tf.python_io.TFRecordWriter(str(file), tf.python_io.TFRecordOptions("GZIP")) as writer:
        for i in range(BATCHES * BATCH):
            writer.write(b"%d" % i * 100)
    assert gzip.open(file).read(1)
    with EagerSession():
        raw = tf.raw_ops
        queue = raw.FIFOQueueV2(component_types=[tf.string])
        raw.QueueEnqueueV2(handle=queue, components=[str(file)])
        reader = raw.TFRecordReaderV2(compression_type="GZIP")
        failed = []

        def read():
            try:
                for _ in range(BATCHES):
                    raw.ReaderReadUpToV2(reader_handle=reader, queue_handle=queue, num_records=BATCH)
            except tf.errors.OpError as error:
                failed.append(error)

        thread = threading.Thread(target=contextvars.copy_context().run, args=(read,))
        thread.start()
        counts = [0]
        while thread.is_alive():
            counts.append(int(raw.ReaderNumRecordsProducedV2(reader_handle=reader)))
        thread.join()
        assert not failed
        assert counts == sorted(counts)
        assert int(raw.ReaderNumRecordsProducedV2(reader_handle=reader)) == BATCHES * BATCH
