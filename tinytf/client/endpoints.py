"""What the runtime says of feeds, fetches and targets that make no step."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tinytf.framework import errors_impl
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor


def check_endpoints(feeds: Iterable[Tensor], fetches: Collection[Tensor], targets: Collection[Operation]) -> None:
    """InvalidArgumentError if nothing is asked for, or a tensor fed twice, or both fed and fetched."""
    if not fetches and not targets:
        _refuse("Must specify at least one target to fetch or execute.")
    fed: set[Tensor] = set()
    for tensor in feeds:
        if tensor in fed:
            _refuse(f'Endpoint "{tensor.name}" fed more than once.')
        fed.add(tensor)
    for tensor in fetches:
        if tensor in fed:
            _refuse(f"{tensor.name} is both fed and fetched.")


def _refuse(message: str) -> None:
    raise errors_impl.InvalidArgumentError(None, None, message)
