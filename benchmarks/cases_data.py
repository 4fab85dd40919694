"""Input pipelines of `tf.data`, run to their end inside the engine or pulled element by element."""

from __future__ import annotations

import atexit
import os
import tempfile
import time

import numpy as np
from case import Case, Measured, sessions

NUMBERS, BATCH = 200_000, 128
IMAGES, PIXELS, SHUFFLED = 60_000, 784, 10_000
MANY = 1_000_000
RECORDS, FEATURES = 50_000, 8
GENERATED = 50_000
PULLS = 20_000


def _dataset_cost(peer, dataset, elements):
    """Seconds per element of a run through the dataset, whose batches or elements are thrown away by the engine."""
    tf, session = peer.tf, peer.session()
    iterator = tf.data.make_initializable_iterator(dataset.skip(elements))
    start, next_element = session.make_callable(iterator.initializer), session.make_callable(iterator.get_next())

    def sample():
        start()
        begin = time.perf_counter()
        try:
            next_element()
        except tf.errors.OutOfRangeError:
            return (time.perf_counter() - begin) / elements
        raise AssertionError("the dataset has more elements")

    return Measured(sample)


def _three_ops(x):
    return (x + 1) * 3 - x


def _range(change):
    def program(peer):
        return _dataset_cost(peer, change(peer.tf.data.Dataset.range(NUMBERS)), NUMBERS)

    return program


def _reduced(peer):
    """Seconds per element of a sum over mapped numbers."""
    tf = peer.tf
    total = tf.data.Dataset.range(NUMBERS).map(_three_ops).reduce(tf.constant(0, tf.int64), lambda s, x: s + x)
    run = peer.session().make_callable(total)

    def sample():
        begin = time.perf_counter()
        run()
        return (time.perf_counter() - begin) / NUMBERS

    return Measured(sample)


def _pulled(peer):
    """Seconds of a step that takes the next number beyond those of a step that fetches a constant."""
    tf, session = peer.tf, peer.session()
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(10**12))
    session.run(iterator.initializer)
    pull, constant = session.make_callable(iterator.get_next()), session.make_callable(tf.constant(1, tf.int64))

    def seconds(call):
        begin = time.perf_counter()
        for _ in range(PULLS):
            call()
        return (time.perf_counter() - begin) / PULLS

    return Measured(lambda: seconds(pull) - seconds(constant))


def _images(peer):
    """Seconds per byte of shuffled batches of an array that is fed to the initializer."""
    tf, session = peer.tf, peer.session()
    source = tf.placeholder(tf.float32, [IMAGES, PIXELS])
    batches = tf.data.Dataset.from_tensor_slices(source).shuffle(SHUFFLED, seed=1).batch(BATCH)
    iterator = tf.data.make_initializable_iterator(batches.skip(IMAGES))
    next_batch, array = session.make_callable(iterator.get_next()), np.zeros((IMAGES, PIXELS), np.float32)

    def sample():
        session.run(iterator.initializer, {source: array})
        begin = time.perf_counter()
        try:
            next_batch()
        except tf.errors.OutOfRangeError:
            return (time.perf_counter() - begin) / array.nbytes
        raise AssertionError("the dataset has more elements")

    return Measured(sample)


def _shuffled(peer):
    """Seconds of filling and draining a shuffle buffer of MANY scalars."""
    cost = _dataset_cost(peer, peer.tf.data.Dataset.range(MANY).shuffle(MANY, seed=1), MANY)
    return Measured(lambda: cost.sample() * MANY)


def _records(tf):
    handle, path = tempfile.mkstemp()
    os.close(handle)
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(RECORDS):
            values = {f"f{k}": tf.train.Feature(float_list=tf.train.FloatList(value=[i + k])) for k in range(FEATURES)}
            writer.write(tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString())
    atexit.register(os.remove, path)
    return path


def _parsed(peer, together):
    """Seconds per example of batches of parsed examples from a record file."""
    tf = peer.tf
    features = {f"f{k}": tf.FixedLenFeature([], tf.float32) for k in range(FEATURES)}
    records = tf.data.TFRecordDataset(_records(tf))
    if together:
        batches = records.batch(BATCH).map(lambda lines: tf.parse_example(lines, features))
    else:
        batches = records.map(lambda line: tf.parse_single_example(line, features)).batch(BATCH)
    return _dataset_cost(peer, batches, RECORDS)


def _generated(peer):
    """Seconds per scalar of a Python generator."""
    dataset = peer.tf.data.Dataset.from_generator(lambda: iter(range(GENERATED)), peer.tf.int64, [])
    return _dataset_cost(peer, dataset, GENERATED)


CASES = [
    Case("data_pull", "a step that takes a number from a dataset, beyond a constant", "ns", 300, sessions(_pulled)),
    Case("data_reduce", "reduce over range and map of 3 scalar ops", "ns", 300, sessions(_reduced)),
    Case("data_batch", "range, batch of 128, an element", "ns", 20, sessions(_range(lambda d: d.batch(BATCH)))),
    Case(
        "data_map_batch",
        "range, map of 3 ops, batch of 128, an element",
        "ns",
        60,
        sessions(_range(lambda d: d.map(_three_ops).batch(BATCH))),
    ),
    Case("data_images", "slices of an array, shuffle of 10,000, batch of 128", "GB/s", 8, sessions(_images)),
    Case("data_shuffle", "shuffle of 10^6 scalars, fill and drain", "s", 0.2, sessions(_shuffled)),
    Case("data_parse_single", "record, parse_single_example, batch", "ns", 1250, sessions(lambda p: _parsed(p, False))),
    Case("data_parse", "record, batch, parse_example", "ns", 500, sessions(lambda p: _parsed(p, True))),
    Case("data_generator", "from_generator of scalars", "ns", 1500, sessions(_generated)),
]
