"""Asynchronous sessions: pending values, deferred errors, waiting and cancellation."""

import threading

import pytest
from process_threads import new_threads, new_threads_end, thread_ids
from watched_sessions import STRATEGIES, assert_balanced

import tinytf as tf

pytestmark = pytest.mark.hooks


@pytest.fixture(params=STRATEGIES, ids=lambda s: s.name)
def session(request):
    with tf.EagerSession(async_=True, resource_cleanup_strategy=request.param) as made:
        yield made


def test_shape_and_value_block_and_type_does_not(session, held):
    x = tf.constant([1.0, 2.0]) + 1.0
    assert x.dtype == tf.float32
    assert "pending" in repr(x)
    assert session.pending_ops >= 2
    held()
    assert x.shape.as_list() == [2]
    assert x.numpy().tolist() == [2.0, 3.0]
    session.synchronize()
    assert session.pending_ops == 0


def test_an_error_poisons_what_comes_after_until_it_is_cleared(session):
    x = tf.constant([1.0, 2.0])
    bad = tf.reshape(x, [3])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Reshape|reshape"):
        session.synchronize()
    with pytest.raises(tf.errors.InvalidArgumentError):
        bad.numpy()
    with pytest.raises(tf.errors.InvalidArgumentError):
        x + 1.0  # refused while the error is stored
    session.clear_error()
    assert (x + 1.0).numpy().tolist() == [2.0, 3.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        (bad + 1.0).numpy()
    session.clear_error()
    session.synchronize()


def test_synchronize_gives_up(session, held):
    with pytest.raises(tf.errors.DeadlineExceededError):
        session.synchronize(timeout=0)
    held()
    session.synchronize()


def test_close_cancels_what_has_not_begun(session, held):
    values = [tf.constant(float(i)) + 1.0 for i in range(10)]
    thread = threading.Thread(target=lambda: session.close(cancel_pending=True))
    thread.start()
    while session.stats().state == "open":
        pass
    while session.pending_ops > 1:
        pass
    held()
    thread.join()
    assert session.closed
    assert_balanced(session)
    del values


def test_close_gives_up_with_many_pending(session, held):
    values = [tf.negative(tf.constant(1.0)) for _ in range(1000)]
    with pytest.raises(tf.errors.DeadlineExceededError, match="pending"):
        session.close(timeout=0)
    assert session.stats().state == "closing" and session.stats().invalidated == 0
    held()
    session.close()
    assert session.closed
    del values


def test_nodes_that_nobody_waits_for_do_not_run(session, held):
    kept = tf.constant(1.0)
    for _ in range(100):
        kept + 1.0
    assert session.pending_ops >= 100
    held()
    session.synchronize()
    assert_balanced(session)
    assert session.stats().pending_ops == 0


def test_values_dropped_before_they_come(session):
    for i in range(200):
        x = tf.zeros([1000]) + float(i)
        del x
    session.synchronize()
    session.collect()
    session.flush()
    stats = session.stats()
    assert stats.live == 0 and stats.live_bytes == 0
    assert_balanced(session)


def test_the_thread_starts_with_the_first_operation_and_ends_with_the_session():
    before = thread_ids()
    strategy = tf.EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS
    with tf.EagerSession(async_=True, resource_cleanup_strategy=strategy) as session:
        (tf.constant(1.0) + 1.0).numpy()
        assert len(new_threads(before)) == 1
        session.synchronize()
    assert new_threads_end(before)
