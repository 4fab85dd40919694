"""A fed value of shape [1] in place of a scalar is refused with the message of TensorFlow 1.15.5, or accepted as
there.
"""

import numpy as np
import pytest

import tinytf as tf


def _string_split(delimiter):
    return tf.string_split(["a|b"], delimiter=delimiter).values


def _dense(use):
    return lambda step: use(tf.ConditionalAccumulator(tf.float32, []), step)


def _sparse(use):
    return lambda step: use(tf.SparseConditionalAccumulator(tf.float32, [3]), step)


REFUSED = {
    "string_split": (_string_split, tf.string, "|", "delimiter must be a scalar, got shape: {}"),
    "apply_grad": (_dense(lambda sums, step: sums.apply_grad(1.0, step)), tf.int64, 1, "local_step"),
    "apply_sparse_grad": (
        _sparse(lambda sums, step: sums.apply_grad([0], [1.0], [3], step)),
        tf.int64,
        1,
        "local_step",
    ),
    # TensorFlow calls the new step num_required in this message, too.
    "set_global_step": (_dense(lambda sums, step: sums.set_global_step(step)), tf.int64, 1, "num_required"),
    "set_sparse_step": (_sparse(lambda sums, step: sums.set_global_step(step)), tf.int64, 1, "num_required"),
    "take_grad": (_dense(lambda sums, number: sums.take_grad(number)), tf.int32, 1, "num_required"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("dims", [[1], [1, 1]], ids=str)
def test_refused(name, dims):
    build, dtype, value, message = REFUSED[name]
    if "{}" not in message:
        message = f"Argument {message} must be scalar, but had bad shape {{}}"
    message = message.format(str(dims).replace(" ", ""))
    fed = tf.placeholder(dtype)
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(build(fed), {fed: np.full(dims, value, dtype.as_numpy_dtype)})
        assert caught.value.message.startswith(message)


@pytest.mark.parametrize("size", [4, [4], [[4]]], ids=str)
def test_bincount_takes_sizes_of_any_rank_that_are_fed(size):
    fed = tf.placeholder(tf.int32)
    counts = tf.raw_ops.Bincount(arr=[1, 2], size=fed, weights=np.zeros([0], np.float32))
    with tf.Session() as session:
        assert session.run(counts, {fed: size}).tolist() == [0, 1, 1, 0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Shape must be rank 0 but is rank 1"):
            session.run(counts, {fed: [4, 4]})


def test_bincount_of_a_size_whose_rank_is_known():
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1 for 'Bincount'"):
        tf.raw_ops.Bincount(arr=[1, 2], size=[4], weights=np.zeros([0], np.float32))
