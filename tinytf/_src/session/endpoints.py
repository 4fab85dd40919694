"""Checks that feeds, fetches and targets make a valid step, with the runtime's messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor


def check_endpoints(feeds: Iterable[Tensor], fetches: Collection[Tensor], targets: Collection[Operation]) -> None:
    """Raises InvalidArgumentError if nothing is fetched, a tensor is fed twice, or a tensor is both fed and fetched."""
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
