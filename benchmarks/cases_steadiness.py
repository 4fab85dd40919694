"""Benchmarks of conditions that arise in long training: denormal numbers, changing sizes between steps, deep
models, and independent nodes that can run in parallel.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from case import Case, Measured, sessions
from cases_sessions import ratio

TINY = 1e-39  # below the smallest normal float32
DEEP_LAYERS, DEEP_WIDTH = 60, 1024  # 252 MB of weights
EQUAL_NODES = 8


def _normal(*shape):
    return np.random.default_rng(0).standard_normal(shape, np.float32)


def _apart(peer, build, *arrays):
    """A program in a graph of its own."""
    with peer.tf.Graph().as_default():
        return peer.program(build, *arrays)


def _denormal_product(peer):
    """The time of a product of denormal matrices as a multiple of the time of a product of normal ones."""
    tf, a = peer.tf, _normal(256, 256)
    product = lambda x, y: tf.matmul(x, y)  # noqa: E731
    return ratio(_apart(peer, product, a, a), _apart(peer, product, a * TINY, a))


def _adam_step(peer, moment):
    """A step of Adam with zero gradients: the moments decay and the weights stay."""
    tf, size = peer.tf, 1 << 20
    weights = tf.Variable(tf.zeros([size]))
    optimizer = tf.train.AdamOptimizer(1e-3, beta1=0.999999, beta2=0.999999)
    step = optimizer.apply_gradients([(tf.zeros([size]), weights)])
    slots = [optimizer.get_slot(weights, name) for name in ("m", "v")]
    session = peer.initialized()
    session.run([tf.assign(slot, tf.fill([size], moment)) for slot in slots])
    return lambda: session.run(step)


def _denormal_adam(peer):
    """The time of a step with denormal moments as a multiple of the time of a step with normal ones."""
    return ratio(_adam_step(peer, 0.5), _adam_step(peer, TINY))


def _faults_after_other_sizes(peer):
    """Page faults of a call on 3.4 million floats after calls on other sizes."""
    tf = peer.tf
    x = tf.placeholder(tf.float32, [None])
    doubled = tf.reduce_sum(x * 2.0)
    session = peer.session()
    arrays = [np.ones(size, np.float32) for size in (1_000_000, 3_400_000)]
    for array in [*arrays * 3, arrays[1]]:
        session.run(doubled, {x: array})

    def sample():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(10):
            session.run(doubled, {x: arrays[1]})
        return (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / 10

    return Measured(sample)


def _resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def _deep_training(peer):
    """Bytes by which training a deep model grows the process, beyond the size of its weights."""
    tf = peer.tf
    y = x = tf.placeholder(tf.float32, [8, DEEP_WIDTH])
    for seed in range(DEEP_LAYERS):
        initial = tf.random_normal([DEEP_WIDTH, DEEP_WIDTH], stddev=0.03, seed=seed)
        y = tf.nn.relu(tf.matmul(y, tf.Variable(initial)))
    step = tf.train.GradientDescentOptimizer(1e-3).minimize(tf.reduce_mean(y * y))
    session = peer.initialized()
    before = _resident_bytes()
    for _ in range(5):
        session.run(step, {x: np.ones([8, DEEP_WIDTH], np.float32)})
    grown = max(_resident_bytes() - before, 0)
    return Measured(lambda: grown)


def _equal_nodes(peer):
    """The time of a step of independent equal nodes as a multiple of their sequential time divided by the number of
    threads.
    """
    tf = peer.tf
    a = _normal(1, 1_000_000)  # a single row, so that each sum is computed by one thread
    sums = lambda *xs: tf.add_n([tf.cumsum(x, axis=1)[-1, -1] for x in xs])  # noqa: E731
    one = _apart(peer, sums, a)
    all_of_them = _apart(peer, sums, *(a + i for i in range(EQUAL_NODES)))
    ideal = EQUAL_NODES / peer.threads

    def sample():
        turns = [(_seconds(one), _seconds(all_of_them)) for _ in range(10)]
        least_one, least_all = map(min, zip(*turns))
        return least_all / least_one / ideal

    return Measured(sample)


def _seconds(step):
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


CASES = [
    Case("denormal_product", "product of denormals / of others", "×", 1.1, sessions(_denormal_product)),
    Case("denormal_adam", "Adam on denormal moments / others", "×", 1.1, sessions(_denormal_adam)),
    Case("page_faults", "page faults after other sizes", "faults", 0, sessions(_faults_after_other_sizes)),
    Case("deep_training", "60 layers, SGD, over the weights", "MB", 60, sessions(_deep_training)),
    Case("equal_nodes", "8 equal nodes / their time over threads", "×", 1.1, sessions(_equal_nodes)),
]
