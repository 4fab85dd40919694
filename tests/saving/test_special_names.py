"""Checkpoint names may contain any characters; wildcards match literally first."""

import os

import pytest

import tinytf as tf
from tinytf.python.training import checkpoint_utils

NAMES = ["g[1]", "a*b", "q?", "b\\c", "[", "]x[", "[!a]"]


def _files(folder):
    return sorted(name for name in os.listdir(folder) if name != "checkpoint")


@pytest.fixture
def v():
    return tf.get_variable("v", initializer=1.0)


@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_what_is_saved_is_found(name, sharded, v, tmp_path):
    saver, prefix = tf.train.Saver(sharded=sharded), f"{tmp_path}/{name}"
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert saver.save(sess, prefix) == prefix
        assert tf.train.latest_checkpoint(str(tmp_path)) == prefix
        assert tf.train.checkpoint_exists(prefix) and len(tf.train.get_checkpoint_mtimes([prefix])) == 1
        sess.run(v.assign(0.0))
        saver.restore(sess, prefix)
        assert sess.run(v) == tf.train.load_variable(prefix, "v") == 1
    assert tf.train.list_variables(prefix) == checkpoint_utils.list_variables(str(tmp_path)) == [("v", [])]
    tf.train.remove_checkpoint(prefix)
    assert _files(tmp_path) == [] and not tf.train.checkpoint_exists(prefix)


@pytest.mark.parametrize("version", [tf.train.SaverDef.V1, tf.train.SaverDef.V2])
@pytest.mark.parametrize("name", ["x[1]", "*", "?"])
def test_folders_too(name, version, v, tmp_path):
    folder = tmp_path / name
    folder.mkdir()
    saver = tf.train.Saver(max_to_keep=1, write_version=version)
    with tf.Session() as sess:
        for step in range(3):
            sess.run(v.assign(float(step)))
            saver.save(sess, f"{folder}/m", global_step=step)
        assert all("m-2" in file for file in _files(folder))
        assert tf.train.latest_checkpoint(str(folder)) == f"{folder}/m-2"
        sess.run(v.assign(-1.0))
        saver.restore(sess, f"{folder}/m-2")
        assert sess.run(v) == 2


def test_another_checkpoint_that_matches_is_not_taken(v, tmp_path):
    saver = tf.train.Saver()
    with tf.Session() as sess:
        for name, value in (("m1", 1.0), ("m[1]", 2.0), ("m*", 3.0), ("mx", 4.0)):
            sess.run(v.assign(value))
            saver.save(sess, f"{tmp_path}/{name}")
    found = [float(tf.train.load_variable(f"{tmp_path}/{name}", "v")) for name in ("m1", "m[1]", "m*", "mx")]
    assert found == [1, 2, 3, 4]
    tf.train.remove_checkpoint(f"{tmp_path}/m*")
    assert {name.partition(".")[0] for name in _files(tmp_path)} == {"m1", "m[1]", "mx"}


def test_patterns_still_lead_to_what_there_is(v, tmp_path):
    """Patterns match as in TensorFlow, which only treats names as patterns; early sharded checkpoints are named by
    one.
    """
    with tf.Session() as sess:
        sess.run(v.initializer)
        tf.train.Saver().save(sess, f"{tmp_path}/m")
    assert tf.train.checkpoint_exists(f"{tmp_path}/?") and tf.train.checkpoint_exists(f"{tmp_path}/m*")
    assert not tf.train.checkpoint_exists(f"{tmp_path}/n*")
