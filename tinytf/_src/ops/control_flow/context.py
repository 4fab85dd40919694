"""`ControlFlowContext`: the base class of the contexts of branches and loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest

__all__ = ["ControlFlowContext"]


class ControlFlowContext:
    """A branch or loop under construction. Between `Enter` and `Exit` each new operation of the default graph is passed
    to `AddOp`.

    `_values` holds the names of tensors known inside. `_external_values` maps an outside tensor to the inside tensor
    that represents it.
    """

    _kinds: ClassVar[dict[str, type[ControlFlowContext]]] = {}  # By their field in `ControlFlowContextDef`.
    _field: ClassVar[str | None] = None  # None: no message describes such contexts

    def __init_subclass__(cls, field: str | None = None) -> None:
        if field is not None:
            cls._kinds[field] = cls
            cls._field = field

    def __init__(self, name: str = "") -> None:
        """`name` is unique in the graph. Subclasses of programs may call this without it and set `_name` themselves."""
        self._name = name
        self._outer_context: Any = get_default_graph()._get_control_flow_context()
        self._nested_contexts: list[ControlFlowContext] = []
        if self._outer_context is not None:
            self._outer_context._nested_contexts.append(self)
        self._op_observer = self._find_op_observer()
        self._context_stack: list[Any] = []
        self._depth = 0 if self._outer_context is None else self._outer_context._depth + 1
        self._values: set[str] = set()
        self._made: set[str] = set()  # The subset of `_values` that enclosing branches know too.
        self._external_values: dict[str, Tensor] = {}

    @property
    def name(self) -> str:
        """The name, unique in the graph; for a loop it is the name of its frame."""
        return self._name

    @property
    def outer_context(self) -> Any:
        """The enclosing branch or loop, or None."""
        return self._outer_context

    @property
    def grad_state(self) -> Any:
        """The gradient state of the innermost loop, if that computes the gradients of another loop; otherwise None."""
        loop = self.GetWhileContext()
        return None if loop is None else loop.grad_state

    @property
    def back_prop(self) -> bool:
        """Whether the innermost loop can be differentiated."""
        loop = self.GetWhileContext()
        return loop is not None and loop.back_prop

    def Enter(self) -> None:
        """Makes this the current context: new operations belong to it."""
        graph = get_default_graph()
        self._context_stack.append(graph._get_control_flow_context())
        graph._set_control_flow_context(self)

    def Exit(self) -> None:
        """Restores the context that was current before `Enter`."""
        get_default_graph()._set_control_flow_context(self._context_stack.pop())

    def ExitResult(self, result: Any) -> None:
        """Makes the tensors of a structure known to the outer context."""
        if self._outer_context is not None:
            for tensor in nest.flatten(result, expand_composites=True):
                self._outer_context.AddName(tensor.name)

    def AddName(self, name: str) -> None:
        """Marks the tensor of that name as known inside."""
        self._values.add(name)

    def knows(self, val: Tensor) -> bool:
        """Returns whether a tensor can be used inside as it is: it was brought in, or created here or in a nested
        branch.
        """
        if val.name in self._values:
            return True
        context = val.op._control_flow_context
        if context is None or context._depth <= self._depth or not context.IsCondContext():
            return False
        return is_within(context, self)

    def known_names(self) -> set[str]:
        """Returns the names of the tensors that are known inside."""
        names = set(self._values)
        pending = [*self._nested_contexts]
        while pending:
            context = pending.pop()
            names |= context._made
            pending += context._nested_contexts
        return names

    def AddValue(self, val: Tensor) -> Tensor:
        """Returns the tensor that represents `val` inside; for an outside tensor it is created at the first call."""
        raise NotImplementedError

    def AddOp(self, op: Operation) -> None:
        """Adds a new operation to the context."""
        raise NotImplementedError

    def AddInnerOp(self, op: Operation) -> None:
        """Called for each operation that a nested context creates for itself."""
        if self._op_observer is not None:
            self._op_observer.AddInnerOp(op)

    def _find_op_observer(self) -> Any:
        """Returns the innermost enclosing context that overrides `AddInnerOp`, or None."""
        outer = self._outer_context
        if outer is None or type(outer).AddInnerOp is not ControlFlowContext.AddInnerOp:
            return outer
        return outer._op_observer

    def GetWhileContext(self) -> Any:
        """Returns the innermost loop that contains or is this context, or None."""
        return None if self._outer_context is None else self._outer_context.GetWhileContext()

    def GetControlPivot(self) -> Tensor | None:
        """Returns a tensor that is computed each time the branch or loop body runs, or None."""
        return None

    def IsWhileContext(self) -> bool:
        """Returns whether this is a loop."""
        return False

    def IsCondContext(self) -> bool:
        """Returns whether this is a branch."""
        return False

    def IsXLAContext(self) -> bool:
        """Returns whether this is compiled as a whole by XLA; always False."""
        return False

    def parted_controls(self, ops: list[Operation]) -> tuple[list[Operation], list[Operation]]:
        """Splits operations into valid control inputs, which are in the same loop, and the others."""
        loop = self.GetWhileContext()
        if loop is None:
            return ops, []
        inside: list[Operation] = []
        outside: list[Operation] = []
        for op in ops:
            context = output_context(op)
            same = context is not None and context.GetWhileContext() is loop
            (inside if same else outside).append(op)
        return inside, outside

    def wait_for_outside(self, op: Operation, outside: list[Operation]) -> None:
        """Makes an operation of this context depend on operations outside its loop, if the context supports it."""

    def _take_inputs(self, op: Operation) -> None:
        """Replaces the outside inputs of an operation by the tensors that represent them inside."""
        for index, tensor in enumerate(op.inputs):
            if _is_imported_back_edge(op, tensor):
                continue
            inner = self.AddValue(tensor)
            if inner is not tensor:
                op._set_input(index, inner)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns the proto of the context with names relative to `export_scope`, or None if it is outside of it."""
        raise NotImplementedError

    def to_control_flow_context_def(self, context_def: Any, export_scope: str | None = None) -> None:
        """Writes the context into a `ControlFlowContextDef`."""
        if self._field is None:
            raise NotImplementedError
        getattr(context_def, self._field).CopyFrom(self.to_proto(export_scope))

    @classmethod
    def from_proto(cls, context_def: Any, import_scope: str | None = None) -> Any:
        """Creates the context of a proto and its nested contexts; their operations exist in the default graph under
        `import_scope`.
        """
        context: Any = cls(context_def=context_def, import_scope=import_scope)  # type: ignore[call-arg]
        context.Enter()
        try:
            for nested in context_def.nested_contexts:
                field = nested.WhichOneof("ctxt")
                cls._kinds[field].from_proto(getattr(nested, field), import_scope)
        finally:
            context.Exit()
        return context

    def __str__(self) -> str:
        return self._name


def _is_imported_back_edge(op: Operation, tensor: Tensor) -> bool:
    """Returns whether the edge is a back edge of an imported loop; its tensor is inside already."""
    return op._spec.control_flow == "merge" and tensor.op._spec.control_flow == "next_iteration"


def output_context(op: Operation) -> Any:
    """Returns the context of an operation's outputs; for an Exit it is the context around the loop."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and op._spec.control_flow == "exit" else context


def recalled(context: Any, tensor: Tensor) -> Tensor | None:
    """Returns the tensor that represents a tensor of another graph in a context of the default graph.

    The tensor must belong to a loop whose gradients the context computes; otherwise the result is None.
    """
    loop = None if context is None else context.GetWhileContext()
    forward = None if loop is None else output_context(tensor.op)
    forward = None if forward is None else forward.GetWhileContext()
    while forward is not None and loop is not None:
        state = loop._grad_state
        if state is not None and state.forward is forward:
            with inside(loop):
                return state.recalled(tensor)
        loop = None if loop.outer_context is None else loop.outer_context.GetWhileContext()
    return None


@contextmanager
def inside(context: Any) -> Iterator[None]:
    """Context manager that makes `context` current; does nothing if it is None."""
    if context is None:
        yield
        return
    context.Enter()
    try:
        yield
    finally:
        context.Exit()


def is_within(context: Any, outer: Any) -> bool:
    """Returns whether a context is `outer` or nested in it; every context is nested in None."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer_context
    return True


def is_constant_enter(op: Operation) -> bool:
    """Returns whether an operation brings a loop invariant into a loop."""
    return op._spec.control_flow == "enter" and bool(op._raw_attr("is_constant"))


def is_copy(op: Operation) -> bool:
    """Returns whether an operation yields its input unchanged."""
    return op._spec.passes_value and op.inputs[0].dtype.base_dtype == op.outputs[0].dtype.base_dtype
