"""The life cycle of a session: creation, entering, closing, and its values under each clean-up strategy."""

import asyncio
import contextvars
import gc
import sys
import threading
import warnings
import weakref

import pytest
from watched_sessions import Strategy, Watched, assert_balanced

import tinytf as tf

pytestmark = pytest.mark.hooks

MIB = 1 << 20


def constant(session, value, name="c"):
    """A value produced by an operation of the session."""
    return session.op_builder("Const", name).set_attr("dtype", tf.float32).set_attr("value", value).build().output(0)


@pytest.mark.acceptance
def test_closing_inside_the_block_and_at_its_end_is_silent(options):
    with tf.EagerSession(**options) as session:
        session.close()
        session.close()
    assert session.closed


def test_a_session_is_open_until_it_is_closed(options):
    session = tf.EagerSession(**options)
    assert not session.closed and session.stats().state == "open"
    session.close()
    assert session.closed and session.stats().state == "closed"


@pytest.mark.acceptance
def test_what_is_referred_to_is_freed_by_close_and_not_before(watched):
    with watched.session as session:
        tensor = tf.constant([1.0, 2.0])
        assert watched.freed() == 0
        session.op_builder("NoOp", "safe_point").build()
        session.collect()
        watched.settle()
        assert watched.freed() == 0
    assert watched.freed() == 1
    del tensor
    assert watched.freed() == 1


@pytest.mark.acceptance
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_on_session_close_keeps_what_was_dropped(watch, is_async):
    watched = watch(resource_cleanup_strategy=Strategy.ON_SESSION_CLOSE, async_=is_async)
    session = watched.session
    with session:
        tensor = tf.constant([1.0, 2.0])
        watched.settle()
        del tensor
        assert watched.freed() == 0
        session.op_builder("NoOp", "safe_point").build()  # a safe point frees nothing with this strategy
        session.collect()
        session.flush()
        assert watched.freed() == 0
        assert session.stats().retained == 1 and session.stats().retained_bytes == 8
    assert watched.freed() == 1


@pytest.mark.acceptance
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_on_safe_points_frees_when_an_operation_starts(watch, is_async):
    watched = watch(resource_cleanup_strategy=Strategy.ON_SAFE_POINTS, async_=is_async)
    session = watched.session
    tensor = constant(session, 1.0)
    watched.settle()
    del tensor
    gc.collect()
    before, queued = watched.freed(), session.stats().queued
    assert queued >= 1
    session.op_builder("NoOp", "safe_point")
    assert watched.freed() == before + queued
    assert session.stats().queued == 0


@pytest.mark.acceptance
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_in_background_frees_by_itself(watch, is_async):
    watched = watch(resource_cleanup_strategy=Strategy.IN_BACKGROUND, async_=is_async)
    with watched.session:
        tensor = tf.zeros([MIB], tf.float32)
        watched.settle()
        before, freed = watched.session.stats().live_bytes, watched.freed()
        del tensor
        watched.hold.wait_idle()  # the reaper sleeps again without any call of the session
        assert watched.session.stats().live_bytes == before - 4 * MIB
        assert watched.session.stats().queued == 0
        assert watched.freed() == freed + 1


@pytest.mark.acceptance
def test_a_detached_value_is_not_freed_by_close(watched):
    with watched.session:
        tensor = tf.constant([1.0, 2.0])
        kept = tensor.detach()
        assert watched.freed() == 1  # freed in the session, which no longer owns it
        with pytest.raises(tf.eager.SessionClosedError, match="closed"):
            tensor.numpy()
    assert kept.numpy().tolist() == [1.0, 2.0]
    assert watched.freed() == 1


def test_a_closed_tensor_is_freed_at_once_and_once(watched):
    with watched.session:
        tensor = tf.constant([1.0, 2.0])
        tensor.close()
        tensor.close()
        assert watched.freed() == 1
        assert watched.session.stats().live_bytes == 0
        del tensor
    assert watched.freed() == 1


@pytest.mark.acceptance
def test_a_closed_session_makes_no_builder_and_no_value(options):
    session = tf.EagerSession(**options)
    with session:
        session.close()
        with pytest.raises(tf.eager.SessionClosedError, match="Eager session has been closed"):
            session.op_builder("NoOp", "n")
        with pytest.raises(tf.eager.SessionClosedError, match="Eager session has been closed"):
            tf.constant(1.0)
        with pytest.raises(RuntimeError):  # SessionClosedError is a RuntimeError
            session.scope()
    with pytest.raises(tf.eager.SessionClosedError), session:
        pass


@pytest.mark.acceptance
def test_the_default_session_is_made_once_and_not_closed(no_default, options):
    strategy, is_async = options["resource_cleanup_strategy"], options["async_"]
    made = tf.EagerSession.init_default(tf.EagerSession.options().resource_cleanup_strategy(strategy).async_(is_async))
    assert tf.EagerSession.get_default() is made
    assert made.strategy == strategy and made.is_async == is_async
    with pytest.raises(RuntimeError, match="already initialized"):
        tf.EagerSession.init_default()
    with pytest.raises(RuntimeError, match="cannot be closed"):
        made.close()
    with made:
        assert tf.constant(2.0).numpy() == 2.0
    assert not made.closed


def test_the_default_session_is_made_when_asked_for(no_default):
    made = tf.EagerSession.get_default()
    assert tf.EagerSession.get_default() is made
    assert made.strategy == Strategy.IN_BACKGROUND and not made.is_async
    with pytest.raises(RuntimeError, match="already initialized"):
        tf.EagerSession.init_default()


def test_options_may_be_built_twice():
    options = tf.EagerSession.options().async_(True).resource_cleanup_strategy(Strategy.ON_SAFE_POINTS)
    with options.build() as first, options.build() as second:
        assert first is not second
        assert first.is_async and second.is_async
        assert first.strategy == second.strategy == Strategy.ON_SAFE_POINTS


def test_config_as_message_bytes_or_nothing():
    config = tf.ConfigProto(device_count={"CPU": 2})
    for given, devices in ((config, 2), (config.SerializeToString(), 2), (None, 1)):
        with tf.EagerSession(config=given) as session:
            assert session._core.cpu_devices == devices
    with pytest.raises(tf.errors.InvalidArgumentError, match="config"):
        tf.EagerSession(config=b"\xff\xff\xff")
    with pytest.raises(ValueError):  # InvalidArgumentError is a ValueError
        tf.EagerSession(config="text")


def test_codes_of_the_policies():
    policy = tf.EagerSession.DevicePlacementPolicy
    assert [int(p) for p in (policy.EXPLICIT, policy.WARN, policy.SILENT, policy.SILENT_FOR_INT32)] == [0, 1, 2, 3]
    with tf.EagerSession() as session:
        assert session.device_placement_policy == policy.SILENT


def test_a_block_is_entered_once_and_left_in_any_order():
    outer = tf.EagerSession()
    outer.__enter__()
    with pytest.raises(RuntimeError, match="already been entered"), outer:
        pass
    with tf.EagerSession() as inner:
        outer.__exit__(None, None, None)
        assert outer.closed
        tf.constant(1.0)
        assert inner.stats().created == 1
    assert outer.stats().created == 0
    assert not tf.executing_eagerly()


def test_operations_build_graphs_after_the_block_as_before():
    assert not tf.executing_eagerly()
    with tf.EagerSession():
        assert tf.executing_eagerly()
        with tf.Graph().as_default():
            assert not tf.executing_eagerly()
        assert tf.executing_eagerly()
    assert not tf.executing_eagerly()


def test_a_context_carries_the_block_to_another_thread():
    made = []
    with tf.EagerSession() as session:
        context = contextvars.copy_context()
        thread = threading.Thread(target=context.run, args=(lambda: made.append(tf.constant(3.0).numpy()),))
        thread.start()
        thread.join()
        assert session.stats().created == 1
    assert made == [3.0]


def test_tasks_do_not_see_the_blocks_of_others():
    async def inside(session, entered, go_on):
        with session:
            entered.set()
            await go_on.wait()
            return tf.constant(1.0).numpy()

    async def outside(entered, go_on):
        await entered.wait()
        eager = tf.executing_eagerly()
        go_on.set()
        return eager

    async def program():
        session, entered, go_on = tf.EagerSession(), asyncio.Event(), asyncio.Event()
        return await asyncio.gather(inside(session, entered, go_on), outside(entered, go_on))

    assert asyncio.run(program()) == [1.0, False]


def test_other_threads_are_not_in_the_block(no_default):
    made = []
    with tf.EagerSession() as session:
        thread = threading.Thread(target=lambda: made.append(tf.executing_eagerly()))
        thread.start()
        thread.join()
        assert session.stats().created == 0
    assert made == [False]


def test_reset_frees_everything_and_the_session_goes_on(watched):
    with watched.session as session:
        tensor = tf.constant([1.0, 2.0]) + 1.0
        session.reset()
        assert session.stats().live_bytes == 0
        with pytest.raises(tf.eager.SessionClosedError):
            tensor.numpy()
        assert (tf.constant(1.0) + 1.0).numpy() == 2.0


def test_a_session_that_is_dropped_open_warns_and_its_tensors_live_on(options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        session = tf.EagerSession(**options)  # the warning names this line

        def enter(session):
            session.__enter__()
            tensor = tf.constant([1.0, 2.0])
            other = tensor + 1.0
            other.numpy()
            return tensor, other

        tensor, other = contextvars.copy_context().run(enter, session)  # in a context that is then dropped
        gone = weakref.ref(session)
        del session
        gc.collect()
        assert gone() is None
    [warning] = [w for w in caught if w.category is ResourceWarning]
    assert "test_session_life.py" in str(warning.message)
    assert tensor.numpy().tolist() == [1.0, 2.0]
    del tensor, other


def test_a_session_that_is_dropped_open_ends_even_if_warnings_are_errors(options, monkeypatch):
    """The threads of the session end; the fixture of all tests checks that."""
    ignored = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: ignored.append(type(told.exc_value)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session = tf.EagerSession(**options)
        constant(session, [1.0]).numpy()
        del session
        gc.collect()
    assert ignored == [ResourceWarning]


def test_the_counts_balance(watched):
    with watched.session as session:
        kept = [tf.constant([float(i)] * i) for i in range(20)]
        del kept[::2]
        kept[0].close()
        watched.settle()
        assert_balanced(session)


def test_the_count_notices_a_value_that_is_freed_twice():
    watched = Watched()
    with watched.session:
        tf.constant(1.0)
    assert watched.freed() == 1
    watched.session = tf.EagerSession()  # a session that made no value
    with watched.session, pytest.raises(AssertionError, match="twice"):
        watched.freed()
