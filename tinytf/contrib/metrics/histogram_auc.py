"""The area under the ROC curve, approximated by histograms."""

from __future__ import annotations

from typing import Any

import tinytf as tf


def auc_using_histogram(
    boolean_labels: Any,
    scores: Any,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Approximates the area under the ROC curve by histograms of the scores of both labels.

    See Bouckaert, Efficient AUC Learning Curve Calculation, 2006.

    Args:
      boolean_labels: bool vector.
      scores: numeric vector of the same length.
      score_range: tensor [2] of the dtype of `scores`, range of the histograms; values outside count in the outermost
        bins.
      nbins: int, number of bins.
      collections: list of collections of the histogram variables; the local variables if None.
      check_shape: bool, whether to add assertions that both are vectors; as in TensorFlow, nothing depends on them.
      name: string, name of the variable scope.

    Returns:
      A pair of the area, a float32 scalar, NaN until both labels occurred, and an operation that adds a batch.

    Raises:
      ValueError: if `boolean_labels` is not bool.
    """
    if collections is None:
        collections = [tf.GraphKeys.LOCAL_VARIABLES]
    with tf.variable_scope(name, "auc_using_histogram", [boolean_labels, scores, score_range]):
        scores, boolean_labels = _of_one_rank(scores, boolean_labels)
        score_range = tf.convert_to_tensor(score_range, name="score_range")
        boolean_labels, scores = _checked(boolean_labels, scores, check_shape)
        with tf.variable_scope(None, "make_auc_histograms", [boolean_labels, scores, nbins]):
            batch = [
                tf.histogram_fixed_width(
                    tf.boolean_mask(
                        scores, tf.logical_not(boolean_labels) if which == "hist_false" else boolean_labels
                    ),
                    score_range,
                    nbins=nbins,
                    dtype=tf.int64,
                    name=which,
                )
                for which in ("hist_true", "hist_false")
            ]
        with tf.variable_scope(None, "hist_accumulate", batch):
            kept = [
                tf.get_variable(
                    which,
                    shape=[nbins],
                    dtype=tf.int64,
                    initializer=tf.zeros_initializer(),
                    collections=collections,
                    trainable=False,
                )
                for which in ("hist_true_acc", "hist_false_acc")
            ]
            added = [histogram.assign_add(more) for histogram, more in zip(kept, batch, strict=True)]
            update = tf.group(*added, name="update_op")
        return _area(kept[0], kept[1], nbins), update


def _of_one_rank(scores: Any, labels: Any) -> tuple[Any, Any]:
    """Removes the last dimension of size 1 from the tensor whose rank is greater by one."""
    with tf.name_scope(None, "remove_squeezable_dimensions", [scores, labels]):
        scores, labels = tf.convert_to_tensor(scores), tf.convert_to_tensor(labels)
        ranks = scores.shape.ndims, labels.shape.ndims
        if None not in ranks:
            if ranks[0] - ranks[1] == -1:
                labels = tf.squeeze(labels, [-1])
            elif ranks[0] - ranks[1] == 1:
                scores = tf.squeeze(scores, [-1])
            return scores, labels
        more = tf.rank(scores) - tf.rank(labels)

        def squeezed(x: Any, by: int) -> Any:
            if x.shape.ndims is not None and not x.shape.dims[-1].is_compatible_with(1):
                return x
            return tf.cond(tf.equal(by, more), lambda: tf.squeeze(x, [-1]), lambda: x)

        return squeezed(scores, 1), squeezed(labels, -1)


def _checked(labels: Any, scores: Any, check_shape: bool) -> tuple[Any, Any]:
    with tf.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = tf.convert_to_tensor(labels, name="boolean_labels")
        scores = tf.convert_to_tensor(scores, name="scores")
        if labels.dtype != tf.bool:
            raise ValueError("Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype)
        if check_shape:
            for what, tensor in (("boolean_labels", labels), ("scores", scores)):
                tf.Assert(
                    tf.equal(1, tf.rank(tensor)),
                    [f"Argument {what} should have rank 1.  Found: ", tensor.name, tf.shape(tensor)],
                )
        return labels, scores


def _area(true: Any, false: Any, nbins: int) -> Any:
    true, false = (tf.truediv(each, tf.reduce_sum(each)) for each in (true, false))
    heights = tf.reverse_v2(true, [0], name="delta_y_t")
    widths = tf.reverse_v2(false, [0], name="delta_x_t")
    heights, widths = tf.cast(heights, tf.float32), tf.cast(widths, tf.float32)
    y = _sums(heights, nbins)
    first = widths[0] * y[0] / 2.0
    others = widths[1:] * (y[1:] + y[: nbins - 1]) / 2.0
    return tf.add(first, tf.reduce_sum(others), name="auc")


def _sums(x: Any, number: int) -> Any:
    """Returns the prefix sums, by a convolution as in TensorFlow's graph."""
    with tf.name_scope("strict_1d_cumsum", values=[x]):
        if number == 0:
            return tf.constant([])
        x = tf.pad(x, [[number - 1, 0]])
        ones = tf.ones_like(x)
        with tf.name_scope("strict_conv1d", values=[x, ones]):
            image = tf.reshape(x, (1, -1, 1, 1))
            sums = tf.nn.conv2d(image, tf.reshape(ones, (-1, 1, 1, 1)), [1, 1, 1, 1], "SAME")
            sums = tf.reshape(sums, [-1])
        return sums[:number]
