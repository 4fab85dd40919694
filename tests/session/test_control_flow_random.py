"""Random programs of branches and loops give the same results as plain Python, compiled and run by the dataflow
machine, with primitives and with functions, including side effects: variables, queues, assertions.
"""

from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from staged_programs import PlainBlocks, StagedBlocks

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.context.execution import eager_mode

_PRIME = 97  # modulus that bounds the numbers
_SIZE = 3  # number of variables


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
        st.tuples(st.just("push"), _expressions()),
        st.tuples(st.just("pop"), st.integers(0, _SIZE - 1)),
        st.tuples(st.just("check"), _conditions()),
    )

    def nested(inner):
        block = st.lists(inner, min_size=1, max_size=3)
        return st.one_of(
            st.tuples(st.just("if"), _conditions(), block, block),
            st.tuples(st.just("for"), st.integers(0, 4), block),
            st.tuples(st.just("while"), _conditions(), block, st.integers(1, 4)),
        )

    return st.lists(st.recursive(simple, nested, max_leaves=8), min_size=1, max_size=4)


class _Failed(Exception):
    """Raised by a failed check."""


class _Plain(PlainBlocks):
    """Runs the program in plain Python."""

    def __init__(self, outside):
        self.outside = outside
        self.ticks = 0
        self.queue = []

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
            return self.with_value(state, parts[0], self.value(parts[1], state))
        return getattr(self, kind)(*parts, state)

    @staticmethod
    def with_value(state, which, value):
        return [value if i == which else old for i, old in enumerate(state)]

    def tick(self, count, state):
        self.ticks += count
        return state

    def push(self, expression, state):
        self.queue.append(self.value(expression, state))
        return state

    def pop(self, which, state):
        return self.with_value(state, which, self.queue.pop(0)) if self.queue else state

    def check(self, condition, state):
        if not self.holds(condition, state):
            raise _Failed
        return state


class _Graph(StagedBlocks, _Plain):
    """Builds the program as a graph in which side effects are ordered by control inputs."""

    def __init__(self, outside, counter, queue):
        super().__init__(outside)
        self.counter = counter
        self.queue = queue

    def value(self, expression, state):
        if expression[0] == "constant":
            return tf.constant(expression[1])
        return super().value(expression, state)

    def holds(self, condition, state):
        kind, a, b = condition
        a, b = self.value(a, state), self.value(b, state)
        return a < b if kind == "<" else tf.equal((a + b) % 2, 0)

    def _after(self, state, effect):
        with tf.control_dependencies(state):
            done = effect()
        with tf.control_dependencies([done]):
            return [tf.identity(value) for value in state]

    def tick(self, count, state):
        return self._after(state, lambda: self.counter.assign_add(count, read_value=False))

    def push(self, expression, state):
        return self._after(state, lambda: self.queue.enqueue(self.value(expression, state)))

    def pop(self, which, state):
        def taken():
            value = self.queue.dequeue()
            value.set_shape([])
            return value

        with tf.control_dependencies(state):
            value = tf.cond(self.queue.size() > 0, taken, lambda: tf.identity(state[which]))
        return self._after([*self.with_value(state, which, value)], lambda: value.op)

    def check(self, condition, state):
        shown = [tf.cast(value, tf.float32) for value in state]
        return self._after(state, lambda: tf.Assert(self.holds(condition, state), shown))


def _configs():
    plain = tf.ConfigProto()
    plain.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
    plain.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
    few = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    return {"compiled": None, "one thread": few, "tokens": plain, "functions": None, "functions by tokens": plain}


@contextmanager
def _built(config):
    """Builds control flow as functions (v2) or as primitive ops (v1)."""
    if config.startswith("functions"):
        tf.enable_control_flow_v2()
    try:
        yield
    finally:
        tf.disable_control_flow_v2()


def _expected(block, start):
    """The result of Python, or None if a check fails."""
    plain = _Plain(start[_SIZE:])
    try:
        return [*plain.run(block, start[:_SIZE]), plain.ticks, len(plain.queue)]
    except _Failed:
        return None


def _of(effects, block):
    """Whether a block contains no other effects than these."""
    return all(
        kind in effects
        or kind in ("set", "if", "for", "while")
        and all(_of(effects, b) for b in parts if isinstance(b, list))
        for kind, *parts in block
    )


def _check(config, block, starts):
    with tf.Graph().as_default(), _built(config):
        inputs = [tf.placeholder(tf.int32, []) for _ in range(_SIZE + 2)]
        counter, queue = tf.Variable(0, use_resource=True), tf.FIFOQueue(10_000, tf.int32, [[]])
        results = _Graph(inputs[_SIZE:], counter, queue).run(block, inputs[:_SIZE])
        held, emptied = queue.size(), queue.dequeue_many(queue.size())
        with tf.Session(config=_configs()[config]) as sess:
            for start in starts:
                sess.run([counter.initializer, emptied])
                feed = dict(zip(inputs, start, strict=True))
                expected = _expected(block, start)
                if expected is None:
                    with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
                        sess.run(results, feed)
                else:
                    assert [*sess.run(results, feed), *sess.run([counter, held])] == expected


_STARTS = st.lists(st.lists(st.integers(0, 20), min_size=5, max_size=5), min_size=1, max_size=3)


@pytest.mark.parametrize("config", _configs())
@seed(20261125)
@settings(max_examples=60, database=None, suppress_health_check=list(HealthCheck))
@given(block=_blocks().filter(lambda block: _of(["tick"], block)), starts=_STARTS)
def test_programs(config, block, starts):
    _check(config, block, starts)


@pytest.mark.parametrize("config", _configs())
@seed(20261126)
@settings(max_examples=60, database=None, suppress_health_check=list(HealthCheck))
@given(block=_blocks(), starts=_STARTS)
def test_programs_with_effects(config, block, starts):
    _check(config, block, starts)


@seed(20261127)
@settings(max_examples=60, database=None, suppress_health_check=list(HealthCheck))
@given(block=_blocks(), starts=_STARTS)
def test_functions(block, starts):
    with eager_mode(), tf.EagerSession():
        counter, queue = tf.Variable(0), tf.FIFOQueue(10_000, tf.int32, [[]])
        function = tf.function(lambda *inputs: _Graph(inputs[_SIZE:], counter, queue).run(block, list(inputs[:_SIZE])))
        for start in starts:
            counter.assign(0)
            queue.dequeue_many(queue.size())
            expected, inputs = _expected(block, start), [tf.constant(value) for value in start]
            if expected is None:
                with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed"):
                    function(*inputs)
            else:
                found = [*function(*inputs), counter, queue.size()]
                assert [int(value) for value in found] == expected
