"""`GradientTerms`: the gradients of tensors while they are collected."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.gradients.aggregation import AggregationMethod, aggregate


class GradientTerms:
    """The terms of each tensor's gradient, one for each use of the tensor, until their sum is asked for.

    ValueError for an invalid `aggregation_method`; None: the default one.
    """

    def __init__(self, aggregation_method: int | None) -> None:
        if aggregation_method not in (None, *AggregationMethod.ALL):
            raise ValueError(f"Invalid aggregation_method specified {aggregation_method}.")
        self._method = aggregation_method or AggregationMethod.DEFAULT
        self._terms: dict[Tensor, list[Any]] = {}

    def add(self, tensor: Tensor, grad: Any) -> None:
        """Adds a term."""
        self._terms.setdefault(tensor, []).append(grad)

    def reach(self, op: Operation) -> bool:
        """Returns whether an output of the operation has a gradient."""
        return any(self._terms.get(output) for output in op.outputs)

    def sum_of(self, tensor: Tensor) -> Any:
        """Returns the sum of the terms, or None. Operations that compute it are created once."""
        terms = self._terms.get(tensor)
        if not terms:
            return None
        if len(terms) > 1:
            terms[:] = [aggregate(terms, self._method, tensor.op.name)]
        return terms[0]
