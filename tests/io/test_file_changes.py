"""A process that ends during a save, or a full disk, leaves a complete checkpoint or none."""

import errno
import os

import numpy as np
import pytest
from checkpoint_runs import merge, restore, save, save_early

import tinytf as tf


def _ends_at(hooks, number, run, *args):
    """Runs `run(*args)` in a child that exits at the file change with this number; returns whether it was reached."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 9)
        return status == 9
    changes = iter(range(number, -1, -1))

    def watch(change, path, size):
        left = next(changes)
        if left == 0:
            os._exit(9)
        return size // 2 if left == 1 and size > 1 else None  # stop half way through a write

    try:
        hooks.watch_file_changes(watch)
        run(*args)
        os._exit(0)
    finally:
        os._exit(1)


def _value(prefix):
    """The value of all tensors in the checkpoint; None if there is no checkpoint."""
    try:
        values = restore(prefix, ["a", "b"], ["", ""], tf.float32, tf.float32)
    except tf.errors.NotFoundError:
        return None
    [value] = {number for array in values for number in array.tolist()}
    return value


def _save(prefix, value):
    save(prefix, ["a", "b"], ["", ""], *[np.full(30000, value, np.float32)] * 2)


def _save_shards(folder, value):
    shards = [f"{folder}/t/{name}" for name in "ab"]
    for name, shard in zip("ab", shards, strict=True):
        save(shard, [name], [""], np.full(100, value, np.float32))
    merge(shards, f"{folder}/m")


def test_a_new_checkpoint(tmp_path, hooks):
    number = 0
    while _ends_at(hooks, number, _save, f"{tmp_path}/m{number}", 1):
        assert _value(f"{tmp_path}/m{number}") in (None, 1)
        number += 1
    assert number > 8
    assert _value(f"{tmp_path}/m{number}") == 1


@pytest.mark.parametrize("write", ["plain", "shards"])
def test_a_checkpoint_in_place_of_another(tmp_path, hooks, write):
    def run(value):
        return _save(f"{tmp_path}/m", value) if write == "plain" else _save_shards(tmp_path, value)

    run(0)
    last, number = 0, 0
    while _ends_at(hooks, number, run, number + 1):
        value = _value(f"{tmp_path}/m")
        assert value in (last, number + 1)
        last = value
        number += 1
    assert number > 12
    assert _value(f"{tmp_path}/m") == number + 1


def _fails_at(hooks, number, prefix):
    """Whether a save fails if the file change with this number finds the disk full."""
    changes = iter(range(number, -1, -1))

    def watch(change, path, size):
        if change != "delete" and next(changes, None) == 0:
            raise OSError(errno.ENOSPC, "full")

    hooks.watch_file_changes(watch)
    try:
        _save(prefix, 1)
    except tf.errors.ResourceExhaustedError as error:
        assert "No space left on device" in error.message
        return True
    finally:
        hooks.watch_file_changes(None)
    return False


def test_full_disks(tmp_path, hooks):
    number = 0
    while _fails_at(hooks, number, f"{tmp_path}/m{number}"):
        assert not [path.name for path in tmp_path.iterdir() if "tempstate" in path.name]
        assert _value(f"{tmp_path}/m{number}") is None
        number += 1
    assert number > 8
    assert _value(f"{tmp_path}/m{number}") == 1


def test_an_early_checkpoint_that_fails_leaves_nothing(tmp_path, hooks):
    def watch(change, path, size):
        if change == "rename":
            raise OSError(errno.EIO, "broken")

    hooks.watch_file_changes(watch)
    try:
        with pytest.raises(tf.errors.UnknownError, match="Input/output error"):
            save_early(f"{tmp_path}/m", ["a"], None, np.float32([1]))
    finally:
        hooks.watch_file_changes(None)
    assert not list(tmp_path.iterdir())
