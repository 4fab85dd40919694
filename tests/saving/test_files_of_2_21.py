"""Models and checkpoints written by TensorFlow 2.21 run here."""

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

import tinytf as tf

_HERE = Path(__file__).parent
_GIVEN, _WANTED = [[1.0, 0.5]], [[7.0, 10.0]]


def _check(folder):
    for name in ("objects", "graph"):
        with tf.Graph().as_default(), tf.Session() as sess:
            model = tf.saved_model.load(sess, ["serve"], f"{folder}/{name}")
            signature = model.signature_def["serving_default"]
            [given], [wanted] = signature.inputs.values(), signature.outputs.values()
            assert sess.run(wanted.name, {given.name: _GIVEN}).tolist() == _WANTED
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.import_meta_graph(f"{folder}/checkpoint-1.meta")
        saver.restore(sess, f"{folder}/checkpoint-1")
        assert sess.run("y:0", {"x:0": _GIVEN}).tolist() == _WANTED
        path = saver.save(sess, f"{folder}/again")  # by the save ops of TensorFlow 2
        sess.run(tf.global_variables()[0].assign([[0.0, 0.0], [0.0, 0.0]]))
        saver.restore(sess, path)
        assert sess.run("y:0", {"x:0": _GIVEN}).tolist() == _WANTED


def test_files_of_2_21(tmp_path):
    with tarfile.open(_HERE / "files_of_2_21.tar.gz") as tar:
        tar.extractall(tmp_path, filter="data")
    _check(tmp_path)


@pytest.mark.oracle
@pytest.mark.usefixtures("oracle")
def test_what_it_writes_now(tmp_path):
    script = _HERE / "programs_of_2_21.py"
    done = subprocess.run(
        [os.environ["TINYTF_ORACLE"], script, tmp_path], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    _check(tmp_path)
