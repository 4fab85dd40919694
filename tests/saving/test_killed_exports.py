"""An export that ends or fails at any change of a file leaves a complete model, or a folder without one."""

import pytest
from programs import run_program
from stopping_changes import STOPPING_CHANGES

import tinytf as tf
from tinytf._src.checkpoint.checkpoint_writer import CheckpointWriter

# For each file change of an export, in the engine or in Python, in turn: a child exports and exits there (or the change
# fails), and then the folder is checked.
_PROGRAM = (
    STOPPING_CHANGES
    + """
folder, fails = sys.argv[1], sys.argv[2] == "fails"
with open(folder + "/words", "w") as file:
    file.write("words")

def export(path, stop):
    name = tf.constant(folder + "/words", name="file")
    v = tf.get_variable("v", [3], initializer=tf.ones_initializer())
    signatures = {"first": tf.saved_model.predict_signature_def({"x": v}, {"y": v + 1.0})}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with Changes(path, stop, fails, ("open", "os.rename", "os.mkdir")) as changes:
            try:
                builder = tf.saved_model.Builder(path)
                builder.add_meta_graph_and_variables(sess, ["one"], signatures, assets_collection=[name])
                builder.add_meta_graph(["two"], signatures)
                builder.save()
            except (tf.errors.OpError, OSError) as error:
                assert fails and ("space" in str(error) or "full" in str(error)), error
    return changes.status()

def is_model(path):
    if not tf.saved_model.contains_saved_model(path):
        return False
    for tag in ("one", "two"):
        with tf.Graph().as_default(), tf.Session() as sess:
            model = tf.saved_model.load(sess, [tag], path)
            assert sess.run(model.signature_def["first"].outputs["y"].name).tolist() == [2.0] * 3
    assert open(path + "/assets/words").read() == "words"
    return True

stop, ended, models = 0, 9, 0
while ended == 9:
    stop += 1
    path = f"{folder}/{stop}"
    ended = in_child(export, path, stop)
    assert ended in (0, 9), ended
    models += is_model(path)
print(stop, models)
"""
)


@pytest.mark.hooks
@pytest.mark.parametrize("what", ["ends", "fails"])
def test_at_every_change(memory_path, what):
    done = run_program(_PROGRAM, str(memory_path), what)
    assert done.returncode == 0, done.stderr
    stops, models = map(int, done.stdout.split())
    assert stops > 15
    assert 1 <= models < stops / 2  # the model file is written by the last changes


def test_variables_are_there_before_the_model_is(tmp_path, monkeypatch):
    """The variables are written before the model file, also by an asynchronous saver."""
    v, order = tf.get_variable("v", initializer=[1.0]), []
    write = CheckpointWriter.write
    monkeypatch.setattr(CheckpointWriter, "write", lambda writer: (write(writer), order.append("variables"))[0])
    with tf.Session() as sess:
        sess.run(v.initializer)
        builder = tf.saved_model.Builder(f"{tmp_path}/m")
        builder.add_meta_graph_and_variables(sess, ["one"], saver=tf.train.Saver(async_save=True))
        assert order == ["variables"]
        builder.save()


def test_variables_that_cannot_be_written_end_the_export(tmp_path, monkeypatch):
    def refuse(*_):
        raise tf.errors.ResourceExhaustedError(None, None, "full")

    v = tf.get_variable("v", initializer=[1.0])
    monkeypatch.setattr(CheckpointWriter, "write", refuse)
    with tf.Session() as sess:
        sess.run(v.initializer)
        builder = tf.saved_model.Builder(f"{tmp_path}/m")
        with pytest.raises(tf.errors.ResourceExhaustedError, match="full"):
            builder.add_meta_graph_and_variables(sess, ["one"], saver=tf.train.Saver(async_save=True))
        with pytest.raises(AssertionError, match="has not been saved yet"):
            builder.add_meta_graph(["two"])
    assert not tf.saved_model.contains_saved_model(f"{tmp_path}/m")
