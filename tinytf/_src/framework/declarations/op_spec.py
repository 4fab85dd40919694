"""`OpSpec`: an op's declaration, in the form that graph construction needs."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from tinytf import _core
from tinytf._src.framework.declarations.snake_case import snake_case
from tinytf._src.framework.fork_lock import lock_held_over_forks


class ArgSpec(NamedTuple):
    """A declared input or output. Its type is the number `type`, or the value of attr `type_attr`; for a list, attr
    `number_attr` has the length, or `type_list_attr` the types."""

    name: str
    type: int
    type_attr: str
    number_attr: str
    type_list_attr: str
    is_ref: bool

    @property
    def is_list(self) -> bool:
        return bool(self.number_attr or self.type_list_attr)


class AttrSpec(NamedTuple):
    """A declared attr. `kind` is "type", "list(int)" and so on; values of kind "type" are type numbers."""

    name: str
    kind: str
    has_default: bool
    default: Any
    allowed_types: list[int]
    allowed_strings: list[str]
    minimum: int | None


_loading = lock_held_over_forks()


class OpSpec:
    """An op's declaration, loaded from the core at first use. Thread-safe."""

    __slots__ = (
        "name",
        "_loaded",
        "inputs",
        "outputs",
        "attrs",
        "attr_by_name",
        "inferred",
        "is_stateful",
        "may_block",
        "is_removed",
        "is_constant",
        "is_placeholder",
        "is_variable",
        "is_shape_only",
        "is_random",
        "passes_value",
        "reads_resource",
        "reads_external_state",
        "writes_external_state",
        "yields_session_handle",
        "maps_sparse",
        "calls_function",
        "runs_functions",
        "is_function",
        "derives",
        "control_flow",
        "gradient",
        "ignored_gradients",
        "has_list_input",
        "has_ref_input",
        "is_beside_references",
        "has_container",
        "doc",
        "result",
        "single_output",
        "commutative",
        "eager",
        "call_eagerly",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self._loaded = False

    def __getattr__(self, attribute: str) -> Any:
        # Called only for slots that are not set yet.
        if not self._loaded:
            with _loading:
                if not self._loaded:
                    self._load()
        return object.__getattribute__(self, attribute)

    def _load(self) -> None:
        definition = _core.op_def(self.name)
        if definition is None:
            raise RuntimeError(f"Unrecognized Op name {self.name}")
        self.inputs = [ArgSpec(*arg) for arg in definition["inputs"]]
        self.outputs = [ArgSpec(*arg) for arg in definition["outputs"]]
        self.attrs = [AttrSpec(*attr) for attr in definition["attrs"]]
        self.attr_by_name = {attr.name: attr for attr in self.attrs}
        self.inferred = {
            name for arg in self.inputs for name in (arg.type_attr, arg.number_attr, arg.type_list_attr) if name
        }
        self.is_stateful = definition["is_stateful"]
        self.commutative = definition["is_commutative"]
        self.may_block = definition["may_block"]
        self.is_removed = definition["is_removed"]  # removed from TensorFlow, so that GraphDefs must not use it
        traits = definition["traits"]  # documented in csrc/op/op_def.h
        self.is_constant = traits["constant"]
        self.is_placeholder = traits["placeholder"]
        self.is_variable = traits["variable"]
        self.is_shape_only = traits["shape_only"]
        self.is_random = traits["random"]
        self.passes_value = traits["passes_value"]
        self.reads_resource = traits["reads_resource"]
        self.reads_external_state = traits["reads_external_state"]
        self.writes_external_state = traits["writes_external_state"]
        self.yields_session_handle = traits["session_handle"]
        self.maps_sparse = traits["maps_sparse"]
        self.calls_function = traits["calls_function"]
        self.is_function = traits["function"]
        self.derives = traits["derives"]
        self.runs_functions = self.calls_function or traits["chooses"] or traits["repeats"] or self.derives
        self.control_flow = definition["control_flow"]
        self.gradient = definition["gradient"]
        self.ignored_gradients = frozenset(definition["ignored_gradients"])
        self.has_list_input = any(arg.is_list for arg in self.inputs)
        self.has_ref_input = any(arg.is_ref for arg in self.inputs)
        self.is_beside_references = self.has_ref_input and not self.has_list_input
        self.has_container = self.is_stateful and "container" in self.attr_by_name
        self.doc = definition["doc"]
        self.single_output = len(self.outputs) == 1 and not self.outputs[0].is_list
        self.result = namedtuple(self.name, [arg.name for arg in self.outputs]) if len(self.outputs) > 1 else None
        self._begin_eager()
        self._loaded = True

    def _begin_eager(self) -> None:
        """Starts with an empty cache of eager kernels."""
        self.eager = _core.EagerOp(self.name)
        references = [arg.name for arg in (*self.inputs, *self.outputs) if arg.is_ref]
        self.call_eagerly = self._refusal(references[-1]) if references else self.eager.caller()

    def _refusal(self, arg: str) -> Callable[..., NoReturn]:
        """Replaces eager calls of an op with references, which eager execution does not have."""

        def refuse(*args: Any) -> NoReturn:
            raise RuntimeError(f"{snake_case(self.name)} op does not support eager execution. Arg '{arg}' is a ref.")

        return refuse

    def __repr__(self) -> str:
        return f"<OpSpec {self.name}>"


_SPECS: dict[str, OpSpec] = {}


@functools.cache
def declared_ops() -> frozenset[str]:
    """The names of all declared ops."""
    return frozenset(_core.op_names())


def op_spec(name: str) -> OpSpec:
    """The declaration of an op, one object per name. Its first use raises RuntimeError if there is no such op."""
    spec = _SPECS.get(name)
    if spec is None:
        spec = _SPECS.setdefault(name, OpSpec(name))
    return spec


def _seeded() -> list[OpSpec]:
    return [spec for spec in list(_SPECS.values()) if spec._loaded and "seed" in spec.attr_by_name]


def forget_seeded_kernels() -> None:
    """Restarts the random sequences of eager execution, whose kernels keep their state between calls."""
    for spec in _seeded():
        spec._begin_eager()


def kept_sequences() -> int:
    """The number of evicted seeded eager kernels whose positions in their random sequences are still stored."""
    return sum(spec.eager.kept_sequences for spec in _seeded())
