"""`CondContext`: the control flow context of one branch of a `tf.cond`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, prepend_name_scope
from tinytf._src.ops.control_flow.context import ControlFlowContext, is_within
from tinytf._src.ops.control_flow.context_protos import cond_def, read_cond
from tinytf._src.ops.control_flow.primitives import switch_beside

__all__ = ["CondContext"]


class CondContext(ControlFlowContext, field="cond_ctxt"):
    """The operations that run if `pred` equals `branch` (1 or 0).

    Operations without inputs in the branch get `pivot` as a control input. Each outside tensor enters through one
    Switch.
    """

    def __init__(
        self,
        pred: Any = None,
        pivot: Any = None,
        branch: int | None = None,
        name: str = "cond_text",
        context_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        unique = get_default_graph().unique_name(name)  # taken in any case, as in TensorFlow: other names depend on it
        super().__init__(unique if context_def is None else prepend_name_scope(context_def.context_name, import_scope))
        if context_def is not None:
            read_cond(self, context_def, import_scope)
            return
        self._pred = pred
        self._pivot = pivot
        self._branch = branch
        self._values.update((pred.name, pivot.name))
        self._external_values[pred.name] = pred
        pivot.op._set_control_flow_context(self)

    @property
    def pred(self) -> Tensor:
        """The predicate."""
        return self._pred

    @property
    def pivot(self) -> Tensor:
        """The predicate as a tensor that is alive only in this branch."""
        return self._pivot

    @property
    def branch(self) -> Any:
        """1 for the branch that runs if the predicate is true, otherwise 0."""
        return self._branch

    def GetControlPivot(self) -> Tensor:
        return self._pivot

    def IsCondContext(self) -> bool:
        return True

    def AddOp(self, op: Operation) -> None:
        if op.inputs:
            self._take_inputs(op)
            if op._spec.is_function or op._spec.derives:  # Nodes inside such an op may have no inputs.
                op._add_control_input(self._pivot.op)
        elif not any(is_within(control._get_control_flow_context(), self) for control in op.control_inputs):
            op._add_control_input(self._pivot.op)
        self._note(output.name for output in op.outputs)
        if self._outer_context is not None or op._spec.control_flow != "exit":
            op.graph.prevent_fetching(op)
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def AddValue(self, val: Tensor) -> Tensor:
        if self.knows(val):
            return self._external_values.get(val.name, val)
        outer = self._through_outer_contexts(val)
        with control_dependencies(None):
            inner = switch_beside(outer, self._pred)[self._branch]
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(inner.op)
        inner.graph.prevent_fetching(inner.op)
        inner.op._set_control_flow_context(self)
        self._note((inner.name,))
        self._external_values[val.name] = inner
        return inner

    def AddResult(self, val: Tensor) -> Tensor:
        """Returns the tensor that the branch yields for `val`. Unlike in `AddValue`, the Switch is an ordinary
        operation of the branch.
        """
        if self.knows(val):
            return self._external_values.get(val.name, val)
        inner = switch_beside(self._through_outer_contexts(val), self._pred)[self._branch]
        self._external_values[val.name] = inner
        return inner

    def _through_outer_contexts(self, val: Tensor) -> Tensor:
        """Returns the tensor that represents `val` just outside this branch."""
        self._values.add(val.name)
        if self._outer_context is None:
            return val
        # Iterates instead of recursing, because branches may be nested deeply.
        for context in reversed(self._branches_around(val)):
            context.AddValue(val)
        outer = self._outer_context.AddValue(val)
        self._values.add(outer.name)
        self._external_values[outer.name] = outer
        return outer

    def _branches_around(self, val: Tensor) -> list[CondContext]:
        """Returns the branches directly enclosing this one that do not know a tensor, innermost first."""
        branches = []
        context = self._outer_context
        while isinstance(context, CondContext) and not context.knows(val):
            branches.append(context)
            context = context.outer_context
        return branches

    def _note(self, names: Iterable[str]) -> None:
        """Records the names of tensors created here; enclosing contexts know them too."""
        names = list(names)
        self._made.update(names)
        self._values.update(names)

    def to_proto(self, export_scope: str | None = None) -> Any:
        return cond_def(self, export_scope)
