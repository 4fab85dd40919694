"""Estimators continue from files of TensorFlow 1.15.5, and the reverse."""

import os
import tarfile
from pathlib import Path

import numpy as np
import pytest
from estimator_files import ask, export, train

import tinytf as tf

_HERE = Path(__file__).parent
_THEIRS = (_HERE / "estimator_files.py").read_text().partition('if __name__ == "__main__"')[0]


@pytest.fixture
def theirs(tmp_path):
    """A folder with `model` after seven steps and its `exported` model, both written by TensorFlow 1.15."""
    with tarfile.open(_HERE / "estimator_of_1_15.tar.gz") as tar:
        tar.extractall(tmp_path / "theirs", filter="data")
    return tmp_path / "theirs"


def _flat(result):
    step, loss, values = result
    return [step, loss, *(number for value in values for number in value)]


def test_a_training_of_1_15_goes_on_here(theirs, tmp_path):
    on = train(tf, str(theirs / "model"), 6)
    whole = train(tf, str(tmp_path / "whole"), 13)
    assert on[0] == whole[0] == 13
    np.testing.assert_allclose(_flat(on), _flat(whole), rtol=1e-4, atol=1e-6)
    # Its list of checkpoints continues: the last two are kept.
    state = tf.train.get_checkpoint_state(str(theirs / "model"))
    assert [os.path.basename(path) for path in state.all_model_checkpoint_paths] == ["model.ckpt-12", "model.ckpt-13"]
    assert sorted(path.stem for path in (theirs / "model").glob("*.index")) == ["model.ckpt-12", "model.ckpt-13"]


def test_a_model_exported_by_1_15_says_the_same_here(theirs, tmp_path):
    train(tf, str(tmp_path / "ours"), 7)
    ours = ask(tf, export(tf, str(tmp_path / "ours"), str(tmp_path)))
    np.testing.assert_allclose(ask(tf, str(theirs / "exported")), ours, rtol=1e-4, atol=1e-6)


@pytest.mark.oracle
def test_tensorflow_goes_on_with_a_training_from_here(oracle1, tmp_path):
    folder = str(tmp_path / "ours")
    train(tf, folder, 7)
    on = oracle1(_THEIRS + "result = train(tf, folder, 6)", folder=folder)
    np.testing.assert_allclose(_flat(on), _flat(train(tf, str(tmp_path / "whole"), 13)), rtol=1e-4, atol=1e-6)


@pytest.mark.oracle
def test_tensorflow_loads_a_model_from_here(oracle1, tmp_path):
    train(tf, str(tmp_path / "ours"), 3)
    path = export(tf, str(tmp_path / "ours"), str(tmp_path))
    there = oracle1(_THEIRS + "result = ask(tf, path)", path=path)
    np.testing.assert_allclose(there, ask(tf, path), rtol=1e-5, atol=1e-6)
