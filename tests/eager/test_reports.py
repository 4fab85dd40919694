"""Reports of a session's memory: statistics, live tensors by op and by line, and the report at close."""

import pytest
from watched_sessions import Strategy

import tinytf as tf
from tinytf import _core


def test_figures_have_their_names(session):
    stats = session.stats()
    assert stats.state == "open"
    assert stats.strategy == session.strategy.name
    assert (stats.created, stats.live, stats.active_ops, stats.free_errors, stats.fork_generation) == (0, 0, 0, 0, 0)
    with session:
        x = tf.constant([1.0, 2.0])
        assert session.stats().live == 1 and session.stats().live_bytes == 8
        session.close()
        del x
    assert session.stats().state == "closed"


def test_peaks(watch):
    with watch(resource_cleanup_strategy=Strategy.ON_SAFE_POINTS).session as session:
        x = tf.zeros([1000])
        y = tf.zeros([1000])
        del x, y
        session.collect()
        stats = session.stats()
        assert stats.live_bytes == 0
        assert stats.peak_bytes >= 8000 and stats.peak_queued_bytes >= 4000
        assert stats.safe_point.drains >= 1


def test_figures_of_the_reaper(watch):
    watched = watch()
    with watched.session as session:
        for _ in range(10):
            tf.zeros([1 << 14])
        watched.hold.wait_idle()
        reaper = session.stats().reaper
        assert reaper.alive and reaper.batches >= 1 and reaper.max_batch >= 1


def test_lag_of_the_reaper_by_a_clock_of_the_tests(watch):
    watched = watch()
    with watched.session as session:
        watched.hold.wait_idle()
        watched.hold.set_fake_now_ns(1_000_000)
        x = tf.zeros([1 << 14])
        watched.hold.pause_reaper()
        session.flush()
        del x
        watched.hold.set_fake_now_ns(6_000_000)
        watched.hold.resume()
        watched.hold.wait_idle()
        assert session.stats().reaper.max_lag_us == 5_000


def test_the_reaper_takes_a_step_at_a_time(watch):
    watched = watch()
    with watched.session as session:
        watched.hold.pause_reaper()
        tensors = [tf.constant(float(i)) for i in range(10)]
        session.flush()
        del tensors
        assert session.stats().queued == 10
        watched.hold.step()
        assert session.stats().queued == 0
        watched.hold.resume()


def make_here():
    return tf.zeros([100])


def test_live_tensors(options):
    with tf.EagerSession(track_sites=True, **options) as session:
        small = tf.constant([1.0, 2.0])
        kept = [make_here() for _ in range(3)]
        for tensor in kept:
            tensor.numpy()
        session.collect()
        tensors = session.live_tensors()
        assert len(tensors) == 4
        assert sum(tensor.bytes for tensor in tensors) == 1208
        assert {tensor.dtype for tensor in tensors} == {tf.float32}
        by_site = session.live_tensors(by="site")
        first = next(iter(by_site))
        assert "test_reports.py" in first and by_site[first] == (3, 1200)
        by_op = session.live_tensors(by="op")
        assert sum(holding.tensors for holding in by_op.values()) == 4 and "" not in by_op
        with pytest.raises(ValueError, match="by must be"):
            session.live_tensors(by="size")
        del small, kept, tensor


def test_without_sites_there_are_shapes_only(session):
    with session:
        x = tf.constant([1.0, 2.0])
        [tensor] = session.live_tensors()
        assert tensor == ((2,), tf.float32, 8, "", "")
        del x


def test_the_report_at_close_names_the_lines(caplog):
    with tf.EagerSession(track_sites=True):
        kept = [make_here() for _ in range(3)]
    [record] = [record for record in caplog.records if "closed while" in record.message]
    assert "3 of its tensors with 1200 bytes" in record.message
    assert "1200 bytes in 3 tensors made at" in record.message and "test_reports.py" in record.message
    caplog.clear()
    with tf.EagerSession(track_sites=True):
        make_here()
    assert not caplog.records
    del kept


def test_memory_of_the_process():
    before = tf.memory_info()
    with tf.EagerSession(), tf.EagerSession() as inner:
        x = tf.zeros([1000])
        inner.collect()
        info = tf.memory_info()
        assert info.sessions == before.sessions + 2
        assert info.live_bytes >= before.live_bytes + 4000
        assert info.buffers > before.buffers
        del x
    assert tf.memory_info().sessions == before.sessions


def test_device_placement_is_logged(caplog):
    caplog.set_level("INFO", logger="tinytf")
    with tf.EagerSession(config=tf.ConfigProto(log_device_placement=True)):
        tf.constant(1.0) + 1.0
    assert any("Executing op AddV2 in device /job:localhost" in record.message for record in caplog.records)


@pytest.mark.parametrize("policy", list(tf.EagerSession.DevicePlacementPolicy))
def test_inputs_on_another_device(policy, caplog):
    config = tf.ConfigProto(device_count={"CPU": 2})
    with tf.EagerSession(config=config, device_placement_policy=policy):
        with tf.device("/cpu:1"):
            x, i = tf.constant(1.0), tf.constant(1)
        assert x.device.endswith("CPU:1")
        refused = {"EXPLICIT": (x, i), "SILENT_FOR_INT32": (x,)}.get(policy.name, ())
        for value in (x, i):
            if any(value is r for r in refused):
                with pytest.raises(tf.errors.InvalidArgumentError, match="CPU:0.*CPU:1"):
                    tf.negative(value)
            else:
                assert tf.negative(value).numpy() == -1
        assert ("expected to be on" in caplog.text) == (policy.name == "WARN")


def test_recount_agrees(watched):
    assert set(_core.testing.EagerTesting(watched.session._core).recount()) >= {"live", "queued", "retained", "vacant"}
