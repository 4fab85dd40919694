"""`tf.print` and `tf.strings.format`: text with the values of tensors."""

from __future__ import annotations

import copy
import os
import random
import sys
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.sparse_tensor import SparseTensor
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_like import is_tensor


@tf_export("strings.format")
@called_by_users
def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """Formats a string with the values of tensors.

    Args:
      template: str.
      inputs: list of tensors, one per occurrence of `placeholder`, or one tensor.
      placeholder: str that is replaced by the value of a tensor.
      summarize: int, number of first and of last entries shown per dimension; -1 means all.
      name: optional name of the operation.

    Returns:
      A string scalar.

    Raises:
      ValueError: if the numbers of tensors and placeholders differ.
    """
    if is_tensor(inputs):
        inputs = [inputs]
    if template.count(placeholder) != len(inputs):
        raise ValueError(
            f"{template.count(placeholder)} placeholder(s) in template does not match {len(inputs)} tensor(s) provided as "
            "input"
        )
    return gen_ops.string_format(inputs, template=template, placeholder=placeholder, summarize=summarize, name=name)


@tf_export("print")
@called_by_users
def print_v2(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int = 3,
    sep: str = " ",
    end: str = os.linesep,
    name: str | None = None,
    **unknown: Any,
) -> Operation:
    """Creates an operation that prints its inputs each time it runs.

    Args:
      *inputs: tensors, other values, and nested structures of them. A string is printed as it is, anything else as by
        `pprint`, with the values of tensors inserted.
      output_stream: `sys.stderr` (default), `sys.stdout`, a level or function of `tf.logging` or `logging` from INFO to
        ERROR, or "file://PATH" to append to a file.
      summarize: int, number of first and of last entries shown per dimension; -1 means all.
      sep: str printed between the inputs.
      end: str printed after the last input.
      name: optional name of the operation.

    Returns:
      An operation; in eager execution the text is printed immediately.

    Raises:
      ValueError: if the stream is not supported, or if there is another keyword argument.

    Example:
      with tf.control_dependencies([tf.print("step:", step)]):
        step = tf.identity(step)
    """
    if unknown:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {unknown}")
    stream = _stream_name(sys.stderr if output_stream is None else output_stream)
    text: Any = inputs[0] if len(inputs) == 1 else None
    if not (is_tensor(text) and not isinstance(text, SparseTensor) and _is_scalar_string(text)):
        text = _formatted(inputs, sep, summarize, f"{name}_format" if name else None)
    return gen_ops.print_v2(text, output_stream=stream, end=end, name=name)


def _is_scalar_string(tensor: Any) -> bool:
    return tensor.shape.ndims == 0 and tensor.dtype == dtypes.string


def _stream_name(stream: Any) -> str:
    """Returns the name of the stream in the attribute of PrintV2."""
    if isinstance(stream, str) and stream.startswith("file://"):
        return stream
    names = {sys.stdout: "stdout", sys.stderr: "stderr"}
    if stream not in names:
        import logging

        from tinytf._src.framework.logs import tf_logging

        for module in (logging, tf_logging):
            names[module.info] = names[module.INFO] = "log(info)"
            names[module.warning] = names[module.WARN] = "log(warning)"
            names[module.error] = names[module.ERROR] = "log(error)"
        names[tf_logging.warn] = "log(warning)"
    if stream not in names:
        raise ValueError(
            f"Unsupported output stream, logging level, or file.{stream}. Supported streams are sys.stdout, sys.stderr, "
            "tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in the form of 'file://<filepath>'."
        )
    return names[stream]


def _formatted(inputs: tuple[Any, ...], sep: str, summarize: int, name: str | None) -> Tensor:
    """Returns the inputs formatted as one string tensor."""
    import pprint

    placeholder = _placeholder_not_in(" ".join(pprint.pformat(_with_tensors_as(x, "", "")) for x in inputs))
    sparse = f"SparseTensor(indices={placeholder}, values={placeholder}, shape={placeholder})"
    templates = [x if isinstance(x, str) else pprint.pformat(_with_tensors_as(x, placeholder, sparse)) for x in inputs]
    template = sep.join(templates).replace(f"'{placeholder}'", placeholder)
    tensors = [tensor for x in inputs for tensor in _tensors(x)]
    return string_format(template, tensors, placeholder, summarize, name)


def _placeholder_not_in(text: str) -> str:
    placeholder, numbers = "{}", random.Random(5)
    while placeholder in text:
        placeholder += str(numbers.randint(0, 9))
    return placeholder


def _with_tensors_as(nested: Any, dense: str, sparse: str) -> Any:
    """Returns the structure with its tensors replaced by strings."""
    if isinstance(nested, dict):
        made = copy.copy(nested)
        made.update((key, _with_tensors_as(nested[key], dense, sparse)) for key in nested)
        return made
    if isinstance(nested, (list, tuple)):
        items = [_with_tensors_as(x, dense, sparse) for x in nested]
        return type(nested)(*items) if hasattr(nested, "_fields") else type(nested)(items)
    if isinstance(nested, SparseTensor):
        return sparse
    return dense if is_tensor(nested) else nested


def _tensors(nested: Any) -> Iterator[Tensor]:
    """Yields the dense tensors of a structure in the order in which `pprint` prints it: most dicts by sorted keys."""
    if isinstance(nested, dict):
        for key in nested if isinstance(nested, OrderedDict) else sorted(nested):
            yield from _tensors(nested[key])
    elif isinstance(nested, (list, tuple)):
        for x in nested:
            yield from _tensors(x)
    elif isinstance(nested, SparseTensor):
        yield from (nested.indices, nested.values, nested.dense_shape)
    elif is_tensor(nested):
        yield nested
