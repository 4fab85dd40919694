"""Random programs on two sessions: after every step the figures are those of a model in Python.

The default run takes about 10,000 steps; the environment variable TINYTF_STATE_MACHINE_RUNS sets how many times 50.
"""

import contextlib
import os

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from watched_sessions import Strategy, assert_balanced

import tinytf as tf
from tinytf.eager import session as sessions

RUNS = int(os.environ.get("TINYTF_STATE_MACHINE_RUNS", "200"))
SIZES = st.sampled_from([1, 7, 100, 5_000, 20_000])  # elements: small ones, and such as are freed apart
WHICH = st.integers(0, 1)
PICK = st.integers(0, 1_000_000)


@contextlib.contextmanager
def using(session):
    """The session's block, without closing it."""
    entered, core = sessions._entered.get(), sessions._entered_core.get()
    session.__enter__()
    try:
        yield
    finally:
        sessions._entered.set(entered)
        sessions._entered_core.set(core)


class Model:
    """A session, the tensors that are referred to, and what its figures must be."""

    def __init__(self, strategy, is_async):
        self.session = tf.EagerSession(resource_cleanup_strategy=strategy, async_=is_async)
        self.keeps = strategy == Strategy.ON_SESSION_CLOSE
        self.background = strategy == Strategy.IN_BACKGROUND
        self.tensors = {}  # number → [tensor, bytes, names that refer to it, whether it has its value]
        self.exports = []
        self.created = self.gone = self.invalidated = 0
        self.retained = []

    def add(self, tensor, size):
        self.tensors[self.created] = [tensor, size, 1, True]
        self.created += 1

    def pick(self, n):
        keys = list(self.tensors)
        return keys[n % len(keys)]

    def has_value(self, key):
        return self.tensors[key][3] and not self.session.closed

    def end_value(self, key):
        if self.tensors[key][3]:
            self.tensors[key][3] = False
            self.gone += 1

    def drop(self, key):
        entry = self.tensors[key]
        entry[2] -= 1
        if entry[2]:
            return
        if entry[3] and self.keeps and not self.session.closed:
            self.retained.append(entry[1])
        elif entry[3]:
            self.gone += 1
        del self.tensors[key]

    def end(self):
        """All values end; the tensors stay."""
        for entry in self.tensors.values():
            if entry[3]:
                entry[3] = False
                self.invalidated += 1
        self.gone += len(self.retained)
        self.retained = []

    def live(self):
        return [entry[1] for entry in self.tensors.values() if entry[3]]

    def settle(self):
        if self.session.closed:
            return
        self.session.synchronize()
        self.session.collect()
        self.session.flush()

    def check(self):
        stats = self.session.stats()
        assert stats.created == self.created
        assert (stats.live, stats.live_bytes) == (len(self.live()), sum(self.live()))
        assert (stats.retained, stats.retained_bytes) == (len(self.retained), sum(self.retained))
        assert stats.freed + stats.queued == self.gone
        assert stats.invalidated == self.invalidated
        assert stats.exported_bytes == sum(array.nbytes for array in self.exports)
        assert (stats.active_ops, stats.free_errors) == (0, 0)
        assert_balanced(self.session)


class Programs(RuleBasedStateMachine):
    @initialize(strategies=st.tuples(*2 * [st.sampled_from(Strategy)]), asyncs=st.tuples(st.booleans(), st.booleans()))
    def open(self, strategies, asyncs):
        self.models = [Model(*options) for options in zip(strategies, asyncs, strict=True)]
        self.detached = []

    def usable(self, which):
        model = self.models[which]
        return model if not model.session.closed else None

    def holder(self, which):
        model = self.models[which]
        return model if model.tensors else None

    @rule(which=WHICH, size=SIZES)
    def make(self, which, size):
        if model := self.usable(which):
            with using(model.session):
                model.add(tf.constant(np.full([size], 2.0, np.float32)), 4 * size)

    @rule(which=WHICH, n=PICK)
    def compute(self, which, n):
        model = self.usable(which)
        other = self.models[n % 2]
        if not model or not other.tensors:
            return
        key = other.pick(n // 2)
        if not other.has_value(key):
            return
        with using(model.session):
            model.add(tf.negative(other.tensors[key][0]), other.tensors[key][1])
        if model is not other:  # so that the other may be closed
            model.session.synchronize()

    @rule(which=WHICH, n=PICK)
    def share_memory(self, which, n):
        model = self.usable(which)
        if model and model.tensors and model.has_value(key := model.pick(n)):
            with using(model.session):
                model.add(tf.identity(model.tensors[key][0]), model.tensors[key][1])

    @rule(which=WHICH, n=PICK)
    def drop(self, which, n):
        if model := self.holder(which):
            model.drop(model.pick(n))

    @rule(which=WHICH, n=PICK)
    def alias(self, which, n):
        if model := self.holder(which):
            model.tensors[model.pick(n)][2] += 1

    @rule(which=WHICH, n=PICK)
    def export(self, which, n):
        model = self.holder(which)
        if model and model.has_value(key := model.pick(n)):
            array = model.tensors[key][0].numpy()
            assert abs(array[0]) == 2.0
            model.exports.append(array)

    @rule(which=WHICH, n=PICK)
    def drop_export(self, which, n):
        model = self.models[which]
        if model.exports:
            array = model.exports.pop(n % len(model.exports))
            assert abs(array[-1]) == 2.0

    @rule(which=WHICH, n=PICK)
    def close_tensor(self, which, n):
        if model := self.holder(which):
            model.settle()
            key = model.pick(n)
            model.tensors[key][0].close()
            model.end_value(key)

    @rule(which=WHICH, n=PICK)
    def detach(self, which, n):
        model = self.holder(which)
        if model and model.has_value(key := model.pick(n)):
            self.detached.append(model.tensors[key][0].detach())
            model.end_value(key)
            assert abs(self.detached[-1].numpy()[0]) == 2.0
            del self.detached[:-3]

    @rule(which=WHICH, n=st.integers(0, 5), size=SIZES)
    def scope(self, which, n, size):
        if model := self.usable(which):
            with using(model.session), model.session.scope() as scope:
                first = model.created
                for _ in range(n):
                    model.add(tf.constant(np.full([size], 2.0, np.float32)), 4 * size)
                if n > 1:
                    scope.retain(model.tensors[first][0])
                    scope.detach(model.tensors[first][0])
            for key in range(first + (n > 1), model.created):
                model.end_value(key)

    @rule(which=WHICH)
    def collect(self, which):
        self.models[which].session.collect()

    @rule(which=WHICH)
    def flush(self, which):
        if model := self.usable(which):
            model.session.synchronize()
            model.session.flush()
            assert model.session.stats().queued == 0

    @rule(which=WHICH)
    def safe_point(self, which):
        if model := self.usable(which):
            model.session.op_builder("NoOp", "nothing").build()

    @rule(which=WHICH)
    def reset(self, which):
        if model := self.usable(which):
            model.session.reset()
            model.end()

    @precondition(lambda self: sum(model.created for model in self.models) > 20)
    @rule(which=WHICH, strategy=st.sampled_from(Strategy), is_async=st.booleans())
    def close(self, which, strategy, is_async):
        model = self.models[which]
        model.session.close()
        model.end()
        model.check()
        assert model.session.stats().queued_bytes == 0
        model.tensors.clear()
        model.exports.clear()
        self.models[which] = Model(strategy, is_async)

    @rule(which=WHICH)
    def close_for_good(self, which):
        model = self.models[which]
        if model.created > 30:
            model.session.close()
            model.end()

    @rule(which=WHICH)
    def settle(self, which):
        self.models[which].settle()
        self.models[which].check()

    @invariant()
    def figures(self):
        for model in self.models:
            if not model.background and not model.session.is_async:
                model.check()

    def teardown(self):
        for model in getattr(self, "models", []):
            model.settle()
            model.check()
            model.session.close()
            model.end()
            model.check()
            model.tensors.clear()
            model.exports.clear()
            assert model.session.stats().exported_bytes == 0


TestPrograms = Programs.TestCase
TestPrograms.settings = settings(
    max_examples=RUNS,
    stateful_step_count=50,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
