"""Batches of examples that are accepted with given probabilities."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tinytf as tf
from tinytf.python.framework.ops import convert_n_to_tensor_or_indexed_slices
from tinytf.python.ops.control_flow_ops import with_dependencies

_TOLERANCE = 1e-6
_SEEN_AT_FIRST = 10  # initial count of each class


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
    """Returns batches of examples, each of which is accepted with a probability of its own.

    Args:
      tensors: list of tensors that form one example, or with `enqueue_many` many examples along the first dimension.
      accept_prob_fn: function from the list of tensors of an example to a scalar float tensor in [0, 1].
      batch_size: int, number of examples in a batch.
      queue_threads: int, number of threads that fill the queue of batches.
      enqueue_many: bool, whether `tensors` hold many examples.
      prebatch_capacity: int, capacity of the queue that splits examples, with `enqueue_many`.
      prebatch_threads: int, number of threads that fill that queue.
      runtime_checks: bool, whether probabilities outside [0, 1] raise InvalidArgumentError when the step runs.
      name: string, name of the name scope and variable scope.

    Returns:
      A list of tensors with a first dimension of `batch_size`.

    Raises:
      ValueError: if tensors have different numbers of rows, or in eager execution.
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
    """Returns batches in which the classes have given proportions; examples of too frequent classes are rejected.

    Args:
      tensors: list of tensors that form one example, or with `enqueue_many` many examples along the first dimension.
      labels: integer scalar, the class of the example; with `enqueue_many` a vector.
      target_probs: float tensor [classes], the proportions in the output; their sum is 1.
      batch_size: int, number of examples in a batch.
      init_probs: float tensor [classes], the proportions in the input; if None, they are estimated from the examples
        seen so far, counted in the variable `class_count`.
      enqueue_many: bool, whether `tensors` and `labels` hold many examples.
      queue_capacity: int, capacity of the queue that splits examples.
      threads_per_queue: int, number of threads that fill each queue.
      name: string, name of the name scope.

    Returns:
      A pair of the list of batched tensors and the batched labels. A step fails with InvalidArgumentError if
      proportions or labels are out of range, or if a class is wanted whose input proportion is 0.

    Raises:
      ValueError: if shapes are incompatible, or in eager execution.
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
    """Splits a tensor of many examples into single ones by a queue."""
    batch = _listed(tf.train.batch(examples, 1, threads, capacity, enqueue_many=True))
    return [tf.squeeze(tensor, [0]) for tensor in batch]


def _let_in(example: list[Any], chance: Any, batch_size: Any, threads: int) -> Any:
    """Returns batches of the examples that are accepted with the given probability."""
    return _listed(tf.train.maybe_batch(example, tf.random_uniform([]) < chance, batch_size, threads))


def _listed(batch: Any) -> Any:
    """Returns a list even if the queue returns a single tensor. As in TensorFlow, a single SparseTensor is
    not wrapped."""
    return [batch] if isinstance(batch, tf.Tensor) else batch


def _estimated_proportions(labels: Any, classes: int) -> Any:
    """Returns the proportion of each class among the examples seen so far, float32."""
    counts = tf.Variable([_SEEN_AT_FIRST] * classes, trainable=False, name="class_count", dtype=tf.int64)
    counted = counts.assign_add(tf.reduce_sum(tf.one_hot(labels, classes, dtype=tf.int64), 0))
    seen = counted + 0  # a copy, which concurrent steps do not change
    return tf.cast(tf.truediv(seen, tf.reduce_sum(seen)), tf.float32)


def _checked_proportions(probs: Any) -> Any:
    """Returns the vector with assertions that it is non-negative and sums to 1."""
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
    """Raises ValueError if a tensor is a scalar or its number of rows differs from that of another one."""
    shape = tensor.shape.with_rank_at_least(1)
    tf.dimension_at_index(shape, 0).assert_is_compatible_with(other.shape[0])


def _checked_examples(examples: list[Any], labels: Any, classes: int) -> tuple[list[Any], Any]:
    """Returns the tensors and labels with assertions that their numbers of rows agree and that labels are class
    indices."""
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
    """Returns the acceptance probability of each class.

    It is the ratio of target and initial proportion, scaled so that the maximum is 1, which accepts as many examples as
    possible.
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
