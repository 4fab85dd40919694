"""Scopes free the values of their members when they are closed, and keep none of them alive."""

import gc
import threading

import pytest

import tinytf as tf

SessionClosedError = tf.eager.SessionClosedError


@pytest.mark.acceptance
def test_closing_frees_what_was_attached(watched):
    session = watched.session
    with session:
        x = tf.constant([1.0, 2.0])
        watched.settle()
        before = watched.freed()
        scope = session.scope()
        scope.attach(x)
        scope.close()
        assert watched.freed() == before + 1
        with pytest.raises(SessionClosedError, match="tensor was closed"):
            x.numpy()


def test_what_is_made_inside_is_a_member(session):
    with session:
        before = tf.constant(1.0)
        with session.scope() as scope:
            x = before + 1.0
            assert x.numpy() == 2.0
            kept = (x * 3.0).detach()
            assert len(scope) >= 1
        with pytest.raises(SessionClosedError):
            x.numpy()
        assert before.numpy() == 1.0
        assert kept.numpy() == 6.0


@pytest.mark.acceptance
def test_retained_and_detached_survives(session):
    with session:
        with session.scope() as scope:
            x = tf.constant([1.0])
            scope.retain(x)
            scope.detach(x)
            assert len(scope) == 0
        assert x.numpy() == 1.0
        assert x._state() == "live"


@pytest.mark.acceptance
def test_detached_without_retain_is_freed_at_once(session):
    with session, session.scope() as scope:
        x = tf.constant([1.0])
        scope.detach(x)
        with pytest.raises(SessionClosedError):
            x.numpy()


@pytest.mark.acceptance
def test_attaching_twice_counts_once(watched):
    session = watched.session
    with session:
        x = tf.constant([1.0])
        same = x
        watched.settle()
        before = watched.freed()
        scope = session.scope()
        scope.attach(x)
        scope.attach(same)
        assert len(scope) == 1
        scope.detach(x)
        scope.detach(same)  # no longer a member
        scope.close()
        assert watched.freed() == before + 1


@pytest.mark.acceptance
def test_strangers_are_none_of_its_business(session):
    with session, session.scope() as scope:
        with session.scope():
            pass
        outside = tf.constant([1.0]).detach()
        scope.detach(outside)
        scope.retain(outside)
        assert outside.numpy() == 1.0


@pytest.mark.acceptance
def test_a_closed_scope_refuses(session):
    with session:
        x = tf.constant([1.0])
        scope = session.scope()
        scope.close()
        for use in (lambda: scope.attach(x), lambda: scope.detach(x), scope.close, scope.__enter__):
            with pytest.raises(SessionClosedError, match="scope has been closed"):
                use()
        assert x.numpy() == 1.0


@pytest.mark.acceptance
def test_membership_keeps_nothing_alive(watched):
    session = watched.session
    with session, session.scope() as scope:
        x = tf.zeros([10], tf.float32)
        watched.settle()
        before = session.stats().live_bytes
        del x
        gc.collect()
        watched.settle()
        assert session.stats().live_bytes == before - 40
        assert len(scope) == 0


def test_scopes_nest(session):
    with session, session.scope():
        outer = tf.constant(1.0)
        with session.scope():
            inner = outer + 1.0
        with pytest.raises(SessionClosedError):
            inner.numpy()
        assert outer.numpy() == 1.0


def test_a_scope_takes_only_what_its_thread_makes_in_its_session(session):
    made = []

    def work():
        with tf.EagerSession() as other:
            made.append(tf.constant(3.0).numpy())
            other.close()

    with session, session.scope() as scope:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        with tf.EagerSession():
            x = tf.constant(1.0)
            assert len(scope) == 0
            del x
    assert made == [3.0]


def test_a_scope_that_ends_after_its_session(options):
    with tf.EagerSession(**options) as session:
        with session.scope():
            x = tf.constant(1.0)
            session.close()
        with pytest.raises(SessionClosedError):
            x.numpy()


def test_members_that_are_gone_are_forgotten(session):
    with session, session.scope() as scope:
        for _ in range(1000):
            tf.constant(1.0)
        assert len(scope) <= 1
