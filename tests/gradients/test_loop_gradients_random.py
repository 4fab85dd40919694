"""Gradients of random programs of branches and loops equal forward-mode derivatives in plain Python."""

import os
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from staged_programs import PlainBlocks, StagedBlocks

import tinytf as tf
from tinytf._src import protos

_SIZE, _OUTSIDE = 2, 2  # number of loop variables, and of read-only values
_INPUTS = _SIZE + _OUTSIDE
_EXAMPLES = int(os.environ.get("TINYTF_GRADIENT_PROGRAMS", "25"))


def _expressions():
    leaves = st.one_of(
        st.tuples(st.just("constant"), st.sampled_from([-0.5, 0.25, 1.5])),
        st.tuples(st.just("variable"), st.integers(0, _SIZE - 1)),
        st.tuples(st.just("outside"), st.integers(0, _OUTSIDE - 1)),
        # Not of loop variables: their row gradients do not combine with other gradients, in 1.15 either.
        st.tuples(st.just("row"), st.tuples(st.just("outside"), st.integers(0, _OUTSIDE - 1))),
    )

    def nested(inner):
        return st.one_of(
            st.tuples(st.sampled_from(["mean", "wave"]), inner, inner),
            st.tuples(st.just("stop"), inner),
        )

    return st.recursive(leaves, nested, max_leaves=4)


def _blocks():
    simple = st.tuples(st.just("set"), st.integers(0, _SIZE - 1), _expressions())

    def nested(inner):
        block = st.lists(inner, min_size=1, max_size=3)
        condition = st.tuples(_expressions(), _expressions())
        return st.one_of(
            st.tuples(st.just("if"), condition, block, block),
            st.tuples(st.just("for"), st.integers(0, 3), block),
            st.tuples(st.just("while"), condition, block, st.integers(1, 3)),
        )

    return st.lists(st.recursive(simple, nested, max_leaves=6), min_size=1, max_size=3)


class _Dual:
    """A vector and its derivatives with respect to all elements of all inputs."""

    def __init__(self, value, slopes):
        self.value, self.slopes = value, slopes


class _Plain(PlainBlocks):
    """Runs the program in plain Python."""

    def __init__(self, outside):
        self.outside = outside

    def constant(self, number):
        like = self.outside[0]
        return _Dual(np.full_like(like.value, number), np.zeros_like(like.slopes))

    def mean(self, a, b):
        return _Dual((a.value + b.value) / 2, (a.slopes + b.slopes) / 2)

    def wave(self, a, b):
        sine, cosine = np.sin(a.value), np.cos(a.value)
        return _Dual(sine * b.value, cosine[:, None] * a.slopes * b.value[:, None] + sine[:, None] * b.slopes)

    def stop(self, a):
        return _Dual(a.value, np.zeros_like(a.slopes))

    def row(self, a):
        """Sets all elements to the first."""
        return _Dual(np.broadcast_to(a.value[0], a.value.shape), np.broadcast_to(a.slopes[0], a.slopes.shape))

    def total(self, a):
        return a.value.sum()

    def evaluate(self, expression, state):
        kind, *parts = expression
        if kind == "constant":
            return self.constant(parts[0])
        if kind in ("variable", "outside"):
            return (state if kind == "variable" else self.outside)[parts[0]]
        return getattr(self, kind)(*(self.evaluate(part, state) for part in parts))

    def holds(self, condition, state):
        a, b = (self.total(self.evaluate(part, state)) for part in condition)
        return a < b

    def simple(self, kind, parts, state):
        value = self.evaluate(parts[1], state)
        return [value if i == parts[0] else old for i, old in enumerate(state)]


class _Graph(StagedBlocks, _Plain):
    """Builds the program as a graph."""

    def constant(self, number):
        return tf.ones_like(self.outside[0]) * tf.constant(number, tf.float64)

    def mean(self, a, b):
        return (a + b) / 2.0

    def wave(self, a, b):
        return tf.sin(a) * b

    def stop(self, a):
        return tf.stop_gradient(a)

    def row(self, a):
        return tf.gather(a, tf.zeros_like(a, tf.int32))

    def total(self, a):
        return tf.reduce_sum(a)


def _inputs(start, size):
    values = np.reshape(start, [_INPUTS, -1])[:, :size]
    slopes = np.eye(values.size).reshape(_INPUTS, size, -1)
    return values, [_Dual(value, slope) for value, slope in zip(values, slopes, strict=True)]


def _configs():
    plain = tf.ConfigProto()
    plain.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    plain.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    return {"compiled": None, "tokens": plain, "functions": None}


@contextmanager
def _built(config):
    """Builds control flow as functions (v2) or as primitive ops (v1)."""
    if config == "functions":
        tf.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.disable_control_flow_v2()


_NUMBERS = st.floats(-2, 2, width=16).map(lambda x: x + 0.0)  # no -0


@pytest.mark.parametrize("shape", [[2], [None], None], ids=str)
@pytest.mark.parametrize("config", _configs())
@seed(20261126)
@settings(max_examples=_EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
@given(block=_blocks(), starts=st.lists(st.lists(_NUMBERS, min_size=8, max_size=8), min_size=1, max_size=2))
def test_gradients(config, shape, block, starts):
    with tf.Graph().as_default(), _built(config):
        inputs = [tf.placeholder(tf.float64, shape) for _ in range(_INPUTS)]
        results = _Graph(inputs[_SIZE:]).run(block, inputs[:_SIZE])
        gradients = [tf.convert_to_tensor(g) for g in tf.gradients(results, inputs, unconnected_gradients="zero")]
        with tf.Session(config=_configs()[config]) as sess:
            for start in starts:
                values, duals = _inputs(start, 2)
                expected = _Plain(duals[_SIZE:]).run(block, duals[:_SIZE])
                try:
                    found = sess.run([results, gradients], dict(zip(inputs, values, strict=True)))
                except tf.errors.InvalidArgumentError as error:
                    # Rows gathered in zero iterations have no shape, in 1.15 either.
                    assert "row" in str(block) and "segment_ids[0] = 0 is out of range [0, 0)" in error.message
                    continue
                np.testing.assert_allclose(found[0], [dual.value for dual in expected], 1e-7, 1e-9)
                slopes = sum(dual.slopes.sum(0) for dual in expected)
                np.testing.assert_allclose(np.reshape(found[1], -1), slopes, 1e-6, 1e-9)
