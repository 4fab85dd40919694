"""Variables that are attributes of an object and saved with it."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.variables import initializers
from tinytf._src.variables.creation import make_variable


def add_variable(
    trackable: Any,
    name: str,
    shape: Any = None,
    dtype: Any = dtypes.float32,
    initializer: Any = None,
    trainable: bool = True,
) -> Any:
    """Creates a resource variable on which a trackable object depends. `initializer` is a value, or a function of the
    shape; None: Glorot uniform or zeros."""
    return trackable._add_variable_with_custom_getter(
        name, shape, dtype, initializer, getter=_made, trainable=trainable
    )


def _made(name: str, shape: Any, dtype: Any, initializer: Any, **options: Any) -> Any:
    dtype = dtypes.as_dtype(dtype).base_dtype
    with init_scope():
        if initializer is None:
            initializer = initializers.glorot_uniform() if dtype.is_floating else initializers.zeros()
        if isinstance(initializer, type):
            initializer = initializer(dtype=dtype)
        value = initializer
        if callable(initializer):
            dims = as_shape(shape)

            def value() -> Any:
                return initializer(dims.as_list() if dims.ndims is not None else None, dtype=dtype, partition_info=None)

        elif shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        return make_variable(value, name=name, dtype=dtype, use_resource=True, **options)
