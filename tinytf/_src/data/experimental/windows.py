"""`group_by_window`: datasets of elements with the same key, which a function turns into a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.autograph.api import do_not_convert
from tinytf._src.data.dataset import DatasetSpec, UnaryDataset
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_KEY = TensorSpec([], dtypes.int64)
_NAME = "tf.data.experimental.group_by_window()"


@tf_export("data.experimental.group_by_window")
@called_by_users
def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any = None,
    window_size_func: Callable[[Any], Any] | None = None,
) -> Callable[[Any], Any]:
    """Groups elements with the same key, and puts the datasets that a function makes of the groups one after the other.

    Args:
      key_func: takes an element as in `tf.data.Dataset.map`; returns the key, a scalar int64 tensor.
      reduce_func: takes a key and the dataset of a group; returns a dataset.
      window_size: int or int64 tensor, number of elements of a group. Smaller groups come at the end.
      window_size_func: callable that takes a key and returns the number of elements of its groups; in place of
        `window_size`.

    Returns:
      Function for `tf.data.Dataset.apply`, which raises ValueError if a function returns no scalar, and TypeError if
      `reduce_func` returns no dataset.

    Raises:
      ValueError: unless one of `window_size` and `window_size_func` is given.
    """
    if (window_size is None) == (not window_size_func):
        raise ValueError("Must pass either window_size or window_size_func.")

    def size_of(key: Any) -> Any:
        if window_size is not None:
            return convert_to_tensor(window_size, dtype=dtypes.int64)
        assert window_size_func is not None
        return window_size_func(key)

    def transformation(dataset: Any) -> Any:
        return _GroupByWindowDataset(dataset, key_func, reduce_func, size_of)

    return transformation


class _GroupByWindowDataset(UnaryDataset):
    def __init__(
        self,
        input_dataset: Any,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size_func: Callable[[Any], Any],
    ) -> None:
        # Graphs show the names of these two functions. AutoGraph is off in the user's functions, as in TensorFlow.
        @do_not_convert
        def key_func_wrapper(*args: Any) -> Any:
            return convert_to_tensor(key_func(*args), dtype=dtypes.int64)

        @do_not_convert
        def window_size_func_wrapper(key: Any) -> Any:
            return convert_to_tensor(window_size_func(key), dtype=dtypes.int64)

        key = StructuredFunctionWrapper(key_func_wrapper, _NAME, dataset=input_dataset)
        _check_scalar(key, "key_func")
        arguments = (_KEY, DatasetSpec(input_dataset.element_spec))
        reduction = StructuredFunctionWrapper(reduce_func, _NAME, input_structure=arguments)
        if not isinstance(reduction.output_structure, DatasetSpec):
            raise TypeError("`reduce_func` must return a `Dataset` object.")
        self._structure = reduction.output_structure._element_spec
        size = StructuredFunctionWrapper(window_size_func_wrapper, _NAME, input_structure=_KEY)
        _check_scalar(size, "window_size_func")
        self._wrapped = [key, reduction, size]
        functions = [wrapped.function for wrapped in self._wrapped]
        named: dict[str, Any] = dict(zip(("key_func", "reduce_func", "window_size_func"), functions))
        values: Any = [input_dataset._variant_tensor, *[function.captured_inputs for function in functions]]
        grouped = gen_ops.group_by_window_dataset(*values, **{**named, **self._flat_structure})
        super().__init__(input_dataset, grouped)

    def _functions(self) -> list[Any]:
        return self._wrapped

    @property
    def element_spec(self) -> Any:
        """The specification of the elements of the function's datasets."""
        return self._structure


def _check_scalar(wrapped: StructuredFunctionWrapper, name: str) -> None:
    if not wrapped.output_structure.is_compatible_with(_KEY):
        raise ValueError(f"`{name}` must return a single tf.int64 scalar tensor.")
