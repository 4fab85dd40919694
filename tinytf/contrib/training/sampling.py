"""Batches of those examples that a chance lets in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.framework.ops import convert_n_to_tensor_or_indexed_slices
from tinytf.python.ops.control_flow_ops import with_dependencies

_TOLERANCE = 1e-6
_SEEN_AT_FIRST = 10  # how often each class counts as seen before any is


def rejection_sample(
    tensors: Any,
    accept_prob_fn: Callable[[Any], Any],
    batch_size: Any,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> Any:
    """Batches of examples, each of which has been let in by a chance of its own.

    Args:
      tensors: a list of tensors: an example, or many, one a row, if `enqueue_many`.
      accept_prob_fn: makes of an example's tensors the chance, a scalar from 0 to 1.
      batch_size: how many examples a batch has.
      queue_threads: how many threads fill the queue of batches.
      prebatch_capacity, prebatch_threads: of the queue that makes one example of many, if `enqueue_many`.
      runtime_checks: whether chances below 0 or above 1 are an InvalidArgumentError.
      name: of the scope, which is one of variables, too.

    Returns a list of tensors with a first dimension of `batch_size`.

    ValueError if examples have different numbers of rows, and in eager execution.
    """
    with tf.variable_scope(name, "rejection_sample", tensors):
        example = convert_n_to_tensor_or_indexed_slices(tensors)
        if enqueue_many:
            for tensor in example:
                _check_rows(tensor, example[0])
            example = _one_by_one(example, prebatch_threads, prebatch_capacity)
        chance = accept_prob_fn(example)
        if runtime_checks:
            checks = [tf.assert_less_equal(0.0, chance), tf.assert_less_equal(chance, 1.0)]
            chance = tf.identity(with_dependencies(checks, chance), name="prob_with_checks")
        return _let_in(example, chance, batch_size, queue_threads)


def stratified_sample(
    tensors: Any,
    labels: Any,
    target_probs: Any,
    batch_size: Any,
    init_probs: Any = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[list[Any], Any]:
    """Batches in which classes have wanted proportions: of classes that are too frequent, examples are left out.

    Args:
      tensors: a list of tensors: an example, or many, one a row, if `enqueue_many`.
      labels: the example's class, an integer, or a vector of such.
      target_probs: the wanted proportion of each class, floats of shape [classes] whose sum is 1.
      batch_size: how many examples a batch has.
      init_probs: the proportion of each class in the input; if None, it is estimated of what has been seen, in a variable
        `class_count`.
      queue_capacity: of the queue that makes one example of many.
      threads_per_queue: how many threads fill that queue, and how many that of batches.

    Returns the list of batches, and their labels.

    ValueError for shapes that do not fit, and in eager execution. A step fails with InvalidArgumentError if proportions or
    labels are out of range, or a class is wanted that does not come.
    """
    with tf.name_scope(name, "stratified_sample", list(tensors) + [labels]):
        examples = convert_n_to_tensor_or_indexed_slices(tensors)
        labels = tf.convert_to_tensor(labels)
        target_probs = tf.convert_to_tensor(target_probs, dtype=tf.float32)
        if not enqueue_many:
            examples = [tf.expand_dims(tensor, 0) for tensor in examples]
            labels = tf.expand_dims(labels, 0)
        if init_probs is None:
            target_probs.shape.assert_is_fully_defined()
            init_probs = _estimated_proportions(labels, target_probs.shape.num_elements())
        else:
            init_probs = tf.convert_to_tensor(init_probs, dtype=tf.float32)
        init_probs, target_probs = _checked_proportions(init_probs), _checked_proportions(target_probs)
        if init_probs.shape.num_elements() != target_probs.shape.num_elements():
            raise ValueError("Probability parameters must have the same length.")
        examples, labels = _checked_examples(examples, labels, init_probs.shape.num_elements())
        chances = _chances(init_probs, target_probs)
        *example, label = _one_by_one([*examples, labels], threads_per_queue, queue_capacity)
        batch = _let_in([*example, label], tf.gather(chances, label), batch_size, threads_per_queue)
        return batch[:-1], batch[-1]


def _one_by_one(examples: list[Any], threads: int, capacity: int) -> list[Any]:
    """One example of many, by a queue."""
    batch = _listed(tf.train.batch(examples, 1, threads, capacity, enqueue_many=True))
    return [tf.squeeze(tensor, [0]) for tensor in batch]


def _let_in(example: list[Any], chance: Any, batch_size: Any, threads: int) -> Any:
    """Batches of examples that this chance lets in."""
    return _listed(tf.train.maybe_batch(example, tf.random_uniform([]) < chance, batch_size, threads))


def _listed(batch: Any) -> Any:
    """A list also where queues give a single tensor. As in TensorFlow a single SparseTensor stays alone."""
    return [batch] if isinstance(batch, tf.Tensor) else batch


def _estimated_proportions(labels: Any, classes: int) -> Any:
    """The proportion of each class in what has been seen up to now, float32."""
    counts = tf.Variable([_SEEN_AT_FIRST] * classes, trainable=False, name="class_count", dtype=tf.int64)
    counted = counts.assign_add(tf.reduce_sum(tf.one_hot(labels, classes, dtype=tf.int64), 0))
    seen = counted + 0  # a copy, which other threads do not change
    return tf.cast(tf.truediv(seen, tf.reduce_sum(seen)), tf.float32)


def _checked_proportions(probs: Any) -> Any:
    """The vector, after it has been seen that it has proportions that make a whole."""
    probs.shape.assert_is_fully_defined()
    probs.shape.assert_has_rank(1)
    total = tf.reduce_sum(probs)
    checks = [
        tf.assert_non_negative(probs),
        tf.assert_less(total, 1.0 + _TOLERANCE),
        tf.assert_less(1.0 - _TOLERANCE, total),
    ]
    return with_dependencies(checks, probs)


def _check_rows(tensor: Any, other: Any) -> None:
    """ValueError if a tensor has no rows, or not as many as another one."""
    shape = tensor.shape.with_rank_at_least(1)
    tf.dimension_at_index(shape, 0).assert_is_compatible_with(other.shape[0])


def _checked_examples(examples: list[Any], labels: Any, classes: int) -> tuple[list[Any], Any]:
    """The tensors, after it has been seen that they have one number of rows, and labels are those of classes."""
    labels.shape.assert_has_rank(1)
    for tensor in examples:
        _check_rows(tensor, labels)
    rows = tf.shape(labels)[0]
    any_rows = tf.assert_positive(rows)
    labels = with_dependencies([any_rows], labels)
    examples = [
        with_dependencies([any_rows, tf.assert_equal(tf.shape(tensor)[0], rows)], tensor) for tensor in examples
    ]
    checks = [
        tf.assert_integer(labels),
        tf.assert_non_negative(labels),
        tf.assert_less(labels, tf.cast(classes, labels.dtype)),
    ]
    return examples, with_dependencies(checks, labels)


def _chances(init_probs: Any, target_probs: Any) -> Any:
    """The chance that lets an example of each class in.

    Wanted by given proportion, scaled so that the largest is 1: most examples are let in that way.
    """
    possible = tf.reduce_all(tf.logical_or(tf.not_equal(init_probs, 0), tf.equal(target_probs, 0)))
    complaint = "All classes with zero initial probability must also have zero target probability: "
    init_probs = with_dependencies([tf.Assert(possible, [complaint, init_probs, target_probs])], init_probs)
    ratios = target_probs / init_probs
    ratios = tf.where_v2(tf.is_nan(ratios), tf.zeros_like(ratios), ratios)
    chances = ratios / tf.reduce_max(ratios)
    left_out = tf.reduce_sum((1 - chances) * init_probs)
    return tf.cond(
        tf.less(left_out, 0.5),
        lambda: chances,
        lambda: tf.Print(chances, [chances], message="Proportion of examples rejected by sampler is high.", first_n=10),
    )
