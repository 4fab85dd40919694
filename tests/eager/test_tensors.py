"""Eager tensors: in their session, after its end, across sessions, and beside graph tensors."""

import gc
import traceback

import numpy as np
import pytest
from programs import run_program
from watched_sessions import STRATEGIES, Strategy, assert_balanced

import tinytf as tf

pytestmark = pytest.mark.hooks

SessionClosedError = tf.eager.SessionClosedError


@pytest.mark.acceptance
def test_a_value_ends_with_its_session(options):
    with tf.EagerSession(**options):
        x = tf.constant(10) * 3
        assert x.numpy() == 30
    for read in (x.numpy, x._shape_tuple, lambda: x.shape, lambda: np.asarray(x), lambda: int(x)):
        with pytest.raises(SessionClosedError, match="has been closed"):
            read()
    assert x.dtype == tf.int32
    assert "invalidated" in repr(x) and "invalidated" in str(x)


@pytest.mark.acceptance
def test_operands_of_two_sessions(options):
    with tf.EagerSession(**options) as first:
        x = tf.constant(5)
        with tf.EagerSession(**options) as second:
            y = tf.constant(6)
            made = first.stats().created
            total = x + y
            assert total.numpy() == 11
            assert first.stats().created == made
            assert_balanced(second)
        with pytest.raises(SessionClosedError):
            total.numpy()
        assert x.numpy() == 5


def test_an_operand_of_a_closed_session(options):
    with tf.EagerSession(**options) as first:
        x = tf.constant(5)
    site = repr(first._site)
    with tf.EagerSession(**options), pytest.raises(SessionClosedError, match="session of this tensor") as caught:
        x + 6
    assert "test_tensors.py" in str(caught.value), (site, caught.value)


def test_a_result_that_shares_memory_outlives_the_other_session(options):
    other = tf.EagerSession(**options)
    with other:
        x = tf.constant(np.arange(1000, dtype=np.float32))
        x.numpy()
        with tf.EagerSession(**options) as session:
            y = tf.reshape(x, [10, 100])
            y.numpy()
            assert session.stats().live_bytes >= 4000
            other.close()
            assert session.stats().live_bytes >= 4000  # memory is charged to every session that holds it
            assert y.numpy()[9, 99] == 999
            with pytest.raises(SessionClosedError):
                x.numpy()


@pytest.mark.acceptance
def test_an_eager_operand_of_a_graph(session):
    with session:
        x = tf.constant(5.0)
        with tf.Graph().as_default():
            y = tf.placeholder(tf.float32, [])
            for add in (lambda: x + y, lambda: y + x, lambda: tf.add(x, y), lambda: tf.identity(x)):
                with pytest.raises(ValueError, match="[Ee]ager"):
                    add()


@pytest.mark.acceptance
def test_a_graphs_operand_of_an_eager_operation(session):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [], name="x")
    with session:
        y = tf.constant(5.0)
        for add in (lambda: x + y, lambda: y + x, lambda: tf.add(x, y), lambda: tf.negative(x)):
            with pytest.raises(
                TypeError, match=r"(?s)being passed\na \"Graph\" tensor.*The graph tensor has name: x:0"
            ):
                add()
    with tf.EagerSession() as other, pytest.raises(tf.errors.InvalidArgumentError, match="tensor of a graph, 'x:0'"):
        other.op_builder("Neg", "n").add_input(x)


@pytest.mark.acceptance
def test_an_operand_of_another_graph(session):
    with session:
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [])
        with tf.Graph().as_default():
            y = tf.placeholder(tf.float32, [])
            with pytest.raises(ValueError, match="same graph"):
                tf.add(x, y)
        assert session.stats().created == 0


# -- Unintended references to a value.


def test_a_cycle_holds_its_tensors_until_it_is_collected(watch):
    watched = watch(resource_cleanup_strategy=Strategy.ON_SAFE_POINTS)
    gc.disable()
    try:
        with watched.session as session:
            cycle = [tf.constant([1.0, 2.0])]
            cycle.append(cycle)
            del cycle
            assert (session.stats().live, session.stats().queued) == (1, 0)
            gc.collect()
            assert (session.stats().live, session.stats().queued) == (0, 1)
    finally:
        gc.enable()


def test_pressure_of_garbage_collects_it(watch):
    limit = 1 << 20
    watched = watch(gc_pressure_bytes=limit, resource_cleanup_strategy=Strategy.ON_SAFE_POINTS)
    gc.disable()
    try:
        with watched.session as session:
            for _ in range(100):
                cycle = [tf.zeros([1 << 14])]  # 64 KiB
                cycle.append(cycle)
                del cycle
                session.op_builder("NoOp", "safe_point").build()
            assert session.stats().peak_bytes <= limit + (1 << 18)
    finally:
        gc.enable()


def test_an_error_out_of_the_block_keeps_locals_that_are_invalid(options):
    def program():
        with tf.EagerSession(**options) as session:
            local = tf.constant([1.0]) * 2.0  # noqa: F841 (looked for in the frame)
            sessions.append(session)
            raise KeyError("the body's own")

    sessions = []
    with pytest.raises(KeyError, match="the body's own") as caught:
        program()
    assert sessions[0].closed
    frame = [frame for frame, _ in traceback.walk_tb(caught.tb)][-1]
    local = frame.f_locals["local"]
    with pytest.raises(SessionClosedError):
        local.numpy()
    assert "invalidated" in repr(local)
    assert caught.value.__context__ is None


def test_a_suspended_generator_keeps_locals_that_are_invalid(options):
    def generator():
        local = tf.constant([1.0])
        yield local.numpy()
        yield local.numpy()

    with tf.EagerSession(**options):
        values = generator()
        assert next(values) == 1.0
    with pytest.raises(SessionClosedError):
        next(values)


def test_garbage_may_be_collected_while_a_tensor_goes():
    """The callback of a weak reference may run the collector, which must not find the tensor again."""
    program = """
import gc, weakref
import tinytf as tf

with tf.EagerSession() as session:
    for _ in range(2000):
        x = tf.constant([1.0, 2.0])
        reference = weakref.ref(x, lambda _: gc.collect(0))
        del x
        kept = [[i].append for i in range(50)]  # in memory that is free
    session.flush()
    assert session.stats().freed == 2000
"""
    done = run_program(program)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# -- Exports.


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_arrays_outlive_tensor_and_session(strategy):
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        x = tf.constant(np.arange(1000, dtype=np.float32)) + 0.0
        array = x.numpy()
        assert not array.flags.writeable
        assert session.stats().exported_bytes == 4000
        del x
        session.collect()
    assert session.stats().exported_bytes == 4000
    assert array.sum() == 499500
    part = array[500:]
    del array
    assert session.stats().exported_bytes == 4000
    assert part[-1] == 999
    del part
    assert session.stats().exported_bytes == 0


def test_a_copy_is_no_export(session):
    with session:
        x = tf.constant([1.0, 2.0]) + 1.0
        array = x.numpy(copy=True)
        array[0] = 7.0
        assert session.stats().exported_bytes == 0
        assert x.numpy().tolist() == [2.0, 3.0]


def test_buffer_protocol_outlives_tensor_and_session(options):
    with tf.EagerSession(**options) as session:
        view = memoryview(tf.constant([[1.0, 2.0], [3.0, 4.0]]) + 0.0)
        assert (view.format, view.shape, view.readonly) == ("f", (2, 2), True)
        assert session.stats().exported_bytes == 16
    assert view.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    view.release()
    assert session.stats().exported_bytes == 0


def test_dlpack_outlives_tensor_and_session(options):
    with tf.EagerSession(**options) as session:
        array = np.from_dlpack(tf.constant([1.0, 2.0]) + 0.0)
        assert session.stats().exported_bytes == 8
    assert array.tolist() == [1.0, 2.0]
    del array
    assert session.stats().exported_bytes == 0


def test_strict_close_tells_of_arrays(options):
    session = tf.EagerSession(**options)
    with session:
        array = (tf.constant([1.0, 2.0]) + 0.0).numpy()
        with pytest.raises(RuntimeError, match="8 bytes"):
            session.close(strict=True)
        assert session.closed
    assert array.tolist() == [1.0, 2.0]
    with tf.EagerSession(**options) as other:
        tf.constant(1.0)
        other.close(strict=True)


def test_strings_are_freed_too(watch):
    with watch(resource_cleanup_strategy=Strategy.IN_BACKGROUND).session as session:
        text = tf.constant(["x" * 1000, "y"])
        assert session.stats().live_bytes >= 1000
        del text
        session.flush()
        assert session.stats().live_bytes == 0


@pytest.mark.parametrize(
    "dtype", [tf.float16, tf.bfloat16, tf.float64, tf.int8, tf.uint64, tf.bool, tf.complex64], ids=lambda d: d.name
)
def test_bytes_of_each_type(watch, dtype):
    with watch(resource_cleanup_strategy=Strategy.ON_SAFE_POINTS).session as session:
        x = tf.zeros([10], dtype)
        session.collect()
        assert session.stats().live_bytes == 10 * dtype.size
        del x
        session.collect()
        assert session.stats().live_bytes == 0
