"""`Saver(async_save=True)`: contents and order of checkpoints, and allowed actions of the program meanwhile."""

import contextlib
import gc
import os
import threading
import weakref

import numpy as np
import pytest
from programs import run_program

import tinytf as tf
from tinytf._src.checkpoint.checkpoint_writer import CheckpointWriter
from tinytf._src.checkpoint.saver_builder import BulkSaverBuilder
from tinytf._src.checkpoint.snapshots import GraphSnapshots


def _content(folder):
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


class _Gate:
    """Blocks saves before they write anything, until it is opened."""

    def __init__(self):
        self._open = threading.Event()
        self._write = CheckpointWriter.write
        self.entered = []

    def write(self, writer):
        self.entered.append(writer.names.path)
        assert self._open.wait(60)
        return self._write(writer)

    def open(self):
        self._open.set()


@pytest.fixture
def gate(monkeypatch):
    made = _Gate()
    monkeypatch.setattr(CheckpointWriter, "write", lambda writer: made.write(writer))
    yield made
    made.open()


@pytest.fixture
def sess():
    """A session of a graph with the variable `v`."""
    tf.get_variable("v", initializer=[1.0, 2.0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        yield session


def _all_kinds():
    init = tf.random_uniform_initializer(seed=5)
    with tf.device("/cpu:0"):
        tf.get_variable("ref", [3, 4], initializer=init)
        tf.get_variable("text", initializer=tf.constant(["a", "", "long " * 50]))
        tf.get_variable("half", initializer=tf.constant([1.5, 2.5], tf.bfloat16))
    with tf.device("/cpu:1"):
        tf.get_variable("resource", [300, 400], initializer=init, use_resource=True)
        tf.get_variable("pieces", [10, 3], initializer=init, partitioner=tf.fixed_size_partitioner(3))
    tf.get_variable("none", [0, 2], initializer=init)


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("version", [tf.train.SaverDef.V1, tf.train.SaverDef.V2])
def test_files_are_those_of_other_saves(tmp_path, sharded, version):
    _all_kinds()
    variables = tf.global_variables()
    if version == tf.train.SaverDef.V1:
        variables = [v for v in variables if v.dtype.base_dtype != tf.bfloat16]  # not supported by the format
    arguments = {"max_to_keep": 2, "save_relative_paths": True}
    now = tf.train.Saver(variables, sharded=sharded, write_version=version, **arguments)
    later = tf.train.Saver(saver_def=now.saver_def, sharded=sharded, async_save=True, **arguments)
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as sess:
        sess.run(tf.global_variables_initializer())
        names = []
        for saver, folder in ((now, tmp_path / "now"), (later, tmp_path / "later")):
            folder.mkdir()
            for step in range(3):
                names.append(os.path.basename(saver.save(sess, str(folder / "m"), step)))
        later.wait()
    assert names[:3] == names[3:]
    expected, found = _content(tmp_path / "now"), _content(tmp_path / "later")
    assert list(found) == list(expected)
    assert {name: found[name] == expected[name] for name in expected} == dict.fromkeys(expected, True)


def _updates(v):
    rows = tf.constant([0, 2])
    part = tf.ones([2, *v.shape[1:]])
    yield v.assign(v + 1.0)
    yield v.assign_add(tf.ones_like(v))
    yield v.assign_sub(tf.ones_like(v))
    for update in (v.scatter_add, v.scatter_sub, v.scatter_mul, v.scatter_div, v.scatter_update):
        yield update(tf.IndexedSlices(part * 3, rows))
    yield v.scatter_max(tf.IndexedSlices(part * 100, rows))
    yield v.scatter_min(tf.IndexedSlices(part * -100, rows))
    for update in (v.scatter_nd_add, v.scatter_nd_sub, v.scatter_nd_update):
        yield update(rows[:, None], part)
    yield v[1:2].assign(tf.zeros([1, *v.shape[1:]]))
    loss = tf.reduce_sum(v * v)
    for optimizer in (
        tf.train.GradientDescentOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.AdamOptimizer(0.1),
        tf.train.AdagradOptimizer(0.1),
        tf.train.AdadeltaOptimizer(0.1),
        tf.train.FtrlOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, momentum=0.5),
        tf.train.RMSPropOptimizer(0.1, centered=True),
        tf.train.ProximalAdagradOptimizer(0.1),
        tf.train.ProximalGradientDescentOptimizer(0.1),
    ):
        yield optimizer.minimize(loss)
        yield optimizer.minimize(tf.reduce_sum(tf.gather(v, [0, 2]) ** 2))


@pytest.mark.parametrize("use_resource", [False, True])
def test_values_are_those_of_the_call(tmp_path, use_resource):
    """A checkpoint has the values at the time of the call, regardless of later updates."""
    first = tf.random_uniform_initializer(1, 2, seed=3)
    v = tf.get_variable("v", [4, 1000], initializer=first, use_resource=use_resource)
    steps = list(_updates(v))
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        snapshots = GraphSnapshots(sess, saver.saver_def)
        for number, step in enumerate(steps):
            sess.run(v.initializer)
            before = sess.run({variable.op.name: variable for variable in tf.global_variables()})
            held = snapshots.take(sess, f"{tmp_path}/m-{number}")
            sess.run(step)
            assert not np.array_equal(sess.run(v), before["v"]), step
            reader = tf.train.load_checkpoint(held.write(held.name))
            for name, value in before.items():
                np.testing.assert_array_equal(reader.get_tensor(name), value, str(step))


def test_steps_of_training_are_saved_whole(tmp_path):
    """Each checkpoint has the values of one step, although steps go on while it is written."""
    kinds = {"use_resource": [False, True, False, True]}
    variables = [
        tf.get_variable(f"v{i}", [50_000 + i], initializer=tf.zeros_initializer(), use_resource=resource)
        for i, resource in enumerate(kinds["use_resource"])
    ]
    train = tf.group(*[v.assign_add(tf.ones_like(v)) for v in variables])
    saver = tf.train.Saver(max_to_keep=None, async_save=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(1, 61):
            sess.run(train)
            if step % 3 == 0:
                saver.save(sess, f"{tmp_path}/m", step, write_meta_graph=False)
    saver.wait()
    for step in range(3, 61, 3):
        reader = tf.train.load_checkpoint(f"{tmp_path}/m-{step}")
        assert {number for v in variables for number in np.unique(reader.get_tensor(v.op.name))} == {step}


@pytest.mark.parametrize("async_save", [False, True])
def test_checksums_are_those_of_what_is_written(tmp_path, async_save):
    """Checksums match even if another thread updates a variable without a lock while it is read."""
    v = tf.get_variable("v", [1 << 20], initializer=tf.zeros_initializer())
    step = v.assign_add(tf.ones_like(v)).op
    saver = tf.train.Saver(async_save=async_save)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        over = threading.Event()

        def train():
            while not over.is_set():
                sess.run(step)

        thread = threading.Thread(target=train)
        thread.start()
        try:
            for _ in range(20):
                saver.save(sess, f"{tmp_path}/m", write_meta_graph=False)
                saver.wait()
                tf.train.load_variable(f"{tmp_path}/m", "v")
        finally:
            over.set()
            thread.join()


def test_nothing_is_copied(tmp_path, gate):
    for name, resource in (("v", False), ("w", True)):
        tf.get_variable(name, [1 << 20], initializer=tf.zeros_initializer(), use_resource=resource)
    saver = tf.train.Saver(async_save=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(2):
            before = sess.memory_stats()
            saver.save(sess, f"{tmp_path}/m", step)
            after = sess.memory_stats()
            assert after.live_bytes - before.live_bytes < 1 << 16
            gate.open()
            saver.wait()


def test_save_returns_before_anything_is_written(sess, tmp_path, gate):
    saver = tf.train.Saver(async_save=True)
    assert saver.save(sess, f"{tmp_path}/m", 1) == f"{tmp_path}/m-1"
    assert not os.listdir(tmp_path) and saver.last_checkpoints == []
    [thread] = [thread for thread in threading.enumerate() if thread.name == "tinytf-saver"]
    gate.open()
    saver.wait()
    assert not thread.is_alive()
    assert (
        saver.last_checkpoints == [f"{tmp_path}/m-1"] and tf.train.latest_checkpoint(str(tmp_path)) == f"{tmp_path}/m-1"
    )


def test_one_is_written_at_a_time(sess, tmp_path, gate):
    saver = tf.train.Saver(async_save=True)
    saver.save(sess, f"{tmp_path}/m", 1)
    second = threading.Thread(target=saver.save, args=(sess, f"{tmp_path}/m", 2))
    second.start()
    assert second.is_alive() and gate.entered in ([], [f"{tmp_path}/m-1"])
    gate.open()
    second.join()
    saver.wait()
    assert gate.entered == saver.last_checkpoints == [f"{tmp_path}/m-1", f"{tmp_path}/m-2"]


def test_what_reads_waits(sess, tmp_path, gate):
    saver = tf.train.Saver(async_save=True)
    sess.run(tf.global_variables()[0].assign([3.0, 4.0]))
    saver.save(sess, f"{tmp_path}/m")
    reads = threading.Thread(target=lambda: saver.restore_latest(sess, str(tmp_path)))
    sess.run(tf.global_variables()[0].assign([0.0, 0.0]))
    reads.start()
    gate.open()
    reads.join()
    assert sess.run("v:0").tolist() == [3.0, 4.0]


def test_errors_are_told_once_by_the_next_call(sess, tmp_path):
    saver = tf.train.Saver(async_save=True)
    (tmp_path / "file").touch()
    saver.save(sess, f"{tmp_path}/file/m")
    with pytest.raises(ValueError, match="Parent directory of .*/file/m doesn't exist, can't save"):
        saver.wait()
    saver.wait()
    saver.save(sess, f"{tmp_path}/file/m")
    with pytest.raises(ValueError, match="Parent directory of .*/file/m doesn't exist"):
        saver.save(sess, f"{tmp_path}/good/m")
    saver.wait()
    assert tf.train.latest_checkpoint(f"{tmp_path}/good") == f"{tmp_path}/good/m"  # the checkpoint was still written


def test_errors_of_the_call_are_its_own(tmp_path):
    tf.get_variable("v", [1])
    saver = tf.train.Saver(async_save=True)
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
            saver.save(sess, f"{tmp_path}/m")
    with pytest.raises(RuntimeError, match="closed Session"):
        saver.save(sess, f"{tmp_path}/m")
    saver.wait()
    assert not os.listdir(tmp_path)


def test_errors_that_nobody_asked_for_are_logged(sess, tmp_path, caplog):
    saver = tf.train.Saver(async_save=True)
    (tmp_path / "file").touch()
    saver.save(sess, f"{tmp_path}/file/m")
    saver.restore_latest(sess, str(tmp_path))  # waits, without reporting the error
    del saver
    gc.collect()
    assert [record.getMessage() for record in caplog.records if "not written" in record.getMessage()] == [
        f"The checkpoint {tmp_path}/file/m was not written: ValueError: Parent directory of {tmp_path}/file/m doesn't exist, "
        "can't save."
    ]


def test_operations_that_need_more_of_the_session_are_refused(sess, tmp_path):
    class Builder(BulkSaverBuilder):
        def save_op(self, filename_tensor, saveables):
            with tf.control_dependencies([tf.global_variables()[0].assign([0.0, 0.0])]):
                return super().save_op(filename_tensor, saveables)

    saver = tf.train.Saver(builder=Builder(), async_save=True)
    with pytest.raises(
        ValueError, match="async_save=True supports only the values that Save, SaveSlices and SaveV2 write"
    ):
        saver.save(sess, f"{tmp_path}/m")


def test_wrapped_sessions(sess, tmp_path):
    class Wrapper:
        graph = sess.graph

        def run(self, *args, **kwargs):
            return sess.run(*args, **kwargs)

    saver = tf.train.Saver(async_save=True)
    saver.save(Wrapper(), f"{tmp_path}/m")
    saver.wait()
    assert tf.train.load_variable(f"{tmp_path}/m", "v").tolist() == [1.0, 2.0]


@pytest.mark.parametrize("sharded", [False, True])
def test_where_operations_are_executed(tmp_path, sharded, gate):
    from tinytf.eager import EagerSession

    with EagerSession():
        v, w = tf.Variable(tf.ones([3000]), name="v"), tf.Variable(["text"], name="w")
        tf.train.Saver([v, w], sharded=sharded)
        saver = tf.train.Saver([v, w], sharded=sharded, async_save=True)
        saver.save(None, f"{tmp_path}/m", 7)
        for _ in range(3):
            v.assign_add(tf.ones([3000]))
        w.assign(["other"])
    gate.open()
    saver.wait()
    assert np.unique(tf.train.load_variable(f"{tmp_path}/m-7", "v")).tolist() == [1.0]
    assert tf.train.load_variable(f"{tmp_path}/m-7", "w").tolist() == [b"text"]


_BEGINNING = """
import os, sys, threading
import numpy as np
import tinytf as tf
from tinytf._src.checkpoint.checkpoint_writer import CheckpointWriter
folder = sys.argv[1]
v = tf.get_variable("v", [1000], initializer=tf.ones_initializer())
saver = tf.train.Saver(async_save=True)
opened = threading.Event()
write = CheckpointWriter.write
CheckpointWriter.write = lambda writer: (opened.wait(), write(writer))[1]
sess = tf.Session()
sess.run(tf.global_variables_initializer())
"""


@pytest.mark.parametrize(
    "ending",
    [
        "sess.close(); opened.set()",
        "threading.Timer(0.05, opened.set).start(); sys.exit(3)",
        "opened.set(); raise SystemExit(3)",
        "import atexit; atexit.register(saver.save, sess, folder + '/late'); opened.set()",
        "opened.set(); del saver, sess, v",
    ],
)
def test_the_end_of_the_program_waits(tmp_path, ending):
    done = run_program(f"{_BEGINNING}\nsaver.save(sess, folder + '/m')\n{ending}", str(tmp_path))
    assert not done.stderr and done.returncode in (0, 3)
    for name in {os.path.basename(str(tf.train.latest_checkpoint(str(tmp_path)))), "m"}:
        assert tf.train.load_variable(f"{tmp_path}/{name}", "v").sum() == 1000
    assert ("late" in ending) == (tmp_path / "late.index").exists()


def test_the_end_of_the_program_tells_of_errors(tmp_path):
    (tmp_path / "file").touch()
    done = run_program(f"{_BEGINNING}\nsaver.save(sess, folder + '/file/m')\nopened.set()", str(tmp_path))
    assert done.returncode == 0
    assert "/file/m was not written: ValueError: Parent directory of " in done.stderr and "Traceback" not in done.stderr


def test_a_forked_process_writes_nothing_of_its_parents(tmp_path):
    done = run_program(
        f"""{_BEGINNING}
saver.save(sess, folder + "/m")
child = os.fork()
if child == 0:
    saver.wait()
    assert saver.last_checkpoints == [] and os.listdir(folder) == []
    opened.set()
    saver.save(sess, folder + "/child")
    saver.wait()
    assert sorted(name for name in os.listdir(folder) if "index" in name) == ["child.index"]
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
opened.set()
saver.wait()
assert saver.last_checkpoints == [folder + "/m"]
""",
        str(tmp_path),
    )
    assert done.returncode == 0, done.stderr
    assert tf.train.load_variable(f"{tmp_path}/m", "v").sum() == 1000


def test_sessions_are_not_kept(tmp_path):
    tf.get_variable("v", [1], initializer=tf.ones_initializer())
    saver = tf.train.Saver(async_save=True)
    with contextlib.closing(tf.Session()) as sess:
        sess.run(tf.global_variables_initializer())
        saver.save(sess, f"{tmp_path}/m")
    saver.wait()
    kept = weakref.ref(sess)
    del sess
    gc.collect()
    assert kept() is None
