"""Queues at the start of a pipeline: file names, numbers, and rows of tensors."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_keys import GraphKeys
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor_or_indexed_slices, convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.control_flow.assertions import Assert
from tinytf._src.ops.data_flow.data_flow_ops import FIFOQueue
from tinytf._src.ops.data_flow.queue_base import QueueBase
from tinytf._src.ops.data_flow.queue_runner import QueueRunner
from tinytf._src.ops.logging import summary_ops
from tinytf._src.ops.random.random_ops import random_shuffle
from tinytf._src.variables.variable import Variable

NO_QUEUES_IN_EAGER_EXECUTION = (
    "Input pipelines based on Queues are not supported when eager execution is enabled. Please use tf.data to ingest "
    "data into your model instead."
)


def run_queue(queue: QueueBase, enqueue_ops: list[Any], cancel_op: Any = None) -> None:
    """Adds a queue runner to the graph that fills the queue by these operations."""
    runner = QueueRunner(queue, enqueue_ops, cancel_op=cancel_op)
    get_default_graph().add_to_collection(GraphKeys.QUEUE_RUNNERS, runner)


@tf_export("io.match_filenames_once", "train.match_filenames_once")
@called_by_users
def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """Creates a local variable that is initialized with the names of the files that match a pattern.

    Args:
      pattern: string scalar or vector of glob patterns.
      name: optional name of the variable.

    Returns:
      A string variable.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return Variable(
            name=scope,
            initial_value=gen_ops.matching_files(pattern),
            trainable=False,
            validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )


@tf_export("train.limit_epochs")
@called_by_users
def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """Returns a tensor that can be evaluated a limited number of times; then OutOfRangeError is raised at run time.

    The evaluations are counted in a local variable `epochs`.

    Args:
      tensor: tensor.
      num_epochs: optional int; None means unlimited.
      name: optional name of the operation.

    Returns:
      A tensor with the value of `tensor`.

    Raises:
      ValueError: if `num_epochs` is not positive.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        zero = constant(0, dtype=dtypes.int64)
        epochs = Variable(zero, name="epochs", trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        with control_dependencies([epochs.count_up_to(num_epochs)]):
            return array_ops.identity(tensor, name=scope)


@tf_export("train.input_producer")
@called_by_users
def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """Creates a queue of the rows of a tensor, and a queue runner that fills it.

    Args:
      input_tensor: tensor of rank 1 or more.
      element_shape: optional shape of a row; required if it is not known statically.
      num_epochs: optional int, how often each row is enqueued, counted in a local variable; None means unlimited.
      shuffle: bool, whether rows are shuffled in each epoch.
      seed: optional int, seed of the order.
      capacity: int, capacity of the queue.
      shared_name: optional name; queues with one shared name are one in a session.
      summary_name: optional tag of a scalar summary of how full the queue is.
      name: optional name of the queue.
      cancel_op: optional operation that the queue runner runs when it is stopped.

    Returns:
      A FIFOQueue.

    Raises:
      ValueError: if the shape of a row is unknown.
      RuntimeError: in eager execution.
    """
    if executing_eagerly():
        raise RuntimeError(NO_QUEUES_IN_EAGER_EXECUTION)
    with name_scope(name, "input_producer", [input_tensor]):
        rows = convert_to_tensor(input_tensor, name="input_tensor")
        row_shape = rows.shape[1:].merge_with(element_shape)
        if not row_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            rows = random_shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(
            capacity=capacity, dtypes=[rows.dtype.base_dtype], shapes=[row_shape], shared_name=shared_name, name=name
        )
        run_queue(queue, [queue.enqueue_many([rows])], cancel_op)
        if summary_name is not None:
            summary_ops.scalar(summary_name, math_ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


@tf_export("train.string_input_producer")
@called_by_users
def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> FIFOQueue:
    """Creates a queue of strings, usually file names. An empty tensor raises InvalidArgumentError at run time.

    Args:
      string_tensor: string vector or list of str.
      num_epochs, shuffle, seed, capacity, shared_name, name, cancel_op: as in `input_producer`.

    Returns:
      A FIFOQueue.

    Raises:
      ValueError: if the list is empty.
    """
    complaint = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not string_tensor:
        raise ValueError(complaint)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        strings = convert_to_tensor(string_tensor, dtype=dtypes.string)
        with control_dependencies([Assert(gen_ops.greater(array_ops.size(strings), 0), [complaint])]):
            strings = array_ops.identity(strings)
        return input_producer(
            strings, [], num_epochs, shuffle, seed, capacity, shared_name, _fraction_full(capacity), scope, cancel_op
        )


@tf_export("train.range_input_producer")
@called_by_users
def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> FIFOQueue:
    """Creates a queue of the integers from 0 to `limit` (exclusive).

    Args:
      limit: int32 scalar.
      num_epochs, shuffle, seed, capacity, shared_name, name: as in `input_producer`.

    Returns:
      A FIFOQueue.
    """
    with name_scope(name, "input_producer", [limit]) as scope:
        numbers = math_ops.range(limit)
        return input_producer(
            numbers, [], num_epochs, shuffle, seed, capacity, shared_name, _fraction_full(capacity), scope
        )


@tf_export("train.slice_input_producer")
@called_by_users
def slice_input_producer(
    tensor_list: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Returns one row of each tensor of a list, all with the same index, which comes from a `range_input_producer`.

    Args:
      tensor_list: list of tensors with the same first dimension.
      num_epochs, shuffle, seed, capacity, shared_name, name: as in `input_producer`.

    Returns:
      A list of tensors.

    Raises:
      ValueError: if `tensor_list` is empty.
    """
    with name_scope(name, "input_producer", tensor_list):
        tensors = convert_n_to_tensor_or_indexed_slices(tensor_list)
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        rows = array_ops.shape(tensors[0])[0]
        queue = range_input_producer(rows, num_epochs, shuffle, seed, capacity, shared_name)
        index = queue.dequeue()
        return [array_ops.gather(tensor, index) for tensor in tensors]


def _fraction_full(capacity: int) -> str:
    return f"fraction_of_{capacity}_full"
