"""Sessions run on any engine that has the methods of `Engine`; what only engines of this process can do is refused."""

import pytest

import tinytf as tf
from tinytf._src.session import engines
from tinytf._src.session.engine import Engine, Prepared
from tinytf._src.session.local_engine import CoreEngine


def _only(interface, whole):
    """An object with the methods of the interface, taken from another object."""
    names = {name for name in vars(interface) if not name.startswith("_")} - {"local"}
    return type("Only", (), {name: staticmethod(getattr(whole, name)) for name in names})()


class _Factory:
    """Makes engines that seem to be elsewhere."""

    config = None

    def __init__(self):
        self.sessions, self.made, self.cleared = [], [], []

    def new_engine(self, graph, target, config, place_pruned_graph):
        core = CoreEngine(graph, place_pruned_graph=place_pruned_graph)
        engine = _only(Engine, core)
        engine.local = None
        engine.prepare = lambda *args, **kwargs: _only(Prepared, core.prepare(*args, **kwargs))
        self.made.append(target)
        return engine

    def opened(self, session):
        self.sessions.append(session)

    def reset(self, containers):
        self.cleared += containers
        for session in self.sessions:
            session.abort()


@pytest.fixture
def factory():
    made = _Factory()
    undo = engines.register("far", lambda target: made if target == "far://one" else None)
    yield made
    undo()
    made.sessions.clear()


@pytest.fixture
def sess(factory):
    with tf.Session("far://one") as session:
        yield session


def test_a_scheme_has_its_factory(factory):
    with tf.Session("far://one") as sess:
        assert sess.run(tf.constant(2) + 3) == 5 and sess.sess_str == b"far://one"
    assert factory.made == ["far://one"]
    with pytest.raises(tf.errors.NotFoundError, match="No session factory registered"):
        tf.Session("far://two")


def test_a_later_factory_comes_first(factory):
    other = _Factory()
    undo = engines.register("far", lambda target: other if target == "far://two" else None)
    for target in ("far://one", "far://two"):
        tf.Session(target).close()
    undo()
    assert factory.made == ["far://one"] and other.made == ["far://two"]
    with pytest.raises(tf.errors.NotFoundError):
        tf.Session("far://two")
    other.sessions.clear()


def test_all_ways_to_run(sess):
    x, v = tf.placeholder(tf.float32, []), tf.Variable(1.0)
    y = x + v
    sess.run(v.initializer)
    for _ in range(2):  # uncached, cached
        assert sess.run(y, {x: 2}) == 3.0 and sess.run({"y": [y]}, {x: 2}) == {"y": [3.0]}
    assert sess.make_callable(y, [x])(3) == 4.0 and sess.make_callable(v)() == 1.0
    metadata = tf.RunMetadata()
    sess.run(y, {x: 2}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    assert metadata.step_stats.dev_stats
    handle = sess.partial_run_setup([y], [x])
    assert sess.partial_run(handle, y, {x: 4.0}) == 5.0
    stored = sess.run(tf.get_session_handle(tf.identity(v)))
    assert stored.eval() == 1.0
    stored.delete()
    assert sess.placements()[v.op.name].endswith("CPU:0") and len(sess.list_devices()) == 1


def test_errors_name_the_lines(sess):
    x = tf.placeholder(tf.float32, [], name="x")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)feed a value.*test_engines.py"):
        sess.run(x + 1)


def test_a_trace(sess, tmp_path):
    with sess.trace(tmp_path / "trace"):
        sess.run(tf.constant(1) + 1)
    assert (tmp_path / "trace").stat().st_size


@pytest.mark.parametrize(
    "ask",
    [
        lambda sess, path: sess.memory_stats(),
        lambda sess, path: sess.trim(),
        lambda sess, path: sess.watch_nan(),
        lambda sess, path: sess.stats(),
        lambda sess, path: sess.plan_report(tf.constant(1)),
        lambda sess, path: sess.record(path),
    ],
)
def test_some_things_need_an_engine_of_this_process(sess, ask, tmp_path):
    with pytest.raises(tf.errors.UnimplementedError, match="in this process.*far://one"):
        ask(sess, tmp_path / "record")


def test_a_writer_needs_an_engine_of_this_process(sess, tmp_path):
    with pytest.raises(TypeError, match=r"must be a tf\.Session"):
        tf.summary.FileWriter(str(tmp_path), session=sess)


def test_a_reset_is_the_factory_s(factory, sess):
    sess.run(tf.constant(1))
    with tf.Session() as other:
        tf.Session.reset("far://one", ["box"])
        assert factory.cleared == ["box"]
        with pytest.raises(tf.errors.AbortedError):
            sess.run(tf.constant(1))
        other.run(tf.constant(1))
    with pytest.raises(tf.errors.AbortedError):
        sess.close()


def test_a_reset_of_direct_sessions_skips_it(sess):
    tf.Session.reset("")
    assert sess.run(tf.constant(1)) == 1


def test_monitored_training(factory, tmp_path):
    step = tf.train.get_or_create_global_step()
    up = tf.assign_add(step, 1)
    hooks = [tf.train.StopAtStepHook(last_step=5)]
    with tf.train.MonitoredTrainingSession(
        "far://one", checkpoint_dir=str(tmp_path), hooks=hooks, save_checkpoint_steps=2, save_summaries_steps=0
    ) as sess:
        while not sess.should_stop():
            last = sess.run(up)
    tf.summary.FileWriterCache.clear()
    assert last == 5 and tf.train.latest_checkpoint(str(tmp_path)).endswith("-5")


def test_a_checkpoint_that_is_written_later(sess, tmp_path):
    v = tf.Variable([1.0, 2.0])
    saver = tf.train.Saver([v], async_save=True)
    sess.run(v.initializer)
    path = saver.save(sess, str(tmp_path / "model"))
    sess.run(v.assign([0.0, 0.0]))
    saver.wait()
    saver.restore(sess, path)
    assert list(sess.run(v)) == [1.0, 2.0]
