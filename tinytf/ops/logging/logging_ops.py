"""Prints that happen while a graph runs."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.tensor import Tensor


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
    """A copy of `input_` that writes `message` and the values of the tensors in `data` to stderr each time it runs.

    `first_n` limits how often, `summarize` how many elements of each tensor are shown (3).
    """
    return gen_ops.print(input_, data, message=message, first_n=first_n, summarize=summarize, name=name)
