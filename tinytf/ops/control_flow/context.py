"""`ControlFlowContext`: what operations of one branch or of one loop know of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from tinytf.framework import nest
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

__all__ = ["ControlFlowContext"]


class ControlFlowContext:
    """A branch or a loop while it is built: `Enter` makes it the default graph's, whose new operations are given to `AddOp`
    until `Exit`.

    `_values` are the names of tensors that were seen inside, `_external_values` what stands inside for those that come
    from outside.
    """

    _kinds: ClassVar[
        dict[str, type[ControlFlowContext]]
    ] = {}  # by the field of a `ControlFlowContextDef` that is for them
    _field: ClassVar[str]
    _name: str

    def __init_subclass__(cls, field: str | None = None) -> None:
        if field is not None:
            cls._kinds[field] = cls
            cls._field = field

    def __init__(self) -> None:
        self._outer_context: Any = get_default_graph()._get_control_flow_context()
        self._nested_contexts: list[ControlFlowContext] = []
        if self._outer_context is not None:
            self._outer_context._nested_contexts.append(self)
        self._told = self._who_is_told()
        self._context_stack: list[Any] = []
        self._depth = 0 if self._outer_context is None else self._outer_context._depth + 1
        self._values: set[str] = set()
        self._made: set[str] = set()  # those of `_values` that branches around know, too
        self._external_values: dict[str, Tensor] = {}

    @property
    def name(self) -> str:
        """Unique in the graph; of a loop the name of its frame."""
        return self._name

    @property
    def outer_context(self) -> Any:
        """The branch or loop around this one, or None."""
        return self._outer_context

    @property
    def grad_state(self) -> Any:
        """Of a loop that computes gradients, what it knows of the loop that it computes them of; else None."""
        loop = self.GetWhileContext()
        return None if loop is None else loop.grad_state

    @property
    def back_prop(self) -> bool:
        """Whether loops around can be differentiated."""
        loop = self.GetWhileContext()
        return loop is not None and loop.back_prop

    def Enter(self) -> None:
        """Operations that are made from now on are inside."""
        graph = get_default_graph()
        self._context_stack.append(graph._get_control_flow_context())
        graph._set_control_flow_context(self)

    def Exit(self) -> None:
        """Ends what `Enter` began."""
        get_default_graph()._set_control_flow_context(self._context_stack.pop())

    def ExitResult(self, result: Any) -> None:
        """Makes tensors, in any structure, known to the context around."""
        if self._outer_context is not None:
            for tensor in nest.flatten(result, expand_composites=True):
                self._outer_context.AddName(tensor.name)

    def AddName(self, name: str) -> None:
        """A tensor of that name is known inside."""
        self._values.add(name)

    def knows(self, val: Tensor) -> bool:
        """Whether a tensor is known inside as it is: what was brought in, and what is made here or in a branch inside."""
        if val.name in self._values:
            return True
        context = val.op._control_flow_context
        if context is None or context._depth <= self._depth or not context.IsCondContext():
            return False
        return is_within(context, self)

    def known_names(self) -> set[str]:
        """The names of tensors that are known inside."""
        names = set(self._values)
        pending = [*self._nested_contexts]
        while pending:
            context = pending.pop()
            names |= context._made
            pending += context._nested_contexts
        return names

    def AddValue(self, val: Tensor) -> Tensor:
        """What stands inside for a tensor, which may be of outside; made when it is first asked for."""
        raise NotImplementedError

    def AddOp(self, op: Operation) -> None:
        """Takes a new operation in."""
        raise NotImplementedError

    def AddInnerOp(self, op: Operation) -> None:
        """Is told of each operation that a context inside makes for itself."""
        if self._told is not None:
            self._told.AddInnerOp(op)

    def _who_is_told(self) -> Any:
        """The innermost context around this one that does more about operations inside than to pass them on; or None."""
        outer = self._outer_context
        if outer is None or type(outer).AddInnerOp is not ControlFlowContext.AddInnerOp:
            return outer
        return outer._told

    def GetWhileContext(self) -> Any:
        """The innermost loop that this is, or is in; or None."""
        return None if self._outer_context is None else self._outer_context.GetWhileContext()

    def GetControlPivot(self) -> Tensor | None:
        """What is there as often as the branch or the body of the loop runs."""
        return None

    def IsWhileContext(self) -> bool:
        """Whether it is a loop."""
        return False

    def IsCondContext(self) -> bool:
        """Whether it is a branch."""
        return False

    def IsXLAContext(self) -> bool:
        """Whether it is compiled as a whole; none is."""
        return False

    def parted_controls(self, ops: list[Operation]) -> tuple[list[Operation], list[Operation]]:
        """Operations that one inside can wait for, which are in the same loop, and the others."""
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
        """Has an operation of this context wait for those that are in no such loop, if that can be."""

    def _take_inputs(self, op: Operation) -> None:
        """Replaces what an operation takes from outside by what stands for it inside."""
        for index, tensor in enumerate(op.inputs):
            if _is_imported_back_edge(op, tensor):
                continue
            inner = self.AddValue(tensor)
            if inner is not tensor:
                op._set_input(index, inner)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The message that describes it, with names as they are in `export_scope`; None if it is outside of that."""
        raise NotImplementedError

    def to_control_flow_context_def(self, context_def: Any, export_scope: str | None = None) -> None:
        """Writes it into a `ControlFlowContextDef`."""
        getattr(context_def, self._field).CopyFrom(self.to_proto(export_scope))

    @classmethod
    def from_proto(cls, context_def: Any, import_scope: str | None = None) -> Any:
        """The context that a message describes, with those inside; the operations are in the default graph, in
        `import_scope`."""
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
    """Whether it leads from the end of a loop, all of which is imported, to its begin: then it is inside."""
    return op._spec.control_flow == "merge" and tensor.op._spec.control_flow == "next_iteration"


def output_context(op: Operation) -> Any:
    """The context that the outputs of an operation are for: of the end of a loop the one around."""
    context = op._get_control_flow_context()
    return context.outer_context if context is not None and op._spec.control_flow == "exit" else context


def recalled(context: Any, tensor: Tensor) -> Tensor | None:
    """What stands in a context of the default graph for a tensor of another graph, if that is of a loop whose gradients the
    context computes, and None otherwise."""
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
    """New operations are in a context; if that is None, where they are anyway."""
    if context is None:
        yield
        return
    context.Enter()
    try:
        yield
    finally:
        context.Exit()


def is_within(context: Any, outer: Any) -> bool:
    """Whether a context is `outer` or inside of it; all are inside of None."""
    while context is not outer:
        if context is None:
            return False
        context = context.outer_context
    return True


def is_constant_enter(op: Operation) -> bool:
    """Whether it brings a value into a loop that stays the same there."""
    return op._spec.control_flow == "enter" and bool(op._raw_attr("is_constant"))


def is_copy(op: Operation) -> bool:
    """Whether it yields its input as it is."""
    return op._spec.passes_value and op.inputs[0].dtype.base_dtype == op.outputs[0].dtype.base_dtype
