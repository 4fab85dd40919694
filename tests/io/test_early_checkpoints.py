"""Save, SaveSlices, Restore and RestoreSlice, and RestoreV2 on their files, with the error messages of 1.15.5."""

import numpy as np
import pytest
from checkpoint_runs import restore, restore_early, save_early

import tinytf as tf

ERRORS = tf.errors


@pytest.fixture
def name(tmp_path):
    """The path of a checkpoint with the tensors a, s, and p in two parts."""
    file = str(tmp_path / "v")
    save_early(
        file,
        ["p", "a", "p", "s"],
        ["5 2 0,3:0,2", "", "5 2 3,2:0,2", ""],
        np.arange(6, dtype=np.float32).reshape(3, 2),
        np.float32([1, 2, 3]),
        np.arange(6, 10, dtype=np.float32).reshape(2, 2),
        np.array([b"ab", b"c"]),
    )
    return file


def test_what_was_saved_is_restored(name):
    p, a, s = restore(name, ["p", "a", "s"], ["", "", ""], tf.float32, tf.float32, tf.string)
    assert p.tolist() == np.arange(10).reshape(5, 2).tolist()
    assert a.tolist() == [1, 2, 3] and s.tolist() == [b"ab", b"c"]
    assert restore_early(name, "p", "5 2 2,2:0,1", tf.float32).tolist() == [[4], [6]]
    assert restore_early(name[:-1] + "?", "a", "", tf.float32).tolist() == [1, 2, 3]
    assert restore_early(name, "s", None, tf.string).tolist() == [b"ab", b"c"]


def test_save_has_whole_tensors(tmp_path):
    save_early(str(tmp_path / "m"), ["a", "b"], None, np.float32([1, 2]), np.int64(7))
    assert restore(str(tmp_path / "m"), ["b"], [""], tf.int64) == [7]
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


@pytest.mark.parametrize(
    ("tensor", "text", "dtype", "error", "message"),
    [
        ("zz", "", tf.float32, ERRORS.NotFoundError, 'Tensor name "zz" not found in checkpoint files NAME'),
        (
            "a",
            "",
            tf.int32,
            ERRORS.InvalidArgumentError,
            "Expected to restore a tensor of type int32, got a tensor of type float instead: tensor_name = a",
        ),
        (
            "p",
            "5 3 2,2:0,1",
            tf.float32,
            ERRORS.InvalidArgumentError,
            "Shape in shape_and_slice spec does not match the shape in the save file: [5,3], save file shape: [5,2]",
        ),
    ],
)
def test_what_cannot_be_restored(name, tensor, text, dtype, error, message):
    for run in (lambda: restore(name, [tensor], [text], dtype), lambda: restore_early(name, tensor, text, dtype)):
        with pytest.raises(error) as raised:
            run()
        assert raised.value.message.startswith(message.replace("NAME", name))


def test_what_cannot_be_saved(tmp_path):
    name, one = str(tmp_path / "m"), np.float32([1, 2])
    for names, texts, message in (
        (
            ["a", "b"],
            None,
            "Expected totally 4 inputs as input #1 (which is a string tensor of saved names) contains 2 ",
        ),
        (["a"], ["", ""], "Expected 1 elements for the tensor shapes and slices but got 2"),
        (
            ["a"],
            ["2 2 0,1:-"],
            "Slice in shape_and_slice specification does not match the shape of the tensor to  save",
        ),
    ):
        with pytest.raises(ERRORS.InvalidArgumentError) as raised:
            save_early(name, names, texts, one)
        assert raised.value.message.startswith(message)
    with pytest.raises(ERRORS.InvalidArgumentError, match="must be a string scalar; got a tensor of 2elements"):
        save_early([name, name], ["a"], None, one)
    with pytest.raises(ERRORS.UnimplementedError, match="Saving data type uint32 not yet supported"):
        save_early(name, ["a"], None, np.uint32([1]))
    with pytest.raises(ERRORS.NotFoundError, match="No such file or directory"):
        save_early(str(tmp_path / "no/m"), ["a"], None, one)
    assert not list(tmp_path.iterdir())
