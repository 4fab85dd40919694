"""Datasets that call a function for each element of another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.base import Unary, UnaryUnchanged
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


class _Mapped(Unary):
    """The results of a function."""

    _map_func: StructuredFunctionWrapper

    def _functions(self) -> list[Any]:
        return [self._map_func]

    @property
    def element_spec(self) -> Any:
        """The specification of the function's results."""
        return self._map_func.output_structure


class MapDataset(_Mapped):
    """The results of a function, which is called for one element at a time."""

    def __init__(
        self,
        input_dataset: Any,
        map_func: Callable[..., Any],
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ) -> None:
        self._map_func = StructuredFunctionWrapper(
            map_func, "Dataset.map()", dataset=input_dataset, use_legacy_function=use_legacy_function
        )
        mapped = gen_ops.map_dataset(
            input_dataset._variant_tensor,
            self._map_func.function.captured_inputs,
            f=self._map_func.function,
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
            **self._flat_structure,
        )
        super().__init__(input_dataset, mapped)


class ParallelMapDataset(_Mapped):
    """The results of a function, in order, of which up to `num_parallel_calls` calls run at once."""

    def __init__(
        self,
        input_dataset: Any,
        map_func: Callable[..., Any],
        num_parallel_calls: Any,
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ) -> None:
        self._map_func = StructuredFunctionWrapper(
            map_func, "Dataset.map()", dataset=input_dataset, use_legacy_function=use_legacy_function
        )
        self._num_parallel_calls = convert_to_tensor(num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls")
        mapped = gen_ops.parallel_map_dataset(
            input_dataset._variant_tensor,
            self._map_func.function.captured_inputs,
            f=self._map_func.function,
            num_parallel_calls=self._num_parallel_calls,
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
            **self._flat_structure,
        )
        super().__init__(input_dataset, mapped)


class FilterDataset(UnaryUnchanged):
    """The elements for which a predicate is true."""

    def __init__(self, input_dataset: Any, predicate: Callable[..., Any], use_legacy_function: bool = False) -> None:
        self._predicate = StructuredFunctionWrapper(
            predicate, "Dataset.filter()", dataset=input_dataset, use_legacy_function=use_legacy_function
        )
        result = self._predicate.output_structure
        if not result.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError(f"`predicate` return type must be convertible to a scalar boolean tensor. Was {result}.")
        filtered = gen_ops.filter_dataset(
            input_dataset._variant_tensor,
            other_arguments=self._predicate.function.captured_inputs,
            predicate=self._predicate.function,
            **input_dataset._flat_structure,
        )
        super().__init__(input_dataset, filtered)

    def _functions(self) -> list[Any]:
        return [self._predicate]
