"""`tf.contrib.summary` and its ops write the same events in steps as in TensorFlow 1.15.5."""

import glob

import numpy as np
import pytest
import step_event_programs
from recorded import recorded
from step_event_programs import outcome, programs

import tinytf as tf

# Programs that crash TensorFlow, with the error they give here.
REFUSED = {
    "scalar_tags": "tag must be a scalar, got: [2]",
    "audio_vector": "Tensor must be 3-D or 2-D, got: [1]",
    "graphs": "tensor must be a scalar, got: [2]",
    "events": "event must be a scalar, got: [2]",
}
summary = tf.contrib.summary


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    step_event_programs, "step_events_of_1_15.json", there="_outcome_in_a_child(tf, program)", crashes=REFUSED
)


@pytest.mark.parametrize("name", REFUSED)
def test_better_than_tensorflow(name):
    assert outcome(tf, programs(tf)[name]) == [f"InvalidArgumentError: {REFUSED[name]}"]


def _events(folder):
    files = sorted(glob.glob(f"{folder}/*"))
    return [event for file in files for event in list(tf.train.summary_iterator(file))[1:]]


def _tags(folder):
    return [(event.step, [value.tag for value in event.summary.value]) for event in _events(folder)]


def test_steps_write_to_the_default_writer(tmp_path):
    step = tf.train.get_or_create_global_step()
    next_step = tf.assign_add(step, 1)
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries():
        summary.scalar("loss", tf.cast(step, tf.float32))
        summary.histogram("numbers", [1.0, 2.0], family="f")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with writer.as_default():
            summary.initialize(graph=tf.get_default_graph(), session=session)
        for _ in range(2):
            assert session.run(summary.all_summary_ops()) == [True, True]
            session.run(next_step)
        session.run(writer.close())
    graph, *told = _events(tmp_path)
    assert graph.WhichOneof("what") == "graph_def"
    assert sorted((e.step, v.tag) for e in told for v in e.summary.value) == [
        (0, "f/f/numbers"),
        (0, "loss"),
        (1, "f/f/numbers"),
        (1, "loss"),
    ]


def test_every_nth_step_writes(tmp_path):
    step = tf.train.get_or_create_global_step()
    next_step = tf.assign_add(step, 1)
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.record_summaries_every_n_global_steps(3):
        written = summary.scalar("a", 1.0)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), summary.summary_writer_initializer_op()])
        answers = []
        for _ in range(7):
            answers.append(bool(session.run(written)))
            session.run(next_step)
        session.run(writer.flush())
        assert answers == [True, False, False, True, False, False, True]
        assert _tags(tmp_path) == [(0, ["a"]), (3, ["a"]), (6, ["a"])]


def test_blocks_are_left_as_they_were_found():
    with summary.create_file_writer("unused").as_default():
        with summary.always_record_summaries(), summary.never_record_summaries():
            never = summary.scalar("a", 1.0, step=0)
        nobody = summary.scalar("b", 1.0, step=0)
    without = summary.scalar("c", 1.0, step=0)
    with tf.Session() as session:
        assert session.run([never, nobody, without]) == [False, False, None]
    assert summary.all_summary_ops() == tf.summary.all_v2_summary_ops() == [never, nobody]


def test_a_writer_is_there_from_its_creation_to_its_close(tmp_path):
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries():
        written = summary.scalar("a", 1.0, step=tf.constant(2, tf.int64))
    close = writer.close()
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.NotFoundError, match="localhost"):
                session.run(written)
            session.run(writer.init())
            session.run(writer.init())
            session.run(written)
            session.run(close)
    assert _tags(tmp_path) == [(2, ["a"])] * 2


def test_what_waits_when_a_session_ends_is_written(tmp_path):
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries():
        written = summary.scalar("a", 1.0, step=7)
    with tf.Session() as session:
        session.run(writer.init())
        session.run(written)
    assert _tags(tmp_path) == [(7, ["a"])]


def test_initialize_wants_a_writer_and_a_session():
    with pytest.raises(RuntimeError, match=r"No default tf.contrib.summary.SummaryWriter found"):
        tf.summary.initialize()
    with summary.create_file_writer("unused").as_default():
        with pytest.raises(ValueError, match="session must be passed if no default session exists"):
            summary.initialize()


def test_graphs_are_told_by_tensors():
    with pytest.raises(TypeError, match="needs a tf.Tensor"):
        summary.graph(tf.Graph())


def test_folders_of_evaluations():
    assert (summary.eval_dir("m"), summary.eval_dir("m", "x")) == ("m/eval", "m/eval_x")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with tf.Session() as session, pytest.raises(tf.errors.FailedPreconditionError, match="Not a directory"):
        session.run(summary.create_file_writer(str(tmp_path / "file" / "below")).init())


def test_images_are_those_of_image_summaries(tmp_path):
    pixels = np.random.RandomState(0).uniform(size=[2, 3, 4, 3]).astype(np.float32)
    writer = summary.create_file_writer(str(tmp_path))
    with writer.as_default(), summary.always_record_summaries():
        written = summary.image("i", pixels, step=1)
    other = tf.summary.image("j", pixels)
    with tf.Session() as session:
        session.run(writer.init())
        session.run(written)
        expected = tf.Summary.FromString(session.run(other))
        session.run(writer.close())
    [event] = _events(tmp_path)
    assert [value.image for value in event.summary.value] == [value.image for value in expected.value]
