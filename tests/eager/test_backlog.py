"""The number of queued bytes stays bounded when the reaper does not keep up: it is held, slow, or gets no CPU time."""

import contextvars
import threading

import pytest

import tinytf as tf

KIB = 1024
HARD, SIZE, DROPS = 1024 * KIB, 64 * KIB, 400
QUEUED = SIZE + 64  # a value, with the shape and the element that it was made of


def _held(hold):
    hold.pause_reaper()


def _slow(hold):
    hold.set_failpoint("taken_before_free", lambda: sum(range(20_000)))


def _starved(hold):
    """The reaper runs beside producers that never pause."""


@pytest.mark.parametrize("producers", [1, 8])
@pytest.mark.parametrize("hinder", [_held, _slow, _starved])
def test_producers_stay_below_the_hard_mark(watch, hinder, producers):
    watched = watch(soft_bytes=HARD // 4, hard_bytes=HARD)
    start = threading.Barrier(producers)
    most = []

    def produce(session):
        start.wait()
        queued = 0
        for _ in range(DROPS):
            value = tf.zeros([SIZE // 4])
            queued = max(queued, session.stats().queued_bytes)
            del value
        most.append(queued)

    with watched.session as session:
        hinder(watched.hold)
        threads = [
            threading.Thread(target=contextvars.copy_context().run, args=(produce, session)) for _ in range(producers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stats = session.stats()
        assert len(most) == producers
        # Each producer may have passed the check of the mark before the other producers queued one more value each.
        assert max(most) <= HARD + producers * QUEUED
        assert stats.peak_queued_bytes <= HARD + producers * QUEUED
        assert stats.peak_bytes <= HARD + 2 * producers * QUEUED
        watched.hold.resume()
        watched.hold.set_failpoint("taken_before_free", None)
        session.flush()
        assert session.stats().queued_bytes == 0
