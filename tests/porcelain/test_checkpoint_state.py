"""The checkpoint state of a folder is read and written as in TensorFlow 1.15."""

import pytest

import tinytf as tf


def test_files_that_cannot_be_read_are_warned_of(tmp_path, caplog):
    (tmp_path / "checkpoint").write_bytes(b"\xff\xfe")
    assert tf.train.get_checkpoint_state(str(tmp_path)) is None
    assert [record.getMessage() for record in caplog.records][-1] == f"{tmp_path}/checkpoint: Checkpoint ignored"


def test_checkpoints_whose_files_are_gone_are_told(tmp_path, caplog):
    tf.train.update_checkpoint_state(str(tmp_path), f"{tmp_path}/m-1")
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
    assert [record.getMessage() for record in caplog.records] == [f"Couldn't match files for checkpoint {tmp_path}/m-1"]


def test_folders_that_are_not_there(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        tf.train.update_checkpoint_state(str(tmp_path / "no"), str(tmp_path / "no" / "m-1"))
