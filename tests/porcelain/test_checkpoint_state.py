"""Which checkpoints a folder has, as TensorFlow 1.15 says and writes it."""

from pathlib import Path

import pytest
from both import outcomes_here, outcomes_there, programs

import tinytf as tf

_PROGRAMS = programs(Path(__file__).with_name("checkpoint_programs.txt").read_text())
_HEAD = _PROGRAMS.pop("head")


@pytest.mark.oracle
@pytest.mark.parametrize("title", _PROGRAMS)
def test_as_in_tensorflow(title, oracle1):
    program = _HEAD + _PROGRAMS[title]
    assert outcomes_here(program) == outcomes_there(oracle1, program)


@pytest.mark.parametrize("title", _PROGRAMS)
def test_programs_run(title):
    """Also where there is no TensorFlow."""
    assert outcomes_here(_HEAD + _PROGRAMS[title])


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
