"""Benchmarks of saving and restoring models, compared with plain writes and reads of as many bytes."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time

import numpy as np
from case import Case, Measured, sessions

MODEL, TENSORS = 256 << 20, 64  # size in bytes, and the number of tensors
MANY = 10_000  # number of small variables
ROUNDS = 3  # per sample; the two programs that are compared take turns in each


def _folder():
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _model(peer, count=TENSORS, elements=MODEL // TENSORS // 4):
    """A session with initialized variables, the variables, their names in the checkpoint and empty slice specs."""
    tf = peer.tf
    variables = [tf.Variable(tf.random_normal([elements], seed=i)) for i in range(count)]
    session = peer.initialized()
    return session, variables, [f"v{i}" for i in range(count)], [""] * count


def _without_files(folder, function):
    """The seconds of a function in a folder that is emptied first, as for the checkpoint of a new step."""
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return _seconds(function)


def _saver(peer, folder):
    session, variables, names, texts = _model(peer)
    prefix = os.path.join(folder, "m")
    op = peer.tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=variables)
    return session.make_callable(op)


def _save(peer):
    folder = _folder()
    save = _saver(peer, folder)
    return Measured(lambda: _without_files(folder, save))


def _save_while_training(peer):
    """The latency of the call that starts an asynchronous save, while steps that change all variables go on until
    it is written.
    """
    tf = peer.tf
    session, variables, _, _ = _model(peer)
    step = session.make_callable(tf.group(*[tf.assign_add(v, tf.ones_like(v)) for v in variables]))
    saver = tf.train.Saver(variables, async_save=True)
    prefix = os.path.join(_folder(), "m")
    saver.save(session, prefix)

    def sample():
        saver.wait()
        step()
        seconds = _seconds(saver.save, session, prefix)
        step()
        step()
        return seconds

    return Measured(sample)


def _restore(peer):
    session, variables, names, texts = _model(peer)
    prefix, tf = os.path.join(_folder(), "m"), peer.tf
    session.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=variables))
    restored = tf.raw_ops.RestoreV2(
        prefix=prefix, tensor_names=names, shape_and_slices=texts, dtypes=[tf.float32] * TENSORS
    )
    with tf.control_dependencies(restored):
        return session.make_callable(tf.no_op())


def _one_of_many(peer):
    session, variables, names, texts = _model(peer, MANY, 10)
    prefix, tf = os.path.join(_folder(), "m"), peer.tf
    session.run(tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=variables))
    return lambda: tf.train.load_variable(prefix, f"v{MANY // 2}")


def _blocks():
    return [np.ones(MODEL // TENSORS, np.uint8) for _ in range(TENSORS)]


def _write_plainly(folder, blocks):
    with open(os.path.join(folder, "plain"), "wb", buffering=0) as file:
        for block in blocks:
            file.write(block)


def _read_plainly(folder, memory):
    with open(os.path.join(folder, "plain"), "rb", buffering=0) as file:
        for block in memory:
            file.readinto(block)


def _seconds(function, *args):
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


def _beside(plain, other):
    """The time of `other` as a multiple of the time of `plain`; the minimum of several rounds each."""

    def sample():
        turns = [(plain(), other()) for _ in range(ROUNDS)]
        least_plain, least = map(min, zip(*turns))
        return least / least_plain

    return Measured(sample)


def _save_over_write(peer):
    folder, plain_folder, blocks = _folder(), _folder(), _blocks()
    save = _saver(peer, folder)
    return _beside(
        lambda: _without_files(plain_folder, lambda: _write_plainly(plain_folder, blocks)),
        lambda: _without_files(folder, save),
    )


def _restore_over_read(peer):
    folder, blocks = _folder(), _blocks()
    _write_plainly(folder, blocks)
    restore = _restore(peer)
    return _beside(lambda: _seconds(_read_plainly, folder, blocks), lambda: _seconds(restore))


CASES = [
    Case("save_256mb", "save 256 MB in 64 variables", "ms", 265, sessions(_save), better_than="tensorflow"),
    Case("async_save_256mb", "a step waits for an async_save of these", "ms", 2, {"tinytf": _save_while_training}),
    Case("restore_256mb", "restore 256 MB of 64 variables", "ms", 123, sessions(_restore), better_than="tensorflow"),
    Case("save_over_write", "that save over a plain write", "×", 1.25, sessions(_save_over_write)),
    Case(
        "restore_over_read",
        "that restore over a plain read",
        "×",
        1.25,
        sessions(_restore_over_read),
    ),
    Case("one_of_10k", "one variable of a checkpoint with 10,000", "ms", 5, sessions(_one_of_many)),
]
