"""`FileWriter` writes the files of TensorFlow 1.15.5, loses no event, and reports errors."""

import gc
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import event_programs
import pytest
from process_threads import new_threads, new_threads_end, thread_ids, thread_is_there, threads, threads_come_down_to
from programs import run_program
from recorded import recorded

import tinytf as tf

CLOSED = (
    "Attempting to use a closed FileWriter. The operation will be a noop unless the FileWriter is explicitly reopened."
)


def _scalar(tag="a", number=1.0):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=number)])


def _files(folder):
    return sorted(glob.glob(f"{folder}/*"))


def _steps(folder):
    """The steps of all events except the first one of each file."""
    return [event.step for file in _files(folder) for event in list(tf.train.summary_iterator(file))[1:]]


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    event_programs, "events_of_1_15.json"
)


def test_a_graph_is_told_with_its_shapes_and_collections(tmp_path):
    with tf.Graph().as_default() as graph:
        tf.get_variable("v", [2])
        tf.placeholder(tf.float32, [3], name="p")
    with tf.summary.FileWriter(str(tmp_path), graph):
        pass
    version, graph_event, meta_graph_event = tf.train.summary_iterator(_files(tmp_path)[0])
    assert version.file_version == "brain.Event:2"
    assert tf.GraphDef.FromString(graph_event.graph_def) == graph.as_graph_def(add_shapes=True)
    meta_graph = tf.MetaGraphDef.FromString(meta_graph_event.meta_graph_def)
    assert meta_graph.graph_def == graph.as_graph_def(add_shapes=True)
    assert {"variables", "trainable_variables"} <= set(meta_graph.collection_def)
    assert not meta_graph.HasField("saver_def")
    assert graph_event.step == meta_graph_event.step == 0


def test_the_version_is_at_the_whole_second_of_the_name(tmp_path):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        assert _files(tmp_path) == []
        writer.add_summary(_scalar(), 1)
    file = Path(_files(tmp_path)[0])
    seconds = int(file.name.split(".")[3])
    version, event = tf.train.summary_iterator(str(file))
    assert version.wall_time == seconds
    assert seconds / 2 < event.wall_time < 2 * seconds  # in seconds, too; the file is named after the event was made
    assert file.read_bytes()[:12].hex() == "1800000000000000a37f4b22"


@pytest.mark.parametrize("suffix", [".x", b".x"])
def test_names_end_in_the_suffix(tmp_path, suffix):
    with tf.summary.FileWriter(os.fsencode(tmp_path), filename_suffix=suffix) as writer:
        writer.add_summary(_scalar(), 1)
    assert _files(tmp_path)[0].endswith(".x")


def test_no_file_is_written_over(tmp_path):
    writers = [tf.summary.FileWriter(str(tmp_path)) for _ in range(2)]
    for step in range(4):
        for writer in writers:
            writer.reopen()
            writer.add_summary(_scalar(), step)
            writer.close()
    assert len(_files(tmp_path)) == 8
    assert sorted(_steps(tmp_path)) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_message_that_is_added_stays_as_it_is(tmp_path):
    summary = _scalar()
    summary.value[0].metadata.display_name = "d"
    before = summary.SerializeToString()
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(summary)
        writer.add_summary(summary)
    assert summary.SerializeToString() == before


@pytest.mark.parametrize("event", ["x", None, 3, tf.Summary()])
def test_what_is_no_event_is_refused_and_the_writer_goes_on(tmp_path, event):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        with pytest.raises(TypeError, match="Expected a Event"):
            writer.add_event(event)
        writer.add_summary(_scalar(), 5)
    assert _steps(tmp_path) == [5]


def test_a_closed_writer_warns_at_the_users_line(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path))
    writer.close()
    with pytest.warns(UserWarning, match=CLOSED) as told:
        writer.add_summary(_scalar())
        writer.flush()
    assert [warning.filename for warning in told] == [__file__] * 2


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises((tf.errors.FailedPreconditionError, tf.errors.AlreadyExistsError)):
        tf.summary.FileWriter(str(tmp_path / "file" / "below"))
    with pytest.raises(TypeError):
        tf.summary.FileWriter(3)


def test_an_error_of_the_thread_is_raised_by_a_later_call(tmp_path):
    folder = tmp_path / "logs"
    writer = tf.summary.FileWriter(str(folder))
    folder.rmdir()
    writer.add_summary(_scalar(), 1)
    with pytest.raises(tf.errors.NotFoundError, match="tfevents"):
        writer.flush()
    folder.mkdir()
    writer.add_summary(_scalar(), 2)
    writer.close()
    assert _steps(folder) == [1, 2]


def test_an_error_at_the_close_is_raised(tmp_path):
    folder = tmp_path / "logs"
    writer = tf.summary.FileWriter(str(folder), flush_secs=1000)
    folder.rmdir()
    writer.add_summary(_scalar(), 1)
    with pytest.raises(tf.errors.NotFoundError):
        writer.close()
    writer.close()


def test_many_threads_add(tmp_path):
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        adders = [
            threading.Thread(target=lambda t=t: [writer.add_summary(_scalar(), t * 1000 + i) for i in range(1000)])
            for t in range(4)
        ]
        for adder in adders:
            adder.start()
        for adder in adders:
            adder.join()
    assert sorted(_steps(tmp_path)) == list(range(4000))


def test_the_thread_has_a_name_and_ends_with_the_writer(tmp_path):
    before = thread_ids()
    writer = tf.summary.FileWriter(str(tmp_path))
    assert not new_threads(before)
    writer.add_summary(_scalar(), 1)
    assert thread_is_there("tinytf-events")
    writer.close()
    assert new_threads_end(before)


def test_a_writer_without_references_writes_and_ends(tmp_path):
    before = threads()
    writer = tf.summary.FileWriter(str(tmp_path))
    writer.add_summary(_scalar(), 7)
    del writer
    gc.collect()
    assert _steps(tmp_path) == [7]
    assert threads_come_down_to(before)


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise RuntimeError", "del writer", "main()"])
def test_nothing_is_lost_at_exit(tmp_path, end):
    program = f"""
import sys, tinytf as tf
writer = tf.summary.FileWriter({str(tmp_path)!r}, flush_secs=1000)
for step in range(1000):
    writer.add_summary(b"", step)
def main():
    local = tf.summary.FileWriter({str(tmp_path)!r})
    local.add_summary(b"", 1000)
{end}
"""
    run_program(program)
    assert sorted(_steps(tmp_path)) == list(range(1001 if end == "main()" else 1000))


def test_killed_writers_leave_files_that_can_be_read(tmp_path):
    program = f"""
import tinytf as tf
writer = tf.summary.FileWriter({str(tmp_path)!r})
for step in range(10**9):
    writer.add_summary(b"\\x0a\\x08\\x0a\\x01b\\x15\\x00\\x00\\x80?", step)
    if step % 1000 == 0:
        writer.flush()
        print(step, flush=True)
"""
    for number in range(5):
        folder = tmp_path / str(number)
        killed = subprocess.Popen(
            [sys.executable, "-c", program.replace(str(tmp_path), str(folder))],
            stdout=subprocess.PIPE,
            text=True,
            cwd=tempfile.gettempdir(),
        )
        for _ in range(number * 7 + 1):
            flushed = int(killed.stdout.readline())
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        steps = []
        events = tf.train.summary_iterator(_files(folder)[0])
        try:
            steps = [event.step for event in events][1:]
        except tf.errors.DataLossError as error:  # the last record was truncated
            assert "truncated record" in error.message
            continue
        assert steps == list(range(len(steps)))
        assert len(steps) > flushed


def test_a_forked_child_writes_a_file_of_its_own(tmp_path):
    writer = tf.summary.FileWriter(str(tmp_path), flush_secs=1000)
    writer.add_summary(_scalar(), 1)
    writer.flush()
    writer.add_summary(_scalar(), 2)
    child = os.fork()
    if child == 0:
        writer.add_summary(_scalar(), 3)
        writer.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    writer.add_summary(_scalar(), 4)
    writer.close()
    steps = sorted([event.step for event in tf.train.summary_iterator(file)][1:] for file in _files(tmp_path))
    assert steps == [[1, 2, 4], [3]]


def test_a_folder_has_one_writer_in_the_cache(tmp_path):
    cache = tf.summary.FileWriterCache
    with tf.Graph().as_default():
        writer = cache.get(str(tmp_path))
        assert cache.get(str(tmp_path)) is writer
        writer.add_summary(_scalar(), 1)
        cache.clear()
        assert writer._file.is_closed
        assert cache.get(str(tmp_path)) is not writer
        cache.clear()
    assert _steps(tmp_path) == [0, 0, 1, 0, 0]


def test_in_eager_execution_there_are_no_writers(tmp_path):
    with tf.EagerSession(), pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.summary.FileWriter(str(tmp_path))
    shutil.rmtree(tmp_path)


@pytest.mark.oracle
def test_tensorflow_and_tensorboard_read_the_files(tmp_path, oracle, oracle1):
    with tf.Graph().as_default() as graph, tf.summary.FileWriter(str(tmp_path), graph) as writer:
        tf.summary.scalar("loss", 0.5)
        tf.summary.histogram("weights", [1.0, 2.0])
        tf.summary.image("picture", tf.zeros([1, 2, 3, 3], tf.uint8))
        tf.summary.text("note", tf.constant("text"))
        summary = tf.summary.merge_all()
        with tf.Session() as session:
            for step in range(3):
                writer.add_summary(session.run(summary), step)
    ask = "result = [(e.step, [v.tag for v in e.summary.value]) for e in tf.train.summary_iterator(path)]"
    tags = ["loss", "weights", "picture/image/0", "note"]
    for ask_one in (oracle, oracle1):
        told = ask_one(ask, path=_files(tmp_path)[0])
        assert told == [(0, []), (0, []), (0, [])] + [(step, tags) for step in range(3)]
    ask = """
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(path)
events.Reload()
tags = events.Tags()
result = (tags["scalars"], tags["histograms"], tags["images"], tags["tensors"], tags["graph"], tags["meta_graph"],
          [(event.step, event.value) for event in events.Scalars("loss")])
"""
    told = oracle1(ask, path=str(tmp_path))
    assert told == (["loss"], ["weights"], ["picture/image/0"], ["note"], True, True, [(0, 0.5), (1, 0.5), (2, 0.5)])
