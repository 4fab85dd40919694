"""A matrix and a bias that are made where they are first used, as variables of the scope there."""

from __future__ import annotations

from typing import Any

import tinytf as tf


class Linear:
    """`args @ kernel + bias`; a list of matrices is joined side by side. ValueError for what are no matrices, or of unknown
    widths."""

    def __init__(self, args: Any, output_size: int) -> None:
        self._is_list = isinstance(args, (list, tuple))
        args = args if self._is_list else [args]
        shapes = [arg.shape for arg in args]
        width = 0
        for shape in shapes:
            if shape.ndims != 2:
                raise ValueError(f"linear is expecting 2D arguments: {shapes}")
            columns = shape.as_list()[1]
            if columns is None:
                raise ValueError(f"linear expects shape[1] to be provided for shape {shape}, but saw {shape[1]}")
            width += columns
        dtype = args[0].dtype
        with tf.variable_scope(tf.get_variable_scope()) as outer:
            self._kernel = tf.get_variable("kernel", [width, output_size], dtype=dtype)
            with tf.variable_scope(outer) as inner:
                inner.set_partitioner(None)
                zeros = tf.constant_initializer(0.0, dtype=dtype)
                self._bias = tf.get_variable("bias", [output_size], dtype=dtype, initializer=zeros)

    def __call__(self, args: Any) -> Any:
        """The product, of arguments like those that it was made for."""
        args = args if self._is_list else [args]
        joined = args[0] if len(args) == 1 else tf.concat(args, tf.constant(1))
        return tf.nn.bias_add(tf.matmul(joined, self._kernel), self._bias)
