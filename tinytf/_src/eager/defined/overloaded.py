"""`_OverloadedFunction`: a `Defun` function without input types, built for each list of dtypes it is called with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tinytf._src.eager.defined.function import _DefinedFunction
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

# Abbreviations of dtypes in function names.
_SHORT = {
    dtypes.float16: "f16",
    dtypes.float32: "f32",
    dtypes.float64: "f64",
    dtypes.int32: "i32",
    dtypes.uint8: "i8",
    dtypes.uint16: "u16",
    dtypes.uint32: "u32",
    dtypes.uint64: "u64",
    dtypes.int16: "i16",
    dtypes.int8: "i8",
    dtypes.string: "s",
    dtypes.complex64: "c64",
    dtypes.complex128: "c128",
    dtypes.int64: "i64",
    dtypes.bool: "b",
    dtypes.qint8: "qi8",
    dtypes.quint8: "qu8",
    dtypes.qint16: "qi16",
    dtypes.quint16: "qu16",
    dtypes.qint32: "qi32",
    dtypes.bfloat16: "b16",
}


class _OverloadedFunction:
    """A Python function that is built for the dtypes of each call's arguments."""

    def __init__(
        self,
        func: Callable[..., Any],
        argnames: Sequence[str],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Any = None,
        **kwargs: Any,
    ) -> None:
        """See `Defun`. AssertionError if `grad_func` has fixed input types."""
        assert grad_func is None or isinstance(grad_func, _OverloadedFunction)
        self._func = func
        self._argnames = argnames
        self._func_name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = out_names
        self._options = kwargs
        self._overload: dict[str, _DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> _DefinedFunction:
        """Returns the function for inputs of these dtypes. ValueError for unsupported dtypes."""
        types = [dtype.base_dtype for dtype in input_types]
        if any(dtype not in _SHORT for dtype in types):
            raise ValueError(f"Unsupported dtypes: {list(input_types)}")
        key = "".join(_SHORT[dtype] for dtype in types)
        defined = self._overload.get(key)
        if defined is not None:
            return defined
        name = None if self._func_name is None else f"{self._func_name}_{key}"
        defined = _DefinedFunction(
            self._func,
            self._argnames,
            types,
            name,
            None,
            self._python_grad_func,
            out_names=self._out_names,
            **self._options,
        )
        outputs = [dtypes.as_dtype(arg.type) for arg in defined.definition.signature.output_arg]
        if self._grad_func:
            defined._grad_func = self._grad_func.instantiate([*types, *outputs])
        self._overload[key] = defined
        return defined

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function for the dtypes of the arguments."""
        tensors = [convert_to_tensor(arg) for arg in args]
        return self.instantiate([tensor.dtype for tensor in tensors])(*tensors, **kwargs)
