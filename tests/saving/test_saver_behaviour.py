"""Savers beyond TensorFlow's guarantees: the order of a save, the checkpoints kept, and damaged files."""

import os

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.platform import file_io
from tinytf.python.framework import meta_graph
from tinytf.python.training import saver as saver_module


def _files(folder):
    return sorted(os.listdir(folder))


@pytest.fixture
def sess():
    """A session of a graph with the variable `v`."""
    tf.get_variable("v", initializer=[1.0, 2.0])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        yield session


def test_the_state_file_is_written_when_all_else_is_there_and_old_checkpoints_go_last(sess, tmp_path, monkeypatch):
    saver = tf.train.Saver(max_to_keep=1)
    saver.save(sess, f"{tmp_path}/m", 1)
    seen = []
    write = file_io.atomic_write_string_to_file
    monkeypatch.setattr(
        file_io,
        "atomic_write_string_to_file",
        lambda name, *args: (seen.append((os.path.basename(name), _files(tmp_path))), write(name, *args))[1],
    )
    saver.save(sess, f"{tmp_path}/m", 2)
    (meta, _), (state, then) = seen
    assert (meta, state) == ("m-2.meta", "checkpoint")
    assert {"m-1.index", "m-1.meta", "m-2.index", "m-2.data-00000-of-00001", "m-2.meta"} <= set(then)
    assert _files(tmp_path) == ["checkpoint", "m-2.data-00000-of-00001", "m-2.index", "m-2.meta"]


def test_all_that_are_too_many_go(sess, tmp_path):
    many = tf.train.Saver(max_to_keep=10)
    for step in range(6):
        many.save(sess, f"{tmp_path}/m", step, write_meta_graph=False)
    few = tf.train.Saver(max_to_keep=2)
    few.recover_last_checkpoints(many.last_checkpoints)
    few.save(sess, f"{tmp_path}/m", 6, write_meta_graph=False)
    assert [name for name in _files(tmp_path) if name.endswith(".index")] == ["m-5.index", "m-6.index"]


def test_values_are_safe_where_the_graph_cannot_be_written(sess, tmp_path, monkeypatch):
    saver = tf.train.Saver()

    def refuse(*args, **kwargs):
        raise ValueError("too large")

    monkeypatch.setattr(saver, "export_meta_graph", refuse)
    with pytest.raises(ValueError, match="too large"):
        saver.save(sess, f"{tmp_path}/m", 1)
    assert tf.train.latest_checkpoint(str(tmp_path)) == f"{tmp_path}/m-1"
    tf.train.Saver().restore(sess, f"{tmp_path}/m-1")


def test_what_cannot_be_deleted_is_warned_of(sess, tmp_path, caplog):
    saver = tf.train.Saver(max_to_keep=1)
    saver.save(sess, f"{tmp_path}/m", 1)
    os.remove(tmp_path / "m-1.meta")
    os.mkdir(tmp_path / "m-1.meta")
    saver.save(sess, f"{tmp_path}/m", 2)
    assert [record.getMessage() for record in caplog.records][-1].startswith("Ignoring: ")


def test_durable_files_are_synced_before_the_state_file_names_them(sess, tmp_path, monkeypatch):
    seen = []
    fsync = os.fsync
    monkeypatch.setattr(
        os,
        "fsync",
        lambda file: (
            seen.append(os.path.basename(os.readlink(f"/proc/self/fd/{file}")).split(".tmp")[0]),
            fsync(file),
        )[1],
    )
    tf.train.Saver(durable=True).save(sess, f"{tmp_path}/m", 1)
    before, after = seen[: seen.index("checkpoint")], seen[seen.index("checkpoint") + 1 :]
    assert {"m-1.index", "m-1.data-00000-of-00001", "m-1.meta"} < set(before)
    assert after == [tmp_path.name] and before.index(tmp_path.parent.name) > before.index(tmp_path.name)


def test_durable_files_may_have_names_with_a_scheme(sess, tmp_path):
    saver = tf.train.Saver(durable=True)
    saver.save(sess, f"file://{tmp_path}/m", 1)
    saver.restore(sess, f"{tmp_path}/m-1")


def test_sessions_are_what_has_a_graph(sess, tmp_path):
    class Monitored:
        graph = sess.graph

        def run(self, *args, **kwargs):
            return sess.run(*args, **kwargs)

    assert tf.train.Saver().save(Monitored(), f"{tmp_path}/m") == f"{tmp_path}/m"


def test_where_operations_are_executed(tmp_path):
    from tinytf.eager import EagerSession

    with EagerSession():
        v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")
        with pytest.raises(RuntimeError, match="`var_list` must specify a list or dict"):
            tf.train.Saver()
        for sharded in (False, True):
            saver = tf.train.Saver({"a": v, "b": w}, sharded=sharded)
            path = saver.save(None, f"{tmp_path}/m", 1)
            v.assign([0.0, 0.0])
            w.assign(0)
            saver.restore(None, path)
            assert v.numpy().tolist() == [1.0, 2.0] and w.numpy() == 3
        assert saver.last_checkpoints == [f"{tmp_path}/m-1"]
        with pytest.raises(RuntimeError, match="instead of build"):
            saver.build()
    with tf.Session() as sess:
        variable = tf.get_variable("x", [2])
        tf.train.Saver({"a": variable}).restore(sess, path)
        assert sess.run(variable).tolist() == [1.0, 2.0]


def _damage(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.fixture
def saved(sess, tmp_path):
    """A saver that has written v = [0, 0], [1, 1], [2, 2] as m-0 to m-2."""
    saver, v = tf.train.Saver(), tf.global_variables()[0]
    for step in range(3):
        v.load(np.full(2, step, np.float32), sess)
        saver.save(sess, f"{tmp_path}/m", step)
    return saver


def _value(sess):
    return sess.run("v:0").tolist()


def test_the_newest_checkpoint_is_restored(sess, saved, tmp_path, caplog):
    new = tf.train.Saver()
    assert new.restore_latest(sess, str(tmp_path)) == f"{tmp_path}/m-2"
    assert new.last_checkpoints == saved.last_checkpoints
    assert not caplog.records


@pytest.mark.parametrize("suffix", ["index", "data-00000-of-00001"])
@pytest.mark.parametrize("how", ["damaged", "cut", "gone"])
def test_an_older_checkpoint_is_restored_where_files_are(sess, saved, tmp_path, caplog, suffix, how):
    for step in (1, 2):
        path = tmp_path / f"m-{step}.{suffix}"
        if how == "damaged":
            _damage(path)
        elif how == "cut":
            path.write_bytes(path.read_bytes()[:-1])
        else:
            path.unlink()
    assert saved.restore_latest(sess, str(tmp_path)) == f"{tmp_path}/m-0"
    assert _value(sess) == [0, 0]
    texts = [record.getMessage() for record in caplog.records]
    assert [f"{tmp_path}/m-{step} cannot be restored" in text for step, text in zip((2, 1), texts, strict=True)] == [
        True
    ] * 2


def test_a_lost_state_file_and_a_moved_folder_are_no_loss(sess, saved, tmp_path):
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in _files(tmp_path):
        if name != "moved":
            os.rename(tmp_path / name, moved / name)
    assert tf.train.latest_checkpoint(str(moved)) == f"{moved}/m-2"
    assert saved.restore_latest(sess, str(moved)) == f"{moved}/m-2"
    os.remove(moved / "checkpoint")
    for step in range(3):
        os.utime(moved / f"m-{step}.index", (100 - step, 100 - step))
    assert saved.restore_latest(sess, str(moved)) == f"{moved}/m-0"  # the newest by file time
    (moved / "checkpoint").write_text("")
    assert saved.restore_latest(sess, str(moved)) == f"{moved}/m-0"


def test_nothing_there_is_none_and_all_damaged_an_error(sess, saved, tmp_path):
    assert saved.restore_latest(sess, str(tmp_path / "none")) is None
    for step in range(3):
        _damage(tmp_path / f"m-{step}.index")
    with pytest.raises(tf.errors.DataLossError):
        saved.restore_latest(sess, str(tmp_path))


def test_a_graph_that_does_not_fit_is_an_error(saved, tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("other", [2])
        with pytest.raises(tf.errors.NotFoundError, match="Key other not found in checkpoint"):
            tf.train.Saver().restore_latest(sess, str(tmp_path))


@pytest.mark.parametrize("older", [[3], [2]])
def test_an_older_checkpoint_of_another_shape_is_not_taken(tmp_path, caplog, older):
    """If the newest checkpoint is complete but has another shape, no older one is used, whether or not it would fit."""
    for step, shape in enumerate([older, [3]]):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.get_variable("v", shape).initializer)
            tf.train.Saver().save(sess, str(tmp_path / "m"), global_step=step)
            tf.train.update_checkpoint_state(
                str(tmp_path), f"{tmp_path}/m-{step}", [f"{tmp_path}/m-{n}" for n in range(step + 1)]
            )
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("v", [2])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Assign requires shapes of both tensors to match"):
            tf.train.Saver().restore_latest(sess, str(tmp_path))
    assert not caplog.records


def test_a_manager_deletes_in_its_folder_only(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "m-1.index").write_text("")
    folder = str(tmp_path / "own")
    os.mkdir(folder)
    tf.train.update_checkpoint_state(
        folder, f"{other}/m-1", all_model_checkpoint_timestamps=[5e9], last_preserved_timestamp=1.0
    )

    class Fake:
        save_counter = tf.Variable(0)

        def write(self, prefix):
            return prefix

    with tf.Session().as_default() as sess:
        sess.run(Fake.save_counter.initializer)
        manager = tf.train.CheckpointManager(Fake(), folder, 1)
        assert manager.checkpoints == [f"{other}/m-1"]
        manager.save()
        assert manager.checkpoints == [f"{folder}/ckpt-1"] and (other / "m-1.index").exists()
        sess.close()


def test_names_of_the_module_path():
    assert saver_module.Saver is tf.train.Saver and saver_module.latest_checkpoint is tf.train.latest_checkpoint


def test_what_does_not_fit_is_told_by_name(tmp_path, sess):
    tf.get_variable("layer/kernel", initializer=[[1.0, 2.0]])
    tf.get_variable("layer/bias", initializer=1, use_resource=True)
    sess.run(tf.global_variables_initializer())
    path = tf.train.Saver().save(sess, f"{tmp_path}/m")
    with tf.Graph().as_default(), tf.Session() as other:
        tf.get_variable("v", [3])
        tf.get_variable("layer/kernels", [1, 2])
        tf.get_variable("layer/bias", [], use_resource=True)
        with pytest.raises(tf.errors.NotFoundError) as caught:
            tf.train.Saver().restore(other, path)
        for i in range(30):
            tf.get_variable(f"w{i}", [])
        with pytest.raises(tf.errors.NotFoundError, match="and 13 more\n"):
            tf.train.Saver().restore(other, path)
    assert caught.value.message.partition("\n\nDifferences between the graph and ")[2].partition("\n\n")[
        0
    ].splitlines() == [
        f"the checkpoint {path}:",
        "  layer/bias is float32 in the graph and int32 in the checkpoint",
        "  layer/kernels is not in the checkpoint (similar names: layer/kernel, layer/bias)",
        "  v has shape (3,) in the graph and (2,) in the checkpoint",
    ]


def test_rows_of_new_words_begin_as_the_initializer_says(tmp_path):
    for name, words in (("old", "a b"), ("new", "b x a")):
        (tmp_path / name).write_text(words.replace(" ", "\n"))
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("e", initializer=[[1.0, 10.0], [2.0, 20.0]])
        sess.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(sess, f"{tmp_path}/m")
    info = tf.train.VocabInfo(
        f"{tmp_path}/new", 3, 1, f"{tmp_path}/old", backup_initializer=tf.constant_initializer(9.0)
    )
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as sess:
            variable = tf.get_variable("e", [4, 2], use_resource=resource)
            tf.train.warm_start(path, var_name_to_vocab_info={"e": info})
            sess.run(tf.global_variables_initializer())
            assert sess.run(variable).tolist() == [[2, 20], [9, 9], [1, 10], [9, 9]]
    with tf.Graph().as_default():
        tf.get_variable("e", [5, 2])
        with pytest.raises(ValueError, match=r"expected total row count of new_row_vocab_size \(3\) .* \(1\) = 4"):
            tf.train.warm_start(path, var_name_to_vocab_info={"e": info})
        tf.train.warm_start(path, var_name_to_vocab_info={"e": info._replace(new_vocab_size=4)})
        with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match="new has 3 lines"):
            sess.run(tf.global_variables_initializer())


def test_a_session_of_an_equally_built_graph_is_taken(sess, tmp_path):
    saver = tf.train.Saver()
    path = saver.save(sess, f"{tmp_path}/m")
    with tf.Graph().as_default(), tf.Session() as other:
        variable = tf.get_variable("v", [2])
        tf.train.Saver()
        saver.restore(other, path)
        assert other.run(variable).tolist() == [1.0, 2.0]
        assert tf.train.list_variables(saver.save(other, f"{tmp_path}/n")) == [("v", [2])]


@pytest.mark.parametrize(
    "variables",
    [{}, {"v": [3]}, {"v": [2], "w": [2]}, {"w": [2]}],
    ids=["without a variable", "another shape", "one more", "another name"],
)
def test_a_session_of_a_graph_with_other_variables_is_refused(sess, tmp_path, variables):
    saver = tf.train.Saver()
    path = saver.save(sess, f"{tmp_path}/m")
    with tf.Graph().as_default(), tf.Session() as other:
        for name, shape in variables.items():
            tf.get_variable(name, shape)
        if variables:
            tf.train.Saver()  # its operations have the same names
        with pytest.raises(ValueError, match="created in another graph than the session's"):
            saver.save(other, f"{tmp_path}/m")
        with pytest.raises(ValueError, match="created in another graph than the session's"):
            saver.restore(other, path)
        if "v" in variables and len(variables) == 1:
            with pytest.raises(tf.errors.InvalidArgumentError, match="v has shape"):
                tf.train.Saver(saver_def=saver.as_saver_def()).restore(other, path)


def test_finalized_graphs_are_saved(sess, tmp_path):
    saver = tf.train.Saver()
    sess.graph.finalize()
    saver.restore(sess, saver.save(sess, f"{tmp_path}/m"))
    assert (tmp_path / "m.meta").exists()


def test_queue_runners_are_kept_as_they_were(tmp_path):
    queue = tf.FIFOQueue(2, tf.float32, name="queue")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1.0)]))
    exported = tf.train.export_meta_graph()
    for scope in (None, "n"):
        with tf.Graph().as_default():
            tf.train.import_meta_graph(exported, import_scope=scope)
            [kept] = tf.get_collection("queue_runners")
            assert kept.name == ("n/queue" if scope else "queue")
            assert kept.enqueue_ops[0] in tf.get_default_graph().get_operations()
            again, _ = meta_graph.export_scoped_meta_graph(export_scope=scope)
        assert again.collection_def["queue_runners"] == exported.collection_def["queue_runners"]


def test_what_killed_saves_have_left_goes(sess, tmp_path):
    left = [
        "m.data-00000-of-00001.tempstate123",
        "m-7.index.tempstate9",
        "m-7.tempstate5",
        f"m-3.meta.tmp{'a' * 32}",
        f"checkpoint.tmp{'0' * 32}",
        "m-4.data-00000-of-00001",
    ]
    stays = [
        "m-5.data-00000-of-00001",
        "m-5.index",
        "m2.index.tempstate1",
        "n.tempstate1",
        "m-x.tmp",
        "other-4.data-00000-of-00001",
    ]
    for name in left + stays:
        (tmp_path / name).write_text("")
    for name in (f"m-1_temp_{'b' * 32}", f"n-1_temp_{'b' * 32}"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part-00000-of-00001.index").write_text("")
    for path in tmp_path.iterdir():
        os.utime(path, (1000, 1000))
    fresh = "m-8.index.tempstate1"  # possibly of another running saver
    (tmp_path / fresh).write_text("")
    saver = tf.train.Saver()
    saver.save(sess, f"{tmp_path}/m", 9, write_meta_graph=False)
    new = ["checkpoint", "m-9.data-00000-of-00001", "m-9.index"]
    assert _files(tmp_path) == sorted([*stays, *new, fresh, f"n-1_temp_{'b' * 32}"])
    (tmp_path / left[0]).write_text("")  # leftovers are removed only once
    os.utime(tmp_path / left[0], (1000, 1000))
    saver.save(sess, f"{tmp_path}/m", 10, write_meta_graph=False)
    assert left[0] in _files(tmp_path)


@pytest.mark.parametrize("scope", [None, "n"])
def test_loops_built_beside_imported_ones_are_other_loops(scope):
    x = tf.placeholder(tf.float32, [], name="x")
    _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.0])
    tf.identity(tf.gradients(y, x)[0], name="slope")
    tf.identity(y, name="y")
    exported = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(exported, import_scope=scope)
        x, y = (graph.get_tensor_by_name(f"{scope}/{name}:0" if scope else f"{name}:0") for name in "xy")
        count = tf.while_loop(lambda i: i < 5, lambda i: i + 1, [0])
        [again] = tf.gradients(y * y, x)
        slope = f"{scope}/slope:0" if scope else "slope:0"
        assert sess.run([y, count, slope, again], {x: 2.0}) == [8, 5, 12, 192]


def test_training_goes_on_differently(tmp_path):
    x = tf.placeholder(tf.float32, [2, 3, 5], name="x")
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), x, dtype=tf.float32)
    loss = tf.reduce_mean(out, name="loss")
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, name="train")
    exported = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.train.import_meta_graph(exported)
        sess.run(tf.global_variables_initializer())
        new = tf.train.GradientDescentOptimizer(0.5).minimize(graph.get_tensor_by_name("loss:0"))
        losses = [sess.run(["loss:0", "train", new], {"x:0": np.ones([2, 3, 5])})[0] for _ in range(5)]
    assert losses == sorted(losses, reverse=True)


def test_deleting_a_checkpoint_touches_no_other(sess, tmp_path):
    for name in ("m1-1.index", "m2-1.index", "m1-1.data-00000-of-00001", "m1-1.meta"):
        (tmp_path / name).write_text("")
    odd = f"{tmp_path}/m[12]-1"
    tf.train.Saver(durable=True).save(sess, odd)
    assert len(_files(tmp_path)) == 8
    tf.train.remove_checkpoint(odd)
    tf.train.remove_checkpoint(f"{tmp_path}/m*-1")
    assert _files(tmp_path) == ["checkpoint", "m1-1.data-00000-of-00001", "m1-1.index", "m1-1.meta", "m2-1.index"]


def test_objects_of_a_graph_need_a_session(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    for call in (
        lambda: checkpoint.save(f"{tmp_path}/c"),
        lambda: checkpoint.write(f"{tmp_path}/c"),
        lambda: checkpoint.restore(None).initialize_or_restore(),
        lambda: tf.train.CheckpointManager(checkpoint, str(tmp_path), 1).save(),
    ):
        with pytest.raises(ValueError, match="need a session"):
            call()
