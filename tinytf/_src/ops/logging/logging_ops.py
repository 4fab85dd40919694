"""`tf.Print`."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor


@tf_export("Print")
@called_by_users
def Print(
    input_: Any,
    data: Any,
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns a copy of a tensor that prints data to stderr each time it is computed.

    Args:
      input_: tensor to return.
      data: list of tensors to print.
      message: optional str printed before the data.
      first_n: optional int, maximum number of prints.
      summarize: optional int, number of elements to print per tensor; defaults to 3.
      name: optional name of the operation.

    Returns:
      A tensor with the value of `input_`.
    """
    return gen_ops.print(input_, data, message=message, first_n=first_n, summarize=summarize, name=name)
