"""Checkpoints with an invalid object graph, or one that does not match their values, are errors."""

import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.context.execution import eager_mode

_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
pytestmark = pytest.mark.usefixtures("eager_session_of_the_process")


def _graph(child=1, slot=None, key="v/.ATTRIBUTES/VARIABLE_VALUE"):
    graph = protos.TrackableObjectGraph()
    graph.nodes.add().children.add(node_id=child, local_name="v")
    graph.nodes.add().attributes.add(name="VARIABLE_VALUE", full_name="v", checkpoint_key=key)
    if slot is not None:
        graph.nodes[0].slot_variables.add(original_variable_node_id=slot[0], slot_variable_node_id=slot[1])
    return graph


def _written(path, content):
    with tf.Graph().as_default(), tf.Session() as sess:
        tensors = [tf.constant(content), tf.constant([1.0, 2.0])]
        sess.run(tf.raw_ops.SaveV2(prefix=path, tensor_names=[_KEY, "v/.ATTRIBUTES/VARIABLE_VALUE"],
                                   shape_and_slices=["", ""], tensors=tensors))  # fmt: skip
    return path


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xff\xff",
        b"",
        [b"a", b"b"],
        3.0,
        _graph(child=2).SerializeToString(),
        _graph(child=-1).SerializeToString(),
        _graph(slot=(1, 9)).SerializeToString(),
        _graph(slot=(-2, 1)).SerializeToString(),
    ],
)
def test_a_graph_that_makes_no_sense(content, tmp_path):
    path = _written(f"{tmp_path}/c", content)
    with pytest.raises(tf.errors.DataLossError, match="the object graph is damaged"):
        tf.train.Checkpoint(v=tf.Variable([0.0, 0.0])).restore(path)
    with pytest.raises(tf.errors.DataLossError):
        tf.contrib.checkpoint.object_metadata(path)


def test_slots_of_what_is_no_optimizer_or_for_what_is_no_variable(tmp_path):
    path = _written(f"{tmp_path}/c", _graph(slot=(1, 1)).SerializeToString())
    with (
        eager_mode(),
        pytest.raises(ValueError, match="a slot '' of an optimizer .* in their places are a CheckpointV1 and"),
    ):
        tf.train.Checkpoint(v=tf.Variable([0.0, 0.0])).restore(path)
    graph = _graph()
    graph.nodes[1].slot_variables.add(original_variable_node_id=0, slot_name="m", slot_variable_node_id=1)
    path = _written(f"{tmp_path}/d", graph.SerializeToString())
    with eager_mode(), pytest.raises(ValueError, match="a slot 'm' of an optimizer .* and a CheckpointV1"):
        tf.train.Checkpoint(v=tf.train.AdamOptimizer()).restore(path)


def test_a_value_that_is_not_there(tmp_path):
    path = _written(f"{tmp_path}/c", _graph(key="w").SerializeToString())
    with eager_mode(), pytest.raises(tf.errors.NotFoundError, match="Key w not found in checkpoint"):
        tf.train.Checkpoint(v=tf.Variable([0.0, 0.0])).restore(path)
    with eager_mode():
        checkpoint = tf.train.Checkpoint()
        checkpoint.restore(path)
        with pytest.raises(tf.errors.NotFoundError, match="Key w not found in checkpoint"):
            checkpoint.v = tf.Variable([0.0, 0.0])
    graph = _graph(key="w")
    graph.nodes[0].children[0].local_name = "save_counter"  # restored on creation
    path = _written(f"{tmp_path}/d", graph.SerializeToString())
    with eager_mode(), pytest.raises(tf.errors.NotFoundError, match="Key w not found in checkpoint"):
        tf.train.Checkpoint().restore(path)


def test_objects_in_a_circle(tmp_path):
    """Objects may depend on each other; a cycle in the file does not cause endless recursion."""
    graph = _graph()
    graph.nodes[1].children.add(node_id=0, local_name="up")
    graph.nodes.add()  # an unreachable node
    path = _written(f"{tmp_path}/c", graph.SerializeToString())
    with eager_mode():
        checkpoint = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]))
        checkpoint.v._track_trackable(checkpoint, "up")
        status = checkpoint.restore(path)
        assert checkpoint.v.numpy().tolist() == [1.0, 2.0]
        with pytest.raises(AssertionError, match="not bound to checkpointed values"):  # the save counter
            status.assert_consumed()
        status.expect_partial()
        checkpoint.save(f"{tmp_path}/d")
        checkpoint.restore(f"{tmp_path}/d-1").assert_consumed()
        checkpoint.v._untrack("up")


def test_what_is_not_used_is_told(tmp_path, caplog):
    path = _written(f"{tmp_path}/c", _graph().SerializeToString())
    tf.train.Checkpoint().restore(path)
    assert "Unresolved object in checkpoint: (root).v" in caplog.text
    assert "expect_partial()" in caplog.text
    caplog.clear()
    tf.train.Checkpoint().restore(path).expect_partial()
    assert not caplog.text
