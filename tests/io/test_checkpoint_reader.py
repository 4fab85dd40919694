"""tf.train.NewCheckpointReader, load_checkpoint, load_variable and list_variables."""

import threading

import numpy as np
import pytest
from checkpoint_runs import save, save_early

import tinytf as tf


@pytest.fixture(params=["bundle", "early"])
def prefix(request, tmp_path):
    """The prefix of a checkpoint with the tensors scope/a, i and s, in either format."""
    write = save if request.param == "bundle" else save_early
    arrays = np.float32([[1, 2, 3]]), np.int32(7), np.array([b"ab", b"c"])
    write(str(tmp_path / "m"), ["scope/a", "i", "s"], ["", "", ""], *arrays)
    return str(tmp_path / "m")


def test_what_a_checkpoint_has(prefix):
    reader = tf.train.NewCheckpointReader(prefix)
    assert reader.get_variable_to_shape_map() == {"i": [], "s": [2], "scope/a": [1, 3]}
    assert reader.get_variable_to_dtype_map() == {"i": tf.int32, "s": tf.string, "scope/a": tf.float32}
    assert reader.has_tensor("i") and reader.has_tensor(b"scope/a")
    assert not reader.has_tensor("a") and not reader.has_tensor("")
    assert reader.debug_string() == b"i (DT_INT32) []\ns (DT_STRING) [2]\nscope/a (DT_FLOAT) [1,3]\n"


def test_values(prefix):
    reader = tf.train.NewCheckpointReader(prefix.encode())
    assert reader.get_tensor("scope/a").tolist() == [[1, 2, 3]]
    assert reader.get_tensor("s").tolist() == [b"ab", b"c"]
    number = reader.get_tensor("i")
    assert number == 7 and isinstance(number, np.int32)
    with pytest.raises(tf.errors.NotFoundError, match="none not found in checkpoint"):
        reader.get_tensor("none")
    for wrong in (3, None):
        with pytest.raises(TypeError, match=f"Expected binary or unicode string, got {wrong}"):
            reader.get_tensor(wrong)


def test_functions(prefix):
    assert tf.train.list_variables(prefix) == [("i", []), ("s", [2]), ("scope/a", [1, 3])]
    assert tf.train.load_variable(prefix, "scope/a:0").tolist() == [[1, 2, 3]]
    assert tf.train.load_checkpoint(prefix).has_tensor("i")


def test_folders(prefix, tmp_path):
    told = f"Couldn't find 'checkpoint' file or checkpoints in given directory {tmp_path}"
    with pytest.raises(ValueError, match=told):
        tf.train.load_checkpoint(str(tmp_path))
    (tmp_path / "m.index").touch()  # the index file is what marks a checkpoint as existing
    tf.train.update_checkpoint_state(str(tmp_path), prefix)
    assert tf.train.latest_checkpoint(str(tmp_path)) == prefix


def test_checkpoints_that_are_not_there(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files for"):
        tf.train.NewCheckpointReader(str(tmp_path / "m"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Failed to get matching files on"):
        tf.train.NewCheckpointReader(str(tmp_path / "no/m"))
    (tmp_path / "m.index").write_bytes(b"x" * 100)
    with pytest.raises(tf.errors.DataLossError, match="not an sstable .bad magic number."):
        tf.train.NewCheckpointReader(str(tmp_path / "m"))


def test_many_threads_read(tmp_path):
    arrays = [np.full(50000, i, np.float32) for i in range(20)]
    save(str(tmp_path / "m"), [f"v{i}" for i in range(20)], [""] * 20, *arrays)
    reader = tf.train.NewCheckpointReader(str(tmp_path / "m"))
    wrong = []

    def read():
        wrong.extend(i for i in range(20) if not np.array_equal(reader.get_tensor(f"v{i}"), arrays[i]))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
