"""Random programs give the same values, variables and derivatives traced as executed."""

import random

import numpy as np
import pytest

import tinytf as tf

UNARY = [
    tf.tanh,
    tf.sin,
    tf.square,
    tf.identity,
    tf.stop_gradient,
    lambda t: t * 2.0,
    lambda t: tf.reduce_sum(t) + tf.zeros([3]),
    lambda t: tf.reverse(t, [0]),
    lambda t: tf.gather(t, [2, 0, 1]),
    lambda t: tf.concat([t[1:], t[:1]], 0),
    lambda t: tf.clip_by_value(t, -1.0, 1.0),
]
BINARY = [tf.add, tf.multiply, tf.subtract, tf.maximum, lambda a, b: tf.where(a > b, a, b)]


def _program(seed):
    """A function of two variables and two vectors, of up to 13 steps; steps take any earlier value."""
    choose = random.Random(seed)
    kinds = choose.choices(
        ["unary", "binary", "read", "assign", "add", "scatter"], [7, 5, 3, 2, 2, 1], k=choose.randrange(3, 14)
    )
    steps = [(kind, choose.random(), choose.random(), choose.random()) for kind in kinds]

    def body(variables, x, y):
        values = [x, y]
        for kind, which, first, second in steps:
            variable = variables[int(which * 2)]
            a, b = values[int(first * len(values))], values[int(second * len(values))]
            if kind == "unary":
                values.append(UNARY[int(which * len(UNARY))](a))
            elif kind == "binary":
                values.append(BINARY[int(which * len(BINARY))](a, b))
            elif kind == "read":
                values.append(variable.read_value())
            elif kind == "assign":
                variable.assign(tf.tanh(a))
            elif kind == "add":
                variable.assign_add(a * 0.1)
            else:
                variable.scatter_add(tf.IndexedSlices(a[:1], tf.constant([1])))
        return values[-1], tf.add_n(values)

    return body


def _array(value):
    """Zeros for a derivative that is known to be zero."""
    return np.zeros(3) if value is None else np.asarray(tf.convert_to_tensor(value))


def _observed(body, traced):
    with tf.EagerSession():
        variables = [tf.Variable([0.1, 0.2, 0.3]), tf.Variable([-0.5, 0.4, 0.9])]

        def call(x, y):
            return body(variables, x, y)

        function = tf.function(call) if traced else call
        found = []
        for i in range(2):
            x, y = tf.constant([0.3, -0.2, 0.5 * i]), tf.constant([1.0, 0.5, -0.7])
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as tape:
                    tape.watch([x, y])
                    last, total = function(x, y)
                    loss = tf.reduce_sum(last * total)
                gradients = tape.gradient(loss, [x, y, *variables])
                slope = tf.add_n([tf.convert_to_tensor(g) for g in gradients if g is not None] or [x])
            found += [last, total, *gradients, outer.gradient(slope, x), *variables]
        return [_array(value) for value in found]


@pytest.mark.parametrize("seed", range(40))
def test_tracing_changes_nothing(seed):
    body = _program(seed)
    for executed, traced in zip(_observed(body, False), _observed(body, True), strict=True):
        np.testing.assert_allclose(traced, executed, rtol=1e-4, atol=1e-5)
