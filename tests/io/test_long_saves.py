"""Steps that are ended while they save or restore stop soon and leave no incomplete files."""

import os

import pytest
from checkpoint_runs import restore, save
from programs import run_program

import tinytf as tf
from tinytf import EagerSession

LARGE = 1 << 26  # number of floats (256 MiB), which take far longer to save than the time limit


def _restored(prefix):
    return tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=["v"], shape_and_slices=[""], dtypes=[tf.float32])


def test_time_limits(tmp_path):
    prefix = str(tmp_path / "m")
    with tf.Graph().as_default(), tf.Session() as sess:
        value = tf.fill([LARGE], 1.0)
        op = tf.raw_ops.SaveV2(prefix=prefix, tensor_names=["v"], shape_and_slices=[""], tensors=[value])
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(op, options=tf.RunOptions(timeout_in_ms=1))
        assert not os.listdir(tmp_path)
        sess.run(op)
        restored = _restored(prefix)[0].op
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(restored, options=tf.RunOptions(timeout_in_ms=1))
        sess.run(restored)


def test_eager_sessions_save_and_restore(tmp_path):
    prefix = str(tmp_path / "m")
    with EagerSession():
        tf.raw_ops.SaveV2(prefix=prefix, tensor_names=["v"], shape_and_slices=[""], tensors=[tf.constant([1.0, 2.0])])
        (value,) = _restored(prefix)
        assert value.numpy().tolist() == [1, 2]
        tf.io.write_file(prefix, "text")
        assert tf.io.read_file(prefix).numpy() == b"text"
        assert len(tf.io.matching_files(prefix + "*").numpy()) == 3


def test_functions_save_and_restore(tmp_path):
    prefix = str(tmp_path / "m")
    save(prefix, ["v"], [""], 3.0)

    @tf.function
    def doubled(name):
        return 2 * _restored(name)[0]

    with tf.Graph().as_default(), tf.Session() as sess:
        assert sess.run(doubled(prefix)) == 6
    assert restore(prefix, ["v"], [""], tf.float32) == [3]


_PEAK = """
import resource, sys, tinytf as tf

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

count, size, prefix = 4, 1 << 24, sys.argv[1] + "/m"
names, texts = [f"v{i}" for i in range(count)], [""] * count
with tf.Session() as sess:
    kept = [tf.Variable(tf.ones([size])) for _ in names]
    sess.run(tf.global_variables_initializer())
    op = tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, tensors=kept)
    before = peak()
    sess.run(op)
    restored = tf.raw_ops.RestoreV2(prefix=prefix, tensor_names=names, shape_and_slices=texts, dtypes=[tf.float32] * count)
    saved = peak()
    with tf.control_dependencies(restored):
        nothing = tf.no_op()
    sess.run(nothing)
    print(saved - before, peak() - saved)
"""


def test_no_copies_of_the_model(tmp_path):
    """256 MiB are saved directly from the variables' memory and restored directly into the outputs."""
    done = run_program(_PEAK, str(tmp_path))
    assert done.returncode == 0, done.stderr
    saving, restoring = (int(kib) >> 10 for kib in done.stdout.split())
    assert saving < 16
    assert restoring < 256 + 64
