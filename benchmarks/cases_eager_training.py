"""Eager training: a small network on data with the shape of the digits data set."""

from __future__ import annotations

import contextvars

import numpy as np
from case import Case, Measured

BATCH, INPUTS, HIDDEN, CLASSES, RATE = 32, 64, 32, 10, 0.05


def _data():
    rng = np.random.default_rng(0)
    images = rng.random((BATCH, INPUTS), np.float32)
    weights = [
        (rng.standard_normal(shape) * 0.1).astype(np.float32)
        for shape in ((INPUTS, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,))
    ]
    return images, rng.integers(0, CLASSES, BATCH), weights


def _step_of(tf):
    """A function that runs one training step; it must be called inside a session."""
    images, labels, weights = _data()
    x, y = tf.constant(images), tf.constant(labels.astype(np.int32))
    variables = [tf.Variable(w) for w in weights]
    w1, b1, w2, b2 = variables
    optimizer = tf.train.GradientDescentOptimizer(RATE)

    def step():
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
            logits = tf.matmul(hidden, w2) + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    return step


def _eager(peer):
    context = contextvars.copy_context()
    context.run(peer.tf.EagerSession().__enter__)
    step = context.run(_step_of, peer.tf)
    return lambda: context.run(step)


def _traced(peer):
    context = contextvars.copy_context()
    context.run(peer.tf.EagerSession().__enter__)
    step = peer.tf.function(context.run(_step_of, peer.tf))
    return lambda: context.run(step)


def _scalars(tf):
    """A call of a traced function with two scalars."""
    a, b = tf.constant(1.0), tf.constant(2.0)
    add = tf.function(lambda x, y: x + y)
    return lambda: add(a, b)


def _call(peer):
    context = contextvars.copy_context()
    context.run(peer.tf.EagerSession().__enter__)
    call = context.run(_scalars, peer.tf)
    return lambda: context.run(call)


def _in_tensorflow(make):
    def program(peer):
        import time

        from tensorflow.python.eager import context

        with context.eager_mode():
            call = make(peer.tf)

        def sample():
            with context.eager_mode():
                start = time.perf_counter()
                for _ in range(50):
                    call()
                return (time.perf_counter() - start) / 50

        return Measured(sample)

    return program


def _torch(peer):
    torch = peer.torch
    images, labels, weights = _data()
    x, y = torch.tensor(images), torch.tensor(labels)
    w1, b1, w2, b2 = parameters = [torch.tensor(w, requires_grad=True) for w in weights]
    optimizer = torch.optim.SGD(parameters, lr=RATE)

    def step():
        optimizer.zero_grad()
        hidden = torch.relu(x @ w1 + b1)
        torch.nn.functional.cross_entropy(hidden @ w2 + b2, y).backward()
        optimizer.step()

    return step


CASES = [
    Case(
        "eager_mlp",
        "digits MLP step with a tape",
        "µs",
        250,
        {"tinytf": _eager, "tensorflow": _in_tensorflow(_step_of), "torch": _torch},
        better_than="torch",
    ),
    Case(
        "function_call",
        "tf.function of two scalars",
        "µs",
        5,
        {"tinytf": _call, "tensorflow": _in_tensorflow(_scalars)},
        better_than="tensorflow",
    ),
    Case("function_mlp", "the same step as one tf.function", "µs", 100, {"tinytf": _traced, "torch": _torch}),
]
