"""Examples of a pipeline: lists or dicts of tensors, and their representation in queues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor_or_indexed_slices, convert_to_tensor
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.training.input.producers import NO_QUEUES_IN_EAGER_EXECUTION
from tinytf._src.training.input.sparse_store import if_kept, restore, store


class Examples:
    """Examples of one or several sources, each a list or a dict of tensors, and their representation in queues.

    Args:
      sources: list with one example per source, or with one batch of examples if `enqueue_many` is True.
      keep_input: bool tensor, whether the example is kept; may be a vector if `enqueue_many` is True.
      enqueue_many: bool, whether the sources are batches.
      join: bool, whether several sources are allowed.

    Raises:
      ValueError: in eager execution.
    """

    def __init__(self, sources: Any, keep_input: Any, enqueue_many: bool = False, join: bool = False) -> None:
        if executing_eagerly():
            raise ValueError(NO_QUEUES_IN_EAGER_EXECUTION)
        self.lists = _lists_of(sources) if join else [_list_of(sources[0])]
        self.keep_input = keep_input
        self.enqueue_many = enqueue_many
        self._original, self._join = sources[0], join
        self._kept: list[Any] = []

    def convert(self, caller: str) -> None:
        """Converts `lists` and `keep_input` to tensors for queues. Raises a ValueError that names the caller if there
        are none.
        """
        self.lists = [self._converted(example, caller) for example in self.lists]
        self.keep_input = _checked_keep_input(self.keep_input, self.enqueue_many)
        self.lists, self._kept = store(self.lists, self.enqueue_many, self.keep_input)

    def types(self) -> list[Any]:
        """Returns the dtypes of a queue element. Raises TypeError if sources differ."""
        first, *others = [[tensor.dtype for tensor in example] for example in self.lists]
        for types in others:
            if types != first:
                one, other = (", ".join(dtype.name for dtype in names) for names in (first, types))
                raise TypeError(f"Expected types to be consistent: {one} vs. {other}.")
        return first

    def shapes(self, given: Any) -> Any:
        """Returns the shapes of a queue element: the given ones, or the merged shapes of all sources.

        Raises ValueError if a rank is unknown.
        """
        if given is not None:
            return given
        for example in self.lists:
            for tensor in example:
                if tensor.shape.ndims is None:
                    raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
        return [self._common_shape(tensors) for tensors in zip(*self.lists)]

    def if_kept(self, enqueue: Callable[[], Any]) -> Any:
        """Returns an operation that runs the operation of `enqueue` if the example, or the whole batch, is kept."""
        return if_kept(self.keep_input, enqueue, gen_ops.no_op)

    def as_original(self, batch: Any) -> Any:
        """Returns dequeued tensors in the structure of the examples."""
        return self.in_place(restore(batch, self._kept))

    def in_place(self, batch: Any) -> Any:
        """Returns restored tensors, as a dict if the examples are dicts."""
        if not isinstance(self._original, dict):
            return batch
        names = sorted(self._original, key=str)
        parts = [batch] if len(names) == 1 else batch
        return {name: parts[i] for i, name in enumerate(names)}

    def _converted(self, example: Any, caller: str) -> list[Any]:
        tensors = convert_n_to_tensor_or_indexed_slices(example)
        if not tensors and not self._join:
            raise ValueError(f"Expected at least one tensor in {caller}().")
        if any(tensor is None for tensor in tensors):
            raise ValueError("None values not supported.")
        return tensors

    def _common_shape(self, tensors: Any) -> list[int | None]:
        """Returns the shape of the first tensor after checking that the others are compatible."""
        shapes = [as_shape(tensor.shape.as_list()) for tensor in tensors]
        if self.enqueue_many:
            shapes = [shape.with_rank_at_least(1)[1:] for shape in shapes]
        for shape in shapes[1:]:
            shapes[0].merge_with(shape)
        return shapes[0].as_list()


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
