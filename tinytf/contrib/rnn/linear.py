"""Linear maps whose kernel and bias are variables of the current variable scope."""

from __future__ import annotations

from typing import Any

import tinytf as tf


def linear(
    args: Any, output_size: int, bias: bool, bias_initializer: Any = None, kernel_initializer: Any = None
) -> Any:
    """Returns `args @ kernel`, plus a bias if `bias` is set; each call creates or reuses the variables.

    Raises ValueError if there are no arguments, and as `Linear` does.
    """
    if args is None or (isinstance(args, (list, tuple)) and not args):
        raise ValueError("`args` must be specified")
    args = list(args) if isinstance(args, (list, tuple)) else [args]
    dtype, width = args[0].dtype, _width(args)
    with tf.variable_scope(tf.get_variable_scope()) as outer:
        kernel = tf.get_variable("kernel", [width, output_size], dtype=dtype, initializer=kernel_initializer)
        product = tf.matmul(args[0] if len(args) == 1 else tf.concat(args, 1), kernel)
        if not bias:
            return product
        return tf.nn.bias_add(product, _bias(outer, output_size, dtype, bias_initializer))


def _width(args: list[Any]) -> int:
    """Returns the total number of columns."""
    shapes = [arg.shape for arg in args]
    width = 0
    for shape in shapes:
        if shape.ndims != 2:
            raise ValueError(f"linear is expecting 2D arguments: {shapes}")
        columns = shape.as_list()[1]
        if columns is None:
            raise ValueError(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}")
        width += columns
    return width


def _bias(scope: Any, size: int, dtype: Any, initializer: Any = None) -> Any:
    """Creates a bias, which is never partitioned."""
    with tf.variable_scope(scope) as inner:
        inner.set_partitioner(None)
        if initializer is None:
            initializer = tf.constant_initializer(0.0, dtype=dtype)
        return tf.get_variable("bias", [size], dtype=dtype, initializer=initializer)


class Linear:
    """Computes `args @ kernel + bias`, or without bias; a list of matrices is concatenated along columns.

    Raises ValueError if an argument is not a matrix or its number of columns is unknown.
    """

    def __init__(self, args: Any, output_size: int, bias: bool = True) -> None:
        self._is_list = isinstance(args, (list, tuple))
        args = list(args) if self._is_list else [args]
        dtype, width = args[0].dtype, _width(args)
        with tf.variable_scope(tf.get_variable_scope()) as outer:
            self._kernel = tf.get_variable("kernel", [width, output_size], dtype=dtype)
            self._bias = _bias(outer, output_size, dtype) if bias else None

    def __call__(self, args: Any) -> Any:
        """Returns the product for arguments with the widths given at construction."""
        args = args if self._is_list else [args]
        joined = args[0] if len(args) == 1 else tf.concat(args, tf.constant(1))
        product = tf.matmul(joined, self._kernel)
        return product if self._bias is None else tf.nn.bias_add(product, self._bias)
