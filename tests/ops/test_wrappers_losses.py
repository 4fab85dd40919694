"""`tf.losses`: values checked with NumPy, weights, reductions, the collection."""

import numpy as np
import pytest

import tinytf as tf
from tinytf import losses

LABELS = np.array([[0.0, 1.0, 0.5], [1.0, 0.2, 0.0]], np.float32)
PREDICTIONS = np.array([[0.3, 0.6, 0.5], [0.9, 0.1, 0.4]], np.float32)
ERROR = np.abs(PREDICTIONS - LABELS)


def run(loss):
    with tf.Session() as sess:
        return sess.run(loss)


@pytest.mark.parametrize(
    ("function", "elements"),
    [
        (losses.absolute_difference, ERROR),
        (losses.mean_squared_error, ERROR**2),
        (losses.huber_loss, np.where(ERROR < 1, ERROR**2 / 2, ERROR - 0.5)),
        (losses.log_loss, -LABELS * np.log(PREDICTIONS + 1e-7) - (1 - LABELS) * np.log(1 - PREDICTIONS + 1e-7)),
        (losses.hinge_loss, np.maximum(0, 1 - (2 * LABELS - 1) * PREDICTIONS)),
        (losses.sigmoid_cross_entropy, np.log1p(np.exp(PREDICTIONS)) - PREDICTIONS * LABELS),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_of_elements(function, elements):
    np.testing.assert_allclose(run(function(LABELS, PREDICTIONS)), elements.mean(), rtol=1e-5)
    weights = [[0.0], [2.0]]
    weighted = elements * weights
    np.testing.assert_allclose(run(function(LABELS, PREDICTIONS, weights)), weighted.sum() / 3, rtol=1e-5)
    none = function(LABELS, PREDICTIONS, weights, reduction=losses.Reduction.NONE)
    np.testing.assert_allclose(run(none), weighted, rtol=1e-5)


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        ("weighted_sum", (ERROR * 2).sum()),
        ("weighted_mean", (ERROR * 2).sum() / 12),
        ("weighted_sum_over_batch_size", (ERROR * 2).sum() / 6),
        ("weighted_sum_by_nonzero_weights", (ERROR * 2).sum() / 6),
    ],
)
def test_reductions(reduction, expected):
    loss = losses.absolute_difference(LABELS, PREDICTIONS, 2.0, reduction=reduction)
    np.testing.assert_allclose(run(loss), expected, rtol=1e-5)


def test_of_classes():
    logits = np.array([[1.0, 2.0, 0.5], [0.1, 0.2, 0.3]], np.float32)
    log_softmax = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    expected = -(log_softmax[0, 1] + log_softmax[1, 2]) / 2
    np.testing.assert_allclose(run(losses.sparse_softmax_cross_entropy([1, 2], logits)), expected, rtol=1e-5)
    np.testing.assert_allclose(run(losses.sparse_softmax_cross_entropy([[1], [2]], logits)), expected, rtol=1e-5)
    onehot = np.eye(3, dtype=np.float32)[[1, 2]]
    np.testing.assert_allclose(run(losses.softmax_cross_entropy(onehot, logits)), expected, rtol=1e-5)
    smooth = onehot * 0.9 + 0.1 / 3
    expected = -(smooth * log_softmax).sum(1).mean()
    np.testing.assert_allclose(
        run(losses.softmax_cross_entropy(onehot, logits, label_smoothing=0.1)), expected, rtol=1e-5
    )


def test_no_weight_at_all_gives_zero():
    assert run(losses.mean_squared_error(LABELS, PREDICTIONS, 0.0)) == 0.0


def test_the_collection():
    first = losses.mean_squared_error(LABELS, PREDICTIONS, scope="first")
    second = losses.absolute_difference(LABELS, PREDICTIONS)
    losses.absolute_difference(LABELS, PREDICTIONS, loss_collection=None)
    assert losses.get_losses() == [first, second]
    assert losses.get_losses("first") == [first]
    tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(3.0))
    expected = (ERROR**2).mean() + ERROR.mean()
    np.testing.assert_allclose(run(losses.get_total_loss(False)), expected, rtol=1e-5)
    np.testing.assert_allclose(run(losses.get_total_loss()), expected + 3, rtol=1e-5)


def test_weights_of_unknown_shape_are_checked_when_run():
    weights = tf.placeholder(tf.float32)
    loss = losses.absolute_difference(LABELS, PREDICTIONS, weights)
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(loss, {weights: [[1.0], [1.0]]}), ERROR.mean(), rtol=1e-5)
        np.testing.assert_allclose(sess.run(loss, {weights: 1.0}), ERROR.mean(), rtol=1e-5)
        with pytest.raises(tf.errors.InvalidArgumentError, match="weights can not be broadcast to values"):
            sess.run(loss, {weights: [1.0, 1.0, 1.0]})


def test_errors():
    with pytest.raises(ValueError, match="labels must not be None."):
        losses.mean_squared_error(None, PREDICTIONS)
    with pytest.raises(ValueError, match="Invalid Reduction Key bad."):
        losses.mean_squared_error(LABELS, PREDICTIONS, reduction="bad")
    with pytest.raises(ValueError, match="weights can not be broadcast to values. values.rank=2. weights.rank=1."):
        losses.mean_squared_error(LABELS, PREDICTIONS, [1.0, 2.0])
    with pytest.raises(ValueError, match="are incompatible"):
        losses.mean_squared_error(LABELS, PREDICTIONS[:1])
