"""The names of the arrays that collect the gradients of TensorArrays. Arrays of one name and handle are one in a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.handle_source import handle_source
from tinytf._src.gradients.captured import seen_from_outside

_Key = tuple[int, int]


class _Names:
    """The names that gradients built in one graph use."""

    def __init__(self) -> None:
        self.bodies: dict[int, str] = {}  # names of a function body, by the graph of the arrays, where they are unique
        self.known: dict[tuple[str, _Key], str] = {}  # by computation and array

    def note(self, computation: str, handle: Tensor, name: str) -> None:
        """Notes that an array's gradients are in the array of this name. Raises NotImplementedError if others of the
        same computation are elsewhere."""
        if self.known.setdefault((computation, _key(handle)), name) != name:
            raise NotImplementedError(
                f"The gradient of the TensorArray '{handle.op.name}' is not supported, because a function and operations "
                "outside of it use the array, or several functions. Read its elements outside of the functions, and pass "
                "these to them."
            )


_names: WeakKeyDictionary[Graph, _Names] = WeakKeyDictionary()  # by the graph in which gradients are built


def name_of_gradients(handle: Tensor, grad: Any) -> str:
    """Returns the name of the array for the gradients of an array, in the computation to which the gradient `grad`
    belongs. Computations in function bodies have their own names for arrays of other graphs.

    Raises NotImplementedError if a function has put gradients of the same computation elsewhere.
    """
    graph = get_default_graph()
    names = _names.setdefault(graph, _Names())
    origin = _origin(handle)
    name = computation = _computation(grad)
    if origin.graph is not graph:
        body = names.bodies.get(id(origin.graph))
        if body is None:
            body = names.bodies[id(origin.graph)] = origin.graph.unique_name("body")
        name = f"{body}/{computation}"
    names.note(computation, origin, name)
    return name


def names_of_inputs(graph: Graph, inputs: Sequence[Tensor]) -> dict[int, str]:
    """Returns, by the indices of a function's inputs, the names that gradients built in `graph` use for arrays whose
    handles are these inputs."""
    names = _names.get(graph)
    if names is None:
        return {}
    by_array = {array: name for (_, array), name in names.known.items()}
    keys = {i: _key(_origin(tensor)) for i, tensor in enumerate(inputs)}
    return {i: by_array[key] for i, key in keys.items() if key in by_array}


def note_call(names: dict[int, str], inputs: Sequence[Tensor], grads: Sequence[Any]) -> None:
    """Notes what the gradient of a function call does: `names` are `names_of_inputs`, `inputs` those of the call, and
    `grads` the gradients of its outputs or None.

    Raises NotImplementedError if the rest of the computation has gradients of the same arrays elsewhere.
    """
    if names:
        computation = _computation(next(grad for grad in grads if grad is not None))
        here = _names.setdefault(get_default_graph(), _Names())
        for i, name in names.items():
            here.note(computation, _origin(inputs[i]), name)


def _key(handle: Tensor) -> _Key:
    return id(handle.graph), handle._key


def _origin(handle: Tensor) -> Tensor:
    """The handle where the array was made, or where it was passed to a function as an argument."""
    while True:
        handle = seen_from_outside(handle_source(handle), ())
        if handle.op._spec.control_flow not in ("enter", "switch") and handle.op.type != "Identity":
            return handle
        handle = handle.op.inputs[0]


def _computation(grad: Any) -> str:
    """The name of the gradient computation to which a gradient belongs; each has its own arrays."""
    parts = grad.name.split("/")
    places = [i for i, part in enumerate(parts) if part.startswith("gradients")]
    if not places:
        raise ValueError(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {grad.name}. This means that a "
            "tf.gradients op with this op in its dependency path has a custom name that does not start with 'gradients'. "
            "Please make sure all calls to tf.gradients that have non-empty 'name' arguments use names that start with "
            "'gradients'."
        )
    return "/".join(parts[: places[-1] + 1])
