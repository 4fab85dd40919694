"""`WhileContext`: the control flow context of a loop."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.jit_scope import is_to_compile
from tinytf._src.framework.scopes.name_scope import control_dependencies, prepend_name_scope
from tinytf._src.ops.control_flow.context import ControlFlowContext, is_constant_enter, is_within, output_context
from tinytf._src.ops.control_flow.context_protos import read_while, while_def
from tinytf._src.ops.control_flow.primitives import enter
from tinytf._src.ops.control_flow.valid_inputs import check_inputs

__all__ = ["WhileContext"]


class WhileContext(ControlFlowContext, field="while_ctxt"):
    """The operations of the condition and of the body of a loop.

    Each outside tensor enters through one constant Enter, which provides it to all iterations.
    """

    def __init__(
        self,
        maximum_iterations: Any = None,
        parallel_iterations: int = 10,
        back_prop: bool = True,
        swap_memory: bool = False,
        name: str = "while_context",
        grad_state: Any = None,
        context_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if context_def is not None:
            name = prepend_name_scope(context_def.context_name, import_scope)
        elif isinstance(parallel_iterations, int) and parallel_iterations > 0:
            name = get_default_graph().unique_name(name)
        else:
            raise ValueError(f"`parallel_iterations` must be a positive integer: {parallel_iterations}")
        super().__init__(name)
        self._grad_state = grad_state
        self._graph = get_default_graph()
        self._graph._check_inputs_by(check_inputs)
        if context_def is not None:
            read_while(self, context_def, import_scope)
            return
        self._maximum_iterations = maximum_iterations
        self._parallel_iterations = parallel_iterations
        self._back_prop = back_prop
        self._swap_memory = swap_memory
        self._pivot_for_pred: Any = None  # The first variable, in the condition.
        self._pivot_for_body: Any = None  # The first variable, in the body.
        self._pivot: Any = None  # The output of LoopCond.
        self._loop_exits: list[Tensor] = []
        self._loop_enters: list[Tensor] = []

    @property
    def maximum_iterations(self) -> Any:
        """The maximum number of iterations: a tensor, or None."""
        return self._maximum_iterations

    @property
    def parallel_iterations(self) -> int:
        """How many iterations may run in parallel."""
        return self._parallel_iterations

    @property
    def back_prop(self) -> bool:
        """Whether the loop can be differentiated."""
        return self._back_prop

    @property
    def swap_memory(self) -> bool:
        """Whether values kept for gradients may be moved to other memory."""
        return self._swap_memory

    @property
    def pivot(self) -> Tensor:
        """The output of the condition."""
        return self._pivot

    @property
    def loop_enters(self) -> list[Tensor]:
        """The Enter outputs of the variables."""
        return self._loop_enters

    @property
    def loop_exits(self) -> list[Tensor]:
        """The Exit outputs of the variables."""
        return self._loop_exits

    @property
    def grad_state(self) -> Any:
        return self._grad_state

    def GetWhileContext(self) -> WhileContext:
        return self

    def GetControlPivot(self) -> Tensor:
        return self._pivot_for_pred if self._pivot_for_body is None else self._pivot_for_body

    def IsWhileContext(self) -> bool:
        return True

    def AddOp(self, op: Operation) -> None:
        inputs = op.inputs
        if self._grad_state is not None and op._spec.is_shape_only and len(inputs) == 1 and not is_to_compile(op):
            # Keep the shapes of the forward loop's values instead of the values. A compiler, however, needs shapes that
            # it knows.
            context = inputs[0].op._get_control_flow_context()
            if context is not None and context.GetWhileContext() is self._grad_state.forward:
                op._set_control_flow_context(context)
                context.AddOp(op)
                return
        if inputs:
            self._take_inputs(op)
            inputs = op.inputs
        # An operation that depends on nothing in the iteration would run before the condition is known.
        calls = op._spec.is_function or op._spec.derives  # These ops may contain nodes that have no inputs.
        if not op.control_inputs and (calls or all(is_constant_enter(tensor.op) for tensor in inputs)):
            op._add_control_input(self.GetControlPivot().op)
        self._values.update(output.name for output in op.outputs)
        if self._outer_context is not None or op._spec.control_flow != "exit":
            op.graph.prevent_fetching(op)
            for output in op.outputs:
                op.graph.prevent_feeding(output)
        if self._outer_context is not None:
            self._outer_context.AddInnerOp(op)

    def wait_for_outside(self, op: Operation, outside: list[Operation]) -> None:
        """Brings an output of each outside operation into the loop, for use as a control input."""
        with control_dependencies(None):
            self.Enter()
            inner = [gen_ops.identity(other.outputs[0]).op for other in outside if other.outputs]
            self.Exit()
        op._add_control_inputs(inner)

    def AddValue(self, val: Tensor) -> Tensor:
        name = val.name
        if val.op._control_flow_context is self or self.knows(val):
            return self._external_values.get(name, val)
        self._values.add(name)
        if self._grad_state is not None:
            context = output_context(val.op)
            if context is not None and context.GetWhileContext() is self._grad_state.forward:
                recalled = self._external_values[name] = self._grad_state.recalled(val)
                return recalled
        outer = val if self._outer_context is None else self._outer_context.AddValue(val)
        with control_dependencies(None):
            inner = enter(outer, self._name, True, self._parallel_iterations)
        inner.set_shape(outer.get_shape())
        self._take_enters([inner])
        self._values.add(inner.name)
        self._external_values[name] = inner
        return inner

    def _take_enters(self, enters: list[Tensor]) -> None:
        """Adds Enter operations to the loop. They depend on the current control inputs that are around the loop."""
        for tensor in enters:
            op = tensor.op
            op.graph.prevent_feeding(tensor)
            if self._outer_context is not None:
                self._outer_context.AddInnerOp(op)
            scopes = op.graph._scopes
            controls = scopes.controls_for([op.inputs[0].op])
            op._set_control_flow_context(self)
            op._add_control_inputs([control for control in controls if self._is_around(control)])
            scopes.note_seen(op)

    def _is_around(self, op: Operation) -> bool:
        """Returns whether an operation belongs to the innermost loop around this one, or to a branch in that loop that
        contains this one.
        """
        around, context = self._outer_context, output_context(op)
        loop = None if around is None else around.GetWhileContext()
        return is_within(around, context) and is_within(context, loop)

    def to_proto(self, export_scope: str | None = None) -> Any:
        return while_def(self, export_scope)
