"""`CheckpointInputPipelineHook` saves iterators with the checkpoints of training and restores them."""

import os

import tinytf as tf


class _Config:
    num_worker_replicas = 1
    task_type, task_id = "worker", 0
    save_checkpoints_secs, save_checkpoints_steps = None, 2


class _Estimator:
    def __init__(self, folder, config=_Config):
        self.model_dir = folder
        self._config = config


def _trained(folder, steps, config=_Config):
    """The elements that so many steps of a new session read."""
    with tf.Graph().as_default():
        tf.train.create_global_step()
        iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(100))
        tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        element = iterator.get_next()
        step = tf.assign_add(tf.train.get_global_step(), 1)
        hook = tf.data.experimental.CheckpointInputPipelineHook(_Estimator(folder, config))
        with tf.train.MonitoredSession(hooks=[hook]) as session:
            elements = [session.run([element, step])[0] for _ in range(steps)]
        tf.summary.FileWriterCache.clear()
        return elements


def test_iterator_goes_on_where_it_was(tmp_path):
    assert _trained(str(tmp_path), 5) == [0, 1, 2, 3, 4]
    assert tf.train.latest_checkpoint(str(tmp_path), "checkpoint_input") == str(tmp_path / "input.ckpt-5")
    assert _trained(str(tmp_path), 3) == [5, 6, 7]


def test_state_file_of_variables_is_left_alone(tmp_path):
    _trained(str(tmp_path), 1)
    assert "checkpoint" not in os.listdir(tmp_path)


def test_workers_have_files_of_their_own(tmp_path):
    class Config(_Config):
        num_worker_replicas = 2

    _trained(str(tmp_path), 1, Config)
    assert "checkpoint_input_worker_0" in os.listdir(tmp_path)
