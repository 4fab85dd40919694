"""Datasets of the elements of datasets that a function returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.base import Unary
from tinytf._src.data.dataset_spec import DatasetSpec
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.data.kinds.arguments import boolean, int64, optional_tensor


class FlatMapped(Unary):
    """The elements of the datasets that a function returns for the elements of another one."""

    def __init__(self, input_dataset: Any, map_func: Callable[..., Any], transformation_name: str) -> None:
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(map_func, transformation_name, dataset=input_dataset)
        result = self._map_func.output_structure
        if not isinstance(result, DatasetSpec):
            raise TypeError(f"`map_func` must return a `Dataset` object.{self._told_result(result)}")
        self._structure = result._element_spec
        super().__init__(input_dataset, self._made(input_dataset._variant_tensor, self._map_func.function))

    def _told_result(self, result: Any) -> str:
        """What the error for a function with another result says about the specification of the result."""
        return f" Got {type(result)}"

    def _made(self, variant: Any, function: Any) -> Any:
        """Returns the variant tensor, given that of the other dataset."""
        raise NotImplementedError

    def _functions(self) -> list[Any]:
        return [self._map_func]

    @property
    def element_spec(self) -> Any:
        """The specification of the elements of the function's datasets."""
        return self._structure


class FlatMapDataset(FlatMapped):
    """One dataset after the other."""

    def __init__(self, input_dataset: Any, map_func: Callable[..., Any]) -> None:
        super().__init__(input_dataset, map_func, "Dataset.flat_map()")

    def _made(self, variant: Any, function: Any) -> Any:
        return gen_ops.flat_map_dataset(variant, function.captured_inputs, f=function, **self._flat_structure)


class InterleaveDataset(FlatMapped):
    """In turn `block_length` elements of each of `cycle_length` datasets."""

    def __init__(self, input_dataset: Any, map_func: Callable[..., Any], cycle_length: Any, block_length: Any) -> None:
        self._lengths = cycle_length, block_length
        super().__init__(input_dataset, map_func, "Dataset.interleave()")

    def _made(self, variant: Any, function: Any) -> Any:
        cycle_length, block_length = self._lengths
        return gen_ops.interleave_dataset(
            variant,
            function.captured_inputs,
            int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"),
            f=function,
            **self._flat_structure,
        )


class ParallelInterleaveDataset(FlatMapped):
    """Like `InterleaveDataset`, with up to `num_parallel_calls` datasets read at once."""

    def __init__(
        self,
        input_dataset: Any,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
        num_parallel_calls: Any,
    ) -> None:
        self._lengths = cycle_length, block_length, num_parallel_calls
        super().__init__(input_dataset, map_func, "Dataset.interleave()")

    def _made(self, variant: Any, function: Any) -> Any:
        cycle_length, block_length, num_parallel_calls = self._lengths
        return gen_ops.parallel_interleave_dataset_v2(
            variant,
            function.captured_inputs,
            int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"),
            int64(num_parallel_calls, "num_parallel_calls"),
            f=function,
            **self._flat_structure,
        )


class ParallelInterleaveOfReaders(FlatMapped):
    """The interleaving of `tf.data.experimental.parallel_interleave`, which readers of several files use: the datasets of
    a cycle are read ahead."""

    def __init__(
        self,
        input_dataset: Any,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
        sloppy: Any,
        buffer_output_elements: Any,
        prefetch_input_elements: Any,
    ) -> None:
        self._arguments = cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements
        super().__init__(input_dataset, map_func, "tf.data.experimental.parallel_interleave()")

    def _told_result(self, result: Any) -> str:
        return ""

    def _made(self, variant: Any, function: Any) -> Any:
        cycle_length, block_length, sloppy, buffer_output_elements, prefetch_input_elements = self._arguments
        return gen_ops.parallel_interleave_dataset(
            variant,
            function.captured_inputs,
            int64(cycle_length, "cycle_length"),
            int64(block_length, "block_length"),
            boolean(sloppy, "sloppy"),
            optional_tensor("buffer_output_elements", buffer_output_elements, 2 * block_length),
            optional_tensor("prefetch_input_elements", prefetch_input_elements, 2 * cycle_length),
            f=function,
            **self._flat_structure,
        )
