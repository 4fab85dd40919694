"""Random programs on two sessions have the statistics of a Python model after every step.

A program is a list of numbers, one per step: Hypothesis generates and shrinks such lists much faster than rules that
draw arguments one by one. The environment variable TINYTF_STATE_MACHINE_STEPS sets the total number of steps of all
cases.
"""

import itertools
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, note, seed, settings
from hypothesis import strategies as st
from session_model import Model, inside
from watched_sessions import STRATEGIES

import tinytf as tf

pytestmark = pytest.mark.hooks

STEPS = int(os.environ.get("TINYTF_STATE_MACHINE_STEPS", "25_000"))
KINDS = list(itertools.product(STRATEGIES, [False, True]))
LENGTH = 100  # steps per program
SIZES = [1, 7, 100, 5_000, 20_000]  # element counts: small values, and values large enough to be freed separately
MOST_VALUES = 40
PROGRAMS = st.lists(st.integers(0, (1 << 24) - 1), min_size=LENGTH, max_size=LENGTH)  # 0: a step that does nothing

InvalidArgumentError = tf.errors.InvalidArgumentError
SessionClosedError = tf.eager.SessionClosedError

_steps = []


def step(weight):
    """Registers a kind of step with a relative frequency in random programs."""

    def add(method):
        _steps.extend([method] * weight)
        return method

    return add


class Programs:
    """Two sessions, each with its model. A step gets one model, the other one, and a number for its choices."""

    def __init__(self, kind, other):
        self.models = [Model(*kind, held=other & 1), Model(*KINDS[(other >> 1) % len(KINDS)], held=other >> 4 & 1)]
        self.detached = []

    def run(self, program):
        for number in program:
            number, kind = divmod(number, len(_steps))
            number, which = divmod(number, 2)
            method = _steps[kind]
            if kind:
                note(f"{method.__name__} {which} {number}")
            method(self, self.models[which], self.models[1 - which], number)
            for model in self.models:
                model.check()

    def end(self):
        for model in self.models:
            model.settle()
            model.check()
            model.session.close()
            model.closed = True
            model.end()
            model.check()
            model.values.clear()
            model.exports.clear()
            model.check()

    def value(self, model, n):
        """A readable value of the model, or None."""
        if model.values:
            value = model.values[n % len(model.values)]
            if value.live and not model.closed and value.number is not None:
                return value
        return None

    @step(1)
    def nothing(self, model, other, n):
        pass

    # -- Making.

    def make_one(self, model, n):
        size = SIZES[n % len(SIZES)]
        number = float(n % 1000)
        model.add(tf.constant(np.full([size], number, np.float32)), 4 * size, number)

    @step(8)
    def make(self, model, other, n):
        if model.usable and len(model.values) < MOST_VALUES:
            with inside(model.session):
                self.make_one(model, n)

    @step(4)
    def compute(self, model, other, n):
        if model.usable and (value := self.value(model, n)):
            with inside(model.session):
                model.add(tf.negative(value.tensor), value.bytes, -value.number)

    @step(3)
    def compute_from_the_others(self, model, other, n):
        if model.usable and (value := self.value(other, n)):
            with inside(model.session):
                model.add(tf.negative(value.tensor), value.bytes, -value.number)
            model.session.synchronize()  # so that the other session may be closed

    @step(2)
    def share_memory(self, model, other, n):
        if model.usable and (value := self.value(model, n)):
            with inside(model.session):
                model.add(tf.identity(value.tensor), value.bytes, value.number)

    @step(2)
    def several_outputs(self, model, other, n):
        if model.usable and (value := self.value(model, n)) and 4 < value.bytes <= 400:
            with inside(model.session):
                for output in tf.unstack(value.tensor, value.bytes // 4):
                    model.add(output, 4, value.number)
            while len(model.values) > MOST_VALUES:
                model.drop(n % len(model.values))

    @step(1)
    def nest(self, model, other, n):
        if not (model.usable and other.usable):
            return
        with inside(model.session):
            with pytest.raises(RuntimeError, match="already been entered"):
                model.session.__enter__()
            with inside(other.session):
                self.make_one(other, n)
            self.make_one(model, n)

    @step(1)
    def scope(self, model, other, n):
        if not model.usable:
            return
        first = len(model.values)
        with inside(model.session), model.session.scope() as scope:
            for _ in range(n % 6):
                self.make_one(model, n)
            kept = model.values[first:][:1]
            for value in kept:
                scope.retain(value.tensor)
                scope.detach(value.tensor)
        for value in model.values[first + len(kept) :]:
            model.end_value(value)

    # -- Failing.

    @step(2)
    def fail(self, model, other, n):
        if not model.usable or not (value := self.value(model, n)):
            return
        with inside(model.session):
            self.failing_product(model, value.tensor)

    def failing_product(self, model, tensor):
        """Runs an operation that fails: immediately, or in an asynchronous session when it executes."""
        if not model.is_async:
            with pytest.raises(InvalidArgumentError):
                tf.matmul(tensor, tensor)
            return
        model.add(tf.matmul(tensor, tensor), 0, None)
        with pytest.raises(InvalidArgumentError):
            model.session.synchronize()
        model.failed = True

    @step(1)
    def use_what_failed(self, model, other, n):
        failed = [value for value in model.values if value.live and value.number is None]
        if not failed or model.closed:
            return
        tensor = failed[n % len(failed)].tensor
        for use in (tensor.numpy, tensor.detach, lambda: np.from_dlpack(tensor)):
            with pytest.raises(InvalidArgumentError):
                use()
        if other.usable and not other.is_async:
            with inside(other.session), pytest.raises(InvalidArgumentError):
                tf.negative(tensor)

    @step(3)
    def try_after_an_error(self, model, other, n):
        if model.failed and (value := self.value(model, n)):
            with inside(model.session), pytest.raises(InvalidArgumentError):
                tf.negative(value.tensor)
            model.refused()

    @step(4)
    def clear_error(self, model, other, n):
        if not model.closed:
            model.session.clear_error()
            model.failed = False

    # -- Dropping.

    @step(8)
    def drop(self, model, other, n):
        if model.values:
            model.drop(n % len(model.values))

    @step(1)
    def drop_many(self, model, other, n):
        del self.detached[:]
        for _ in range(len(model.values) // 2):
            model.drop(n % len(model.values))

    @step(2)
    def alias(self, model, other, n):
        if model.values and len(model.values) < MOST_VALUES:
            value = model.values[n % len(model.values)]
            value.names += 1
            model.values.append(value)

    @step(2)
    def close_tensor(self, model, other, n):
        if model.values:
            value = model.values[n % len(model.values)]
            if model.usable:
                model.session.synchronize()
            value.tensor.close()
            model.end_value(value)

    @step(2)
    def detach(self, model, other, n):
        if value := self.value(model, n):
            self.detached.append(value.tensor.detach())
            model.end_value(value)
            assert self.detached[-1].numpy()[..., None].flat[0] == value.number
            del self.detached[:-3]

    # -- Reading and exporting.

    @step(2)
    def export(self, model, other, n):
        if (value := self.value(model, n)) and value.bytes > 4:
            self.keep_export(model, value, value.tensor.numpy())

    @step(2)
    def export_dlpack(self, model, other, n):
        if (value := self.value(model, n)) and value.bytes > 4:
            self.keep_export(model, value, np.from_dlpack(value.tensor))

    @step(1)
    def export_buffer(self, model, other, n):
        if (value := self.value(model, n)) and value.bytes > 4:
            value.names += 1  # a memoryview holds a reference to its tensor
            self.keep_export(model, value, np.asarray(memoryview(value.tensor)), value)

    def keep_export(self, model, value, array, holds=None):
        assert array[0] == array[-1] == value.number
        model.exports.append((array, holds))

    @step(5)
    def drop_export(self, model, other, n):
        if model.exports:
            model.drop_export(n % len(model.exports))

    @step(1)
    def read_what_ended(self, model, other, n):
        ended = [value for value in model.values if not value.live]
        if ended:
            tensor = ended[n % len(ended)].tensor
            for use in (tensor.numpy, tensor.detach, lambda: np.from_dlpack(tensor), lambda: tensor.shape):
                with pytest.raises(SessionClosedError):
                    use()
            assert tensor.dtype == tf.float32

    # -- Freeing.

    @step(1)
    def collect(self, model, other, n):
        model.session.collect()

    @step(1)
    def flush(self, model, other, n):
        if model.usable:
            model.session.synchronize()
            model.session.flush()
            assert model.session.stats().queued == 0

    @step(2)
    def safe_point(self, model, other, n):
        if model.usable:
            model.session.op_builder("NoOp", "nothing").build()

    @step(2)
    def reapers_turn(self, model, other, n):
        if model.held and not model.closed:
            model.hold.step(1 + n % 3)

    @step(1)
    def hold_the_reaper_or_not(self, model, other, n):
        if model.background and not model.closed:
            model.held = not model.held
            if model.held:
                model.hold.pause_reaper()
            else:
                model.hold.resume()

    @step(1)
    def settle(self, model, other, n):
        model.settle()

    # -- Ending.

    @step(1)
    def reset(self, model, other, n):
        if not model.closed:
            model.session.reset()
            model.end()

    @step(1)
    def close(self, model, other, n):
        session = model.session
        if n % 5 == 0:
            session.close()
        elif n % 5 == 1:
            session.close(cancel_pending=True)
        elif n % 5 == 2 and not model.closed:
            with session:
                pass
        elif n % 5 == 3:
            try:
                session.close(timeout=0)
            except tf.errors.DeadlineExceededError:
                assert session.stats().state == "closing"
                with pytest.raises(SessionClosedError):
                    session.op_builder("NoOp", "nothing")
                session.close()
        else:
            with pytest.raises(SessionClosedError if model.closed else KeyError), session:
                raise KeyError("the body's own")
        model.closed = True
        model.end()
        assert session.stats().queued_bytes == 0

    @step(2)
    def begin_anew(self, model, other, n):
        if model.closed:
            model.values.clear()
            model.exports.clear()
            model.check()
            self.models[self.models.index(model)] = Model(*KINDS[n % len(KINDS)], held=n >> 8 & 1)


@pytest.mark.parametrize(
    ("number", "kind"), list(enumerate(KINDS)), ids=[f"{s.name}-{'async' if a else 'sync'}" for s, a in KINDS]
)
def test_random_programs(number, kind):
    @seed(number)
    @settings(
        max_examples=max(1, STEPS // (LENGTH * len(KINDS))),
        phases=[Phase.generate, Phase.shrink],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(other=st.integers(0, 63), program=PROGRAMS)
    def run(other, program):
        programs = Programs(kind, other)
        try:
            programs.run(program)
            programs.end()
        finally:
            for model in programs.models:
                model.session.close()

    run()
