"""What makes batches of the examples of one source or several, by a queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.constant_value import constant_value
from tinytf.framework.conversion import convert_to_tensor, convert_to_tensor_or_indexed_slices
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.name_scope import name_scope
from tinytf.framework.sparse_tensor import SparseTensor
from tinytf.framework.tensor_shape import as_shape
from tinytf.ops import math_ops
from tinytf.ops.control_flow.conditional import cond
from tinytf.ops.data_flow.data_flow_ops import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from tinytf.ops.logging import summary_ops
from tinytf.training.input.producers import NO_QUEUES_IN_EAGER_EXECUTION, run_queue
from tinytf.training.input.sparse_store import restore, store


class Batcher:
    """What makes batches of examples, each a list or a dictionary of tensors, of one source or several.

    Args:
      sources: an example each, or a batch of examples if `enqueue_many`.
      keep_input: whether the example is kept; with `enqueue_many` one for each.
      scope: of the nodes, when there is no name.
    """

    def __init__(
        self, sources: Any, keep_input: Any, enqueue_many: bool, shapes: Any, name: str | None, scope: str, join: bool
    ) -> None:
        if executing_eagerly():
            raise ValueError(NO_QUEUES_IN_EAGER_EXECUTION)
        self._examples = _lists_of(sources) if join else [_list_of(sources[0])]
        self._original = sources[0]
        self._keep_input, self._enqueue_many, self._shapes = keep_input, enqueue_many, shapes
        self._name, self._scope, self._join = name, scope, join

    def batch(
        self,
        make_queue: Callable[..., Any],
        batch_size: Any,
        fullness: Callable[[Any], tuple[str, Any]],
        threads: int = 1,
        allow_smaller_final_batch: bool = False,
        check: Callable[[], None] = lambda: None,
    ) -> Any:
        """The batch, shaped as the examples are. `fullness` makes a summary of the queue, of a tag and a value."""
        values = [tensor for example in self._examples for tensor in example] + [self._keep_input]
        with name_scope(self._name, self._scope, values) as scope:
            check()
            self._examples = [self._converted(example) for example in self._examples]
            self._keep_input = _checked_keep_input(self._keep_input, self._enqueue_many)
            self._examples, kept = store(self._examples, self._enqueue_many, self._keep_input)
            queue = make_queue(dtypes=self._types(), shapes=self._element_shapes())
            enqueues = [self._enqueue(queue, example) for example in self._examples]
            run_queue(queue, enqueues if self._join else enqueues * threads)
            summary_ops.scalar(*fullness(queue))
            dequeue = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
            return self._as_original(restore(dequeue(batch_size, name=scope), kept))

    def _converted(self, example: Any) -> list[Any]:
        tensors = [
            part if isinstance(part, SparseTensor) else convert_to_tensor_or_indexed_slices(part) for part in example
        ]
        if not tensors and not self._join:
            raise ValueError("Expected at least one tensor in batch().")
        return tensors

    def _types(self) -> list[Any]:
        first, *others = [[tensor.dtype for tensor in example] for example in self._examples]
        for types in others:
            if types != first:
                one, other = (", ".join(dtype.name for dtype in names) for names in (first, types))
                raise TypeError(f"Expected types to be consistent: {one} vs. {other}.")
        return first

    def _element_shapes(self) -> Any:
        if self._shapes is not None:
            return self._shapes
        for example in self._examples:
            for tensor in example:
                if tensor.shape.ndims is None:
                    raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
        return [self._common_shape(tensors) for tensors in zip(*self._examples)]

    def _common_shape(self, tensors: Any) -> list[int | None]:
        """The first one's, if the others can be it."""
        shapes = [as_shape(tensor.shape.as_list()) for tensor in tensors]
        if self._enqueue_many:
            shapes = [shape.with_rank_at_least(1)[1:] for shape in shapes]
        for shape in shapes[1:]:
            shapes[0].merge_with(shape)
        return shapes[0].as_list()

    def _enqueue(self, queue: Any, example: list[Any]) -> Any:
        enqueue = queue.enqueue_many if self._enqueue_many else queue.enqueue
        keep = self._keep_input
        if keep.shape.ndims == 1:
            chosen = math_ops.cast(keep, dtypes.int32)
            return enqueue([gen_ops.dynamic_partition(tensor, chosen, num_partitions=2)[1] for tensor in example])
        known = constant_value(keep)
        if known is None:
            return cond(keep, lambda: enqueue(example), gen_ops.no_op)
        return enqueue(example) if known else gen_ops.no_op()

    def _as_original(self, batch: Any) -> Any:
        if not isinstance(self._original, dict):
            return batch
        names = sorted(self._original, key=str)
        return dict(zip(names, [batch] if len(names) == 1 else batch))


def _list_of(tensors: Any) -> Any:
    return [tensors[name] for name in sorted(tensors, key=str)] if isinstance(tensors, dict) else tensors


def _lists_of(sources: Any) -> list[Any]:
    if not sources:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(sources[0], dict) and any(source.keys() != sources[0].keys() for source in sources):
        raise ValueError("All dictionaries in tensors_list must have the same keys")
    return [_list_of(source) for source in sources]


def _checked_keep_input(keep_input: Any, enqueue_many: bool) -> Any:
    keep = convert_to_tensor(keep_input)
    if keep.shape.ndims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and keep.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if keep.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return keep


def in_order(sources: Any, keep_input: Any, batch_size: Any, threads: int, join: bool, **options: Any) -> Any:
    """Batches of elements in the order in which they came."""
    capacity, kind = options["capacity"], PaddingFIFOQueue if options["dynamic_pad"] else FIFOQueue
    scope = "batch_join" if join else "batch"

    def fullness(queue: Any) -> tuple[str, Any]:
        return f"fraction_of_{capacity}_full", math_ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity)

    batcher = Batcher(sources, keep_input, options["enqueue_many"], options["shapes"], options["name"], scope, join)
    return batcher.batch(
        lambda **element: kind(capacity=capacity, shared_name=options["shared_name"], **element),
        batch_size,
        fullness,
        threads,
        options["allow_smaller_final_batch"],
    )


def shuffled(sources: Any, keep_input: Any, batch_size: Any, threads: int, join: bool, **options: Any) -> Any:
    """Batches of elements in random order."""
    capacity, least = options["capacity"], options["min_after_dequeue"]
    scope = "shuffle_batch_join" if join else "shuffle_batch"

    def check() -> None:
        if not join and capacity <= least:
            raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {least}.")

    def fullness(queue: Any) -> tuple[str, Any]:
        over = math_ops.cast(gen_ops.maximum(0, queue.size() - least), dtypes.float32)
        return f"fraction_over_{least}_of_{capacity - least}_full", over * (1.0 / (capacity - least))

    batcher = Batcher(sources, keep_input, options["enqueue_many"], options["shapes"], options["name"], scope, join)
    return batcher.batch(
        lambda **element: RandomShuffleQueue(
            capacity=capacity,
            min_after_dequeue=least,
            seed=options["seed"],
            shared_name=options["shared_name"],
            **element,
        ),
        batch_size,
        fullness,
        threads,
        options["allow_smaller_final_batch"],
        check,
    )
