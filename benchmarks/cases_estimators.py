"""Benchmarks of estimators: a call that builds its graph and session, and one step fed from arrays."""

from __future__ import annotations

import shutil
import tempfile
import time

import numpy as np
from case import Case, Measured

ROWS, BATCH, STEPS = 640, 32, 500
X = np.linspace(0, 1, ROWS * 10, dtype=np.float32).reshape(ROWS, 10)
Y = X.sum(1)


def _estimator(tf, folder):
    def model(features, labels, mode):
        w, v = tf.get_variable("w", [10, 32]), tf.get_variable("v", [32])
        out = tf.reduce_sum(tf.nn.relu(tf.matmul(features["x"], w)) * v, 1)
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions=out)
        loss = tf.reduce_mean(tf.square(out - labels))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    return tf.estimator.Estimator(model, folder)


def _trained(peer, steps):
    """Seconds per step of a `train` call that runs `steps` steps."""
    tf = peer.tf

    def sample():
        folder = tempfile.mkdtemp()
        estimator = _estimator(tf, folder)
        rows = tf.estimator.inputs.numpy_input_fn({"x": X}, Y, batch_size=BATCH, num_epochs=None, shuffle=False)
        start = time.perf_counter()
        estimator.train(rows, steps=steps)
        seconds = time.perf_counter() - start
        tf.summary.FileWriterCache.clear()
        shutil.rmtree(folder)
        return seconds / steps

    sample()  # warm-up: lazy imports
    return Measured(sample)


def _predicted(peer):
    """Seconds per predicted example."""
    tf, folder = peer.tf, tempfile.mkdtemp()
    estimator = _estimator(tf, folder)
    rows = tf.estimator.inputs.numpy_input_fn({"x": X}, batch_size=BATCH, num_epochs=50, shuffle=False)

    def sample():
        start = time.perf_counter()
        count = sum(1 for _ in estimator.predict(rows))
        return (time.perf_counter() - start) / count

    sample()
    return Measured(sample)


# Recent versions of TensorFlow have no estimators.
CASES = [
    Case(
        "train_once",
        "Estimator.train, one step",
        "ms",
        100,
        {"tinytf": lambda p: _trained(p, 1)},
    ),
    Case(
        "train_step",
        "step of Estimator.train, fed arrays",
        "µs",
        350,
        {"tinytf": lambda p: _trained(p, STEPS)},
    ),
    Case("predict_row", "example of Estimator.predict", "µs", 6, {"tinytf": _predicted}),
]
