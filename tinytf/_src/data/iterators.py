"""`tf.data.Iterator`: an iterator over a dataset that is a part of a graph."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.iterator_state import saveables_of
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.resources.trackable import Trackable
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.platform.deprecation import deprecated

GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that "
    "`Iterator.get_next()` is being called inside a training loop, which will cause gradual slowdown and eventual "
    "resource exhaustion. If this is the case, restructure your code to call `next_element = iterator.get_next()` once "
    "outside the loop, and use `next_element` as the input to some computation that is invoked inside the loop."
)
GLOBAL_ITERATORS = "iterators"


@tf_export("data.Iterator")
class Iterator(Trackable):
    """An iterator over the elements of a dataset, in a graph.

    Example:
      iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))
      element = iterator.get_next()
      with tf.Session() as session:
        session.run(element)  # 0, then 1, 2, then OutOfRangeError
    """

    def __init__(
        self, iterator_resource: Any, initializer: Any, output_types: Any, output_shapes: Any, output_classes: Any
    ) -> None:
        """Makes an iterator of its resource; programs call `make_one_shot_iterator` and the like instead.

        Args:
          iterator_resource: resource tensor.
          initializer: operation that starts it, or None.
          output_types: nested structure of the elements' DTypes.
          output_shapes: the same of TensorShapes.
          output_classes: the same of classes.

        Raises:
          ValueError: if one of the structures is None.
        """
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError(
                "If `structure` is not specified, all of `output_types`, `output_shapes`, and `output_classes` must be "
                "specified."
            )
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        self._element_spec = structure.convert_legacy_structure(output_types, output_shapes, output_classes)
        self._string_handle = gen_ops.iterator_to_string_handle(iterator_resource)
        self._get_next_call_count = 0
        if not executing_eagerly():
            get_default_graph().add_to_collection(GLOBAL_ITERATORS, iterator_resource)

    @staticmethod
    def from_structure(
        output_types: Any, output_shapes: Any = None, shared_name: str | None = None, output_classes: Any = None
    ) -> Iterator:
        """Makes an iterator over any dataset with such elements; `make_initializer` says which one.

        Args:
          output_types: nested structure of DTypes.
          output_shapes: the same of TensorShapes; None means any shapes.
          shared_name: str, name by which sessions share the iterator; None means that it is not shared.
          output_classes: the same of classes; None means Tensor.

        Returns:
          Iterator.

        Raises:
          TypeError, ValueError: if the structures differ.
        """
        spec = _given_structure(output_types, output_shapes, output_classes)
        name = "" if shared_name is None else shared_name
        with on_some_device():
            resource = gen_ops.iterator_v2(container="", shared_name=name, **structure.flat_structure(spec))
        return _iterator(resource, None, spec)

    @staticmethod
    def from_string_handle(
        string_handle: Any, output_types: Any, output_shapes: Any = None, output_classes: Any = None
    ) -> Iterator:
        """Makes an iterator that stands for the one whose handle is fed.

        Args:
          string_handle: scalar string Tensor; a value of `Iterator.string_handle()`.
          output_types: nested structure of DTypes.
          output_shapes: the same of TensorShapes; None means any shapes.
          output_classes: the same of classes; None means Tensor.

        Returns:
          Iterator, without initializer.

        Raises:
          TypeError, ValueError: if the structures differ.
        """
        spec = _given_structure(output_types, output_shapes, output_classes)
        string_handle = convert_to_tensor(string_handle, dtype=dtypes.string)
        with on_some_device():
            resource = gen_ops.iterator_from_string_handle_v2(string_handle, **structure.flat_structure(spec))
        return _iterator(resource, None, spec)

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator at the first element.

        Raises:
          ValueError: if there is none, for example for a one-shot iterator.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """Creates an operation that starts the iterator at the first element of a dataset.

        Args:
          dataset: `tf.data.Dataset` with elements of this iterator's structure.
          name: str, name of the operation.

        Returns:
          Operation.

        Raises:
          TypeError, ValueError: if the elements differ.
        """
        with name_scope(name, "make_initializer") as name:
            self._check_elements(dataset.element_spec)
        with colocated_with(self._iterator_resource):
            return gen_ops.make_iterator(dataset._variant_tensor, self._iterator_resource, name=name)

    def _check_elements(self, spec: Any) -> None:
        own, given = _legacy(self._element_spec), _legacy(spec)
        nest.assert_same_structure(own["types"], given["types"])
        nest.assert_same_structure(own["shapes"], given["shapes"])
        comparisons = (
            ("classes", _is_same, "Expected output classes {!r} but got dataset with output class {!r}."),
            ("types", _is_equal, "Expected output types {!r} but got dataset with output types {!r}."),
            (
                "shapes",
                _is_compatible,
                "Expected output shapes compatible with {!r} but got dataset with output shapes {!r}.",
            ),
        )
        for what, agree, message in comparisons:
            if not all(map(agree, nest.flatten(own[what]), nest.flatten(given[what]))):
                raise TypeError(message.format(own[what], given[what]))

    def get_next(self, name: str | None = None) -> Any:
        """Creates an operation that yields the next element each time it runs. Call it once, not in a loop.

        Args:
          name: str, name of the operation.

        Returns:
          Nested structure of tensors.

        Raises:
          OutOfRangeError: at run time, if there is no further element.
          FailedPreconditionError: at run time, if the iterator was not initialized.
        """
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE, stacklevel=2)
        attrs = structure.flat_structure(self._element_spec)
        tensors = gen_ops.iterator_get_next(self._iterator_resource, name=name, **attrs)
        return structure.from_tensor_list(self._element_spec, tensors)

    def string_handle(self, name: str | None = None) -> Any:
        """The handle by which `from_string_handle` finds this iterator.

        Args:
          name: str, name of a new operation that yields it; None means an existing one.

        Returns:
          Scalar string Tensor.
        """
        if name is None:
            return self._string_handle
        return gen_ops.iterator_to_string_handle(self._iterator_resource, name=name)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(iterator)`.")
    def output_classes(self) -> Any:
        """The classes of the values of an element, in its structure."""
        return structure.legacy_classes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(iterator)`.")
    def output_shapes(self) -> Any:
        """The shapes of the values of an element, in its structure."""
        return structure.legacy_shapes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(iterator)`.")
    def output_types(self) -> Any:
        """The types of the values of an element, in its structure."""
        return structure.legacy_types(self._element_spec)

    @property
    def element_spec(self) -> Any:
        """The specification of an element: a nested structure of TypeSpecs."""
        return self._element_spec

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return saveables_of(self._iterator_resource)


def _iterator(resource: Any, initializer: Any, spec: Any) -> Iterator:
    legacy = _legacy(spec)
    return Iterator(resource, initializer, legacy["types"], legacy["shapes"], legacy["classes"])


def _legacy(spec: Any) -> dict[str, Any]:
    return {
        "types": structure.legacy_types(spec),
        "shapes": structure.legacy_shapes(spec),
        "classes": structure.legacy_classes(spec),
    }


def _given_structure(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """Returns the specification of elements that programs describe."""
    types = nest.map_structure(dtypes.as_dtype, output_types)
    if output_shapes is None:
        shapes = nest.map_structure(lambda _: TensorShape(None), types)
    else:
        shapes = nest.map_structure_up_to(types, as_shape, output_shapes)
    if output_classes is None:
        output_classes = nest.map_structure(lambda _: Tensor, types)
    nest.assert_same_structure(types, shapes)
    return structure.convert_legacy_structure(types, shapes, output_classes)


def _is_same(one: Any, other: Any) -> bool:
    return one is other


def _is_equal(one: Any, other: Any) -> bool:
    return bool(one == other)


def _is_compatible(one: Any, other: Any) -> bool:
    return bool(one.is_compatible_with(other))


def on_some_device() -> AbstractContextManager[Any]:
    """Returns a context manager that places operations on the processor, unless a device was chosen already."""
    if executing_eagerly():
        return nullcontext()
    graph = get_default_graph()
    return nullcontext() if graph._scopes.open.devices else graph.device("/cpu:0")


def colocated_with(tensor: Any) -> AbstractContextManager[Any]:
    """Returns a context manager that places operations on the device of a tensor."""
    return nullcontext() if executing_eagerly() else get_default_graph().colocate_with(tensor)


def one_shot_iterator(factory: Any, spec: Any) -> Iterator:
    """Returns an iterator over the dataset whose variant the graph function `factory` returns."""
    return _iterator(gen_ops.one_shot_iterator(dataset_factory=factory, **structure.flat_structure(spec)), None, spec)


def initializable_iterator(dataset: Any, shared_name: str | None) -> Iterator:
    """Returns an iterator over a dataset whose options have been applied; it starts when its initializer runs."""
    spec = dataset.element_spec
    name = "" if shared_name is None else shared_name
    resource = gen_ops.iterator_v2(container="", shared_name=name, **structure.flat_structure(spec))
    with colocated_with(resource):
        initializer = gen_ops.make_iterator(dataset._variant_tensor, resource)
    return _iterator(resource, initializer, spec)
