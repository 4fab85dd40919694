"""`DatasetBase`: what all datasets have, before the methods of users."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.dataset_spec import DatasetSpec
from tinytf._src.data.options.base import merge_options
from tinytf._src.data.options.options import Options
from tinytf._src.framework.composites.composite_tensor import CompositeTensor
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.sites.call_site import creation_site


class DatasetBase(Trackable, CompositeTensor):
    """A sequence of elements, which an operation describes by its output, a variant tensor. Immutable.

    A subclass passes this tensor to the constructor and defines `element_spec` and `_inputs`; `_functions` and
    `options`, if it has any.
    """

    _own_options: Options | None = None  # Set at the first use.

    def __init__(self, variant_tensor: Any) -> None:
        self._variant_tensor_attr = variant_tensor
        self._site = creation_site(1)
        self._graph_attr = None if executing_eagerly() else get_default_graph()

    @property
    def _variant_tensor(self) -> Any:
        """The scalar variant tensor of the dataset."""
        return self._variant_tensor_attr

    @_variant_tensor.setter
    def _variant_tensor(self, _: Any) -> None:
        raise ValueError("The _variant_tensor property is read-only")

    @property
    def _graph(self) -> Any:
        """The graph in which the dataset was made; None if it was made eagerly."""
        return self._graph_attr

    @_graph.setter
    def _graph(self, _: Any) -> None:
        raise ValueError("The _graph property is read-only")

    @property
    def element_spec(self) -> Any:
        """The specification of the elements: a nested structure of TypeSpecs."""
        raise NotImplementedError("Dataset.element_spec")

    def _inputs(self) -> list[Any]:
        """The datasets of which this one is made."""
        raise NotImplementedError("Dataset._inputs")

    def _functions(self) -> list[Any]:
        """The functions that it calls, as `StructuredFunctionWrapper`s."""
        return []

    def options(self) -> Options:
        """The options of this dataset and of those it is made of.

        Returns:
          `tf.data.Options`.

        Raises:
          ValueError: if two of them have different values of an option.
        """
        if self._own_options is None:  # Many paths may lead to one dataset.
            self._own_options = merge_options(Options(), *[dataset.options() for dataset in self._inputs()])
        options: Options = merge_options(Options(), self._own_options)  # which the program may change
        return options

    def _as_serialized_graph(self, stateful_whitelist: Any = None) -> Any:
        """Returns a string tensor with the GraphDef of the dataset."""
        return gen_ops.dataset_to_graph(self._variant_tensor, stateful_whitelist=stateful_whitelist)

    @property
    def _flat_shapes(self) -> list[Any]:
        return structure.get_flat_tensor_shapes(self.element_spec)

    @property
    def _flat_types(self) -> list[Any]:
        return structure.get_flat_tensor_types(self.element_spec)

    @property
    def _flat_structure(self) -> dict[str, Any]:
        """The attrs of an operation that yields elements like those of this dataset."""
        return structure.flat_structure(self.element_spec)

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def _has_captured_ref(self) -> bool:
        """Whether a function here, or of a dataset of which this one is made, captures a reference variable."""
        if executing_eagerly():
            return False
        functions = [function for dataset in datasets_below(self) for function in dataset._functions()]
        return _depend_on_references([tensor for wrapped in functions for tensor in wrapped.function.captured_inputs])

    def __repr__(self) -> str:
        spec = self.element_spec
        shapes = str(nest.map_structure(str, structure.legacy_shapes(spec))).replace("'", "")
        types = str(nest.map_structure(repr, structure.legacy_types(spec))).replace("'", "")
        return f"<{type(self).__name__} shapes: {shapes}, types: {types}>"


def _depend_on_references(tensors: list[Any]) -> bool:
    seen: set[Operation] = set()
    pending = list(tensors)
    while pending:
        tensor = pending.pop()
        if tensor.dtype._is_ref_dtype:
            return True
        if tensor.op not in seen:
            seen.add(tensor.op)
            pending.extend(tensor.op.inputs)
    return False


def datasets_below(dataset: Any) -> Iterator[Any]:
    """Yields a dataset and those it is made of, breadth first, each once."""
    pending, seen = [dataset], {id(dataset)}
    for found in pending:
        yield found
        for below in found._inputs():
            if id(below) not in seen:
                seen.add(id(below))
                pending.append(below)


def variant_operations(dataset: Any) -> list[Operation]:
    """Returns the operations from which a dataset is computed and whose first output is a variant."""
    pending = [dataset._variant_tensor.op]
    seen = set(pending)
    for op in pending:
        for tensor in op.inputs:
            if tensor.op not in seen:
                seen.add(tensor.op)
                pending.append(tensor.op)
    return [op for op in pending if op.outputs and op.outputs[0].dtype.name == "variant"]


class Source(DatasetBase):
    """A dataset that is not made of others."""

    def _inputs(self) -> list[Any]:
        return []


class Unary(DatasetBase):
    """A dataset that is made of one other."""

    def __init__(self, input_dataset: Any, variant_tensor: Any) -> None:
        self._input_dataset = input_dataset
        super().__init__(variant_tensor)

    def _inputs(self) -> list[Any]:
        return [self._input_dataset]


class UnaryUnchanged(Unary):
    """A dataset that is made of one other, with elements of its structure."""

    @property
    def element_spec(self) -> Any:
        """The specification of the other dataset's elements."""
        return self._input_dataset.element_spec
