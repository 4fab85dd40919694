"""Random programs of branches and loops yield what they yield in plain Python, compiled and by tokens."""

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from staged_programs import PlainBlocks, StagedBlocks

import tinytf as tf
from tinytf import protos

_PRIME = 97  # numbers stay below
_SIZE = 3  # variables


def _expressions():
    leaves = st.one_of(
        st.tuples(st.just("constant"), st.integers(0, 9)),
        st.tuples(st.just("variable"), st.integers(0, _SIZE - 1)),
        st.tuples(st.just("outside"), st.integers(0, 1)),
    )
    return st.recursive(leaves, lambda inner: st.tuples(st.sampled_from(["+", "*"]), inner, inner), max_leaves=4)


def _conditions():
    return st.tuples(st.sampled_from(["<", "even"]), _expressions(), _expressions())


def _blocks():
    simple = st.one_of(
        st.tuples(st.just("set"), st.integers(0, _SIZE - 1), _expressions()),
        st.tuples(st.just("tick"), st.integers(1, 5)),
    )

    def nested(inner):
        block = st.lists(inner, min_size=1, max_size=3)
        return st.one_of(
            st.tuples(st.just("if"), _conditions(), block, block),
            st.tuples(st.just("for"), st.integers(0, 4), block),
            st.tuples(st.just("while"), _conditions(), block, st.integers(1, 4)),
        )

    return st.lists(st.recursive(simple, nested, max_leaves=8), min_size=1, max_size=4)


class _Plain(PlainBlocks):
    """The program as Python runs it."""

    def __init__(self, outside):
        self.outside = outside
        self.ticks = 0

    def value(self, expression, state):
        kind, *parts = expression
        if kind in "+*":
            a, b = (self.value(part, state) for part in parts)
            return (a + b if kind == "+" else a * b) % _PRIME
        return parts[0] if kind == "constant" else (state if kind == "variable" else self.outside)[parts[0]]

    def holds(self, condition, state):
        kind, a, b = condition
        a, b = self.value(a, state), self.value(b, state)
        return a < b if kind == "<" else (a + b) % 2 == 0

    def simple(self, kind, parts, state):
        if kind == "set":
            return [self.value(parts[1], state) if i == parts[0] else old for i, old in enumerate(state)]
        self.ticks += parts[0]
        return state


class _Graph(StagedBlocks, _Plain):
    """The program as a graph."""

    def __init__(self, outside, counter):
        super().__init__(outside)
        self.counter = counter

    def value(self, expression, state):
        if expression[0] == "constant":
            return tf.constant(expression[1])
        return super().value(expression, state)

    def holds(self, condition, state):
        kind, a, b = condition
        a, b = self.value(a, state), self.value(b, state)
        return a < b if kind == "<" else tf.equal((a + b) % 2, 0)

    def simple(self, kind, parts, state):
        if kind == "set":
            return super().simple(kind, parts, state)
        with tf.control_dependencies([self.counter.assign_add(parts[0], read_value=False)]):
            return [tf.identity(value) for value in state]


def _configs():
    plain = tf.ConfigProto()
    plain.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    plain.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    few = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    return {"compiled": None, "one thread": few, "tokens": plain}


@pytest.mark.parametrize("config", _configs())
@seed(20261125)
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(block=_blocks(), starts=st.lists(st.lists(st.integers(0, 20), min_size=5, max_size=5), min_size=1, max_size=3))
def test_programs(config, block, starts):
    config = _configs()[config]
    with tf.Graph().as_default():
        inputs = [tf.placeholder(tf.int32, []) for _ in range(_SIZE + 2)]
        counter = tf.Variable(0, use_resource=True)
        results = _Graph(inputs[_SIZE:], counter).run(block, inputs[:_SIZE])
        with tf.Session(config=config) as sess:
            for start in starts:
                sess.run(counter.initializer)
                plain = _Plain(start[_SIZE:])
                expected = plain.run(block, start[:_SIZE])
                found = sess.run(results, dict(zip(inputs, start, strict=True)))
                assert (found, sess.run(counter)) == (expected, plain.ticks)
