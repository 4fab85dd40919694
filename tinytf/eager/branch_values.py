"""Values of branches, for a derivative that runs by itself: what is computed in a branch is there only if that is taken."""

from __future__ import annotations

import numpy as np

from tinytf._gen import gen_ops
from tinytf.framework import dtypes
from tinytf.framework.constant_op import constant
from tinytf.framework.graph import Graph
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.ops.control_flow.cond_context import CondContext
from tinytf.ops.control_flow.context import output_context


class BranchValues:
    """Has operations above an id take values of branches below it in a way in which these can be saved and given back.

    A value gets another one beside it for where the branch is not taken, so that there always is one: `lifted` are the keys
    of those. Where it is given back it goes into its branch again, so that what needs it does not run without.
    """

    def __init__(self, graph: Graph, last: int) -> None:
        self.lifted: set[int] = set()
        self._inside: dict[int, Tensor] = {}  # by the key of a value: what stands for it
        with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
            for op in graph._nodes.ops[last:]:
                for i, tensor in enumerate(op.inputs):
                    if tensor.op._id <= last and _branches(tensor.op):
                        op._update_input(i, self._given_back(tensor))

    def _given_back(self, tensor: Tensor) -> Tensor:
        branches = _branches(tensor.op)
        if not branches:
            return tensor  # of outside: saved as it is
        found = self._inside.get(tensor._key)
        if found is None:
            found = self._inside[tensor._key] = self._brought_back(tensor, branches)
        return found

    def _brought_back(self, tensor: Tensor, branches: list[CondContext]) -> Tensor:
        if tensor.op._spec.control_flow == "switch":
            data, pred = (self._given_back(t) for t in tensor.op.inputs)
            return gen_ops.switch(data, pred)[tensor.value_index]
        value = tensor
        for branch in branches:
            other = gen_ops.switch(_any_value(tensor.dtype), branch.pred)[1 - branch.branch]
            value = gen_ops.merge([value, other])[0]
        self.lifted.add(value._key)
        for branch in reversed(branches):
            value = gen_ops.switch(value, self._given_back(branch.pred))[branch.branch]
        value.set_shape(tensor.shape)
        return value


def _branches(op: Operation) -> list[CondContext]:
    """The branches that an operation's outputs are in, the innermost first; none for those in loops."""
    branches = []
    context = output_context(op)
    while context is not None:
        if not isinstance(context, CondContext):
            return []
        branches.append(context)
        context = context.outer_context
    return branches


def _any_value(dtype: dtypes.DType) -> Tensor:
    return constant("" if dtype == dtypes.string else np.zeros([], dtype.as_numpy_dtype), dtype.base_dtype)
