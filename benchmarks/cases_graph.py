"""Benchmarks of building a graph and of its first run."""

from __future__ import annotations

import time

import numpy as np
from case import Case, Measured, sessions

LAYERS = 100  # of the network that is built and differentiated; 6 ops each
CHAINS, CHAIN_LENGTH = 100, 100  # of the graph whose first run is measured


def _network(tf):
    """A deep network in the style of user programs: matrix products, biases, activations and Python numbers as
    operands.
    """
    hidden = tf.placeholder(tf.float32, [32, 64])
    weights = tf.placeholder(tf.float32, [64, 64])
    bias = tf.placeholder(tf.float32, [64])
    for _ in range(LAYERS):
        hidden = tf.nn.relu(tf.matmul(hidden, weights) + bias) * 0.5
    return tf.reduce_sum(tf.square(hidden)), [weights, bias]


def _build(peer):
    def sample():
        graph = peer.tf.Graph()
        with graph.as_default():
            start = time.perf_counter()
            _network(peer.tf)
            seconds = time.perf_counter() - start
        return seconds / len(graph.get_operations())

    return Measured(sample)


def _gradients(peer):
    def sample():
        graph = peer.tf.Graph()
        with graph.as_default():
            loss, parameters = _network(peer.tf)
            before = len(graph.get_operations())
            start = time.perf_counter()
            peer.tf.gradients(loss, parameters)
            seconds = time.perf_counter() - start
        return seconds / (len(graph.get_operations()) - before)

    return Measured(sample)


def _first_run(peer, *devices):
    """The first step of a fresh session, including its constructor, on a graph of 10,000 ops that cannot be folded.

    The chains of ops are assigned to the devices in turn.
    """
    tf, graph = peer.tf, peer.tf.Graph()
    with graph.as_default():
        x = tf.placeholder(tf.float32, [4])
        ends = []
        for i in range(CHAINS):
            value = x
            with tf.device(devices[i % len(devices)] if devices else None):
                for _ in range(CHAIN_LENGTH):
                    value = tf.add(value, x)
            ends.append(value)
        total = tf.add_n(ends)
    fed = {x: np.ones(4, np.float32)}

    def sample():
        with graph.as_default():
            start = time.perf_counter()
            session = peer.session()
            session.run(total, fed)
            seconds = time.perf_counter() - start
            session.close()
        return seconds

    return Measured(sample)


def _placed_run(peer):
    return _first_run(peer, "/cpu:0", "/device:CPU:0", "/job:localhost/task:0")


def _large_graph(tf):
    """A graph of 10,000 ops made of copies of the network."""
    graph = tf.Graph()
    with graph.as_default():
        while graph.version < 10_000:
            _network(tf)
    return graph


def _import(peer):
    tf = peer.tf
    written = _large_graph(tf).as_graph_def()

    def sample():
        with tf.Graph().as_default():
            start = time.perf_counter()
            tf.import_graph_def(written)
            return time.perf_counter() - start

    return Measured(sample)


def _export(peer):
    graph = _large_graph(peer.tf)

    def sample():
        start = time.perf_counter()
        graph.as_graph_def()
        return time.perf_counter() - start

    return Measured(sample)


CASES = [
    Case("build_graph", "building a graph, per op", "µs", 12, sessions(_build)),
    Case("first_run", "first run of 10,000 ops", "ms", 80, sessions(_first_run)),
    Case("placed_run", "the same in device scopes", "ms", 80, sessions(_placed_run)),
    Case("import", "import_graph_def of 10,000 ops", "ms", 100, sessions(_import)),
    Case("export", "as_graph_def() of them", "ms", 100, sessions(_export)),
    Case("gradients", "tf.gradients, per op created", "µs", 40, sessions(_gradients)),
]
