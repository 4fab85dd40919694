"""Object-based checkpoints of TensorFlow 1.15.5 and 2.21 can be read here, and the reverse."""

import ast
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from object_files import read, write

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.context.execution import eager_mode

_HERE = Path(__file__).parent
_OBJECTS = {"Checkpoint": tf.train.Checkpoint, "AutoTrackable": tf.contrib.checkpoint.Checkpointable}
_VALUES = [[0.0339, 1.0087], 3, [b"x", b"yz"], 1]  # after two steps of the optimizer
_MODES = ("graph", "eager")
_ORACLES = {"1_15": "TINYTF_ORACLE1", "2_21": "TINYTF_ORACLE"}
pytestmark = pytest.mark.usefixtures("eager_session_of_the_process")


def _in_mode(mode, function, *arguments):
    if mode == "eager":
        with eager_mode():
            return function(tf, _OBJECTS, *arguments, mode)
    with tf.Graph().as_default():
        return function(tf, _OBJECTS, *arguments, mode)


def _check(values):
    assert values[1:] == _VALUES[1:]
    assert values[0] == pytest.approx(_VALUES[0], abs=1e-3)


def _ask(version, *arguments, cwd):
    """Lets TensorFlow do it and discards its output."""
    command = [os.environ[_ORACLES[version]], "-W", "ignore", _HERE / "object_files.py", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env={**os.environ, "TF_USE_LEGACY_KERAS": "1"}
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("writer", _MODES)
@pytest.mark.parametrize("reader", _MODES)
def test_either_mode_reads_what_the_other_wrote(writer, reader, tmp_path):
    _in_mode(writer, write, str(tmp_path))
    _check(_in_mode(reader, read, f"{tmp_path}/{writer}-1"))


@pytest.mark.parametrize("version", _ORACLES)
@pytest.mark.parametrize("writer", _MODES)
@pytest.mark.parametrize("reader", _MODES)
def test_files_of_tensorflow(version, writer, reader, tmp_path):
    with tarfile.open(_HERE / f"objects_of_{version}.tar.gz") as tar:
        tar.extractall(tmp_path, filter="data")
    _check(_in_mode(reader, read, f"{tmp_path}/{writer}-1"))


@pytest.mark.parametrize("mode", _MODES)
def test_the_same_files_are_written(mode, tmp_path):
    """The files equal 1.15.5's byte for byte, except for the last bits of trained values."""
    with tarfile.open(_HERE / "objects_of_1_15.tar.gz") as tar:
        tar.extractall(tmp_path / "theirs", filter="data")
    _in_mode(mode, write, str(tmp_path))
    files = sorted(path.name for path in (tmp_path / "theirs").iterdir() if path.name.startswith(mode))
    assert files == sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(mode))
    assert [(tmp_path / name).stat().st_size for name in files] == [
        (tmp_path / "theirs" / name).stat().st_size for name in files
    ]
    graphs = [
        protos.TrackableObjectGraph.FromString(
            tf.train.load_variable(f"{folder}/{mode}-1", "_CHECKPOINTABLE_OBJECT_GRAPH")
        )
        for folder in (tmp_path, tmp_path / "theirs")
    ]
    assert graphs[0] == graphs[1]


@pytest.mark.oracle
@pytest.mark.usefixtures("oracle", "oracle1")
@pytest.mark.parametrize("version", _ORACLES)
@pytest.mark.parametrize("mode", _MODES)
def test_tensorflow_reads_what_is_written_here(version, mode, tmp_path):
    for writer in _MODES:
        _in_mode(writer, write, str(tmp_path))
        _ask(version, "read", f"{tmp_path}/{writer}-1", mode, cwd=tmp_path)
        _check(ast.literal_eval((tmp_path / f"{writer}-1.shown").read_text()))


@pytest.mark.oracle
@pytest.mark.usefixtures("oracle", "oracle1")
@pytest.mark.parametrize("version", _ORACLES)
@pytest.mark.parametrize("mode", _MODES)
def test_what_tensorflow_writes_now(version, mode, tmp_path):
    _ask(version, "write", str(tmp_path), mode, cwd=tmp_path)
    _check(_in_mode(mode, read, f"{tmp_path}/{mode}-1"))
