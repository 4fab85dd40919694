"""Benchmarks of record files and of parsing Examples."""

from __future__ import annotations

import atexit
import os
import tempfile
from collections import deque

import numpy as np
from case import Case, sessions

_BATCH = 128
_MEGABYTES = 64


def _record_file(tf, size):
    """The name of a file with records of `size` bytes; it is removed at exit."""
    descriptor, name = tempfile.mkstemp(suffix=".tfrecord")
    os.close(descriptor)
    atexit.register(os.remove, name)
    record = np.random.default_rng(0).bytes(size)
    with tf.python_io.TFRecordWriter(name) as writer:
        for _ in range(_MEGABYTES * 1_000_000 // size):
            writer.write(record)
    return name


def _read(size):
    """A program that iterates over all records of a file."""

    def program(peer):
        name = _record_file(peer.tf, size)
        return lambda: deque(peer.tf.python_io.tf_record_iterator(name), maxlen=0)

    return program


def _write(size):
    def program(peer):
        return lambda: _record_file(peer.tf, size)

    return program


def _features(tf):
    """Ten features that cover all dtypes and kinds."""
    dense = {f"number{i}": tf.FixedLenFeature([4], tf.float32) for i in range(4)}
    counts = {f"count{i}": tf.FixedLenFeature([], tf.int64) for i in range(3)}
    return {
        **dense,
        **counts,
        "name": tf.FixedLenFeature([], tf.string),
        "ids": tf.VarLenFeature(tf.int64),
        "words": tf.VarLenFeature(tf.string),
    }


def _example(tf, number):
    train = tf.train
    rng = np.random.default_rng(number)
    features = {f"number{i}": train.Feature(float_list=train.FloatList(value=rng.random(4).tolist())) for i in range(4)}
    for i in range(3):
        features[f"count{i}"] = train.Feature(int64_list=train.Int64List(value=[number + i]))
    features["name"] = train.Feature(bytes_list=train.BytesList(value=[b"name %d" % number]))
    features["ids"] = train.Feature(int64_list=train.Int64List(value=range(number % 8)))
    features["words"] = train.Feature(bytes_list=train.BytesList(value=[b"word"] * (number % 4)))
    return train.Example(features=train.Features(feature=features)).SerializeToString()


def _parse(peer):
    """Parses a batch of Examples. All tensors are fetched, because a step drops unread outputs."""
    tf = peer.tf
    batch = np.array([_example(tf, number) for number in range(_BATCH)], object)

    def build(serialized):
        parsed = tf.parse_example(serialized, _features(tf)).values()
        return [getattr(tensor, "values", tensor) for tensor in parsed]

    return peer.program(build, batch)


CASES = [
    Case("read_large_records", "read records of 100 kB", "GB/s", 1.0, sessions(_read(100_000)), work=_MEGABYTES * 1e6),
    Case("read_records", "read a record of 1 kB", "ns", 1000, sessions(_read(1000)), work=_MEGABYTES * 1e3),
    Case("write_records", "write a record of 1 kB", "ns", 2000, sessions(_write(1000)), work=_MEGABYTES * 1e3),
    Case("parse_example", "parse an Example of 10 features", "µs", 2.0, sessions(_parse), work=_BATCH),
]
