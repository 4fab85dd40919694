"""`copy_to_device`: elements that are computed on one device and copied to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.dataset import UnaryUnchangedStructureDataset
from tinytf._src.data.functions import DatasetFunction
from tinytf._src.data.iterators import Iterator
from tinytf._src.data.options.options import Options
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.scopes.name_scope import control_dependencies, device
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes

_HANDLE = [TensorSpec([], dtypes.string)]


@tf_export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: str, buffer_size: Any = None) -> Callable[[Any], Any]:
    """Makes elements ready on a device before they are asked for. Must be the last transformation.

    Args:
      device: str, name of the device.
      buffer_size: int or int64 tensor, how many elements; None means AUTOTUNE.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        return dataset.apply(copy_to_device(target_device=device)).prefetch(buffer_size)

    return transformation


@tf_export("data.experimental.copy_to_device")
def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Callable[[Any], Any]:
    """Copies elements to a device.

    Args:
      target_device: str, name of the device.
      source_device: str, name of the device on which the elements are computed.

    Returns:
      Function for `tf.data.Dataset.apply`.
    """

    def transformation(dataset: Any) -> Any:
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        return _CopyToDeviceDataset(dataset, target_device, source_device).with_options(options)

    return transformation


class _CopyToDeviceDataset(UnaryUnchangedStructureDataset):
    """The elements of an iterator on the source device, on which three functions run remotely: the first starts the
    iterator, the second yields an element, the third ends the iterator."""

    def __init__(self, input_dataset: Any, target_device: str, source_device: str) -> None:
        self._input_dataset = input_dataset
        self._source_name = source_device
        self._source = convert_to_tensor(source_device)
        functions = [self._start(), self._next(), self._end()]
        with device(target_device):
            named: dict[str, Any] = dict(zip(("init_func", "next_func", "finalize_func"), functions))
            arguments: Any = [function.captured_inputs for function in functions]
            copies = gen_ops.generator_dataset(*arguments, **{**named, **input_dataset._flat_structure})
        super().__init__(input_dataset, copies)

    def _start(self) -> DatasetFunction:
        attrs = self._input_dataset._flat_structure
        wrapped = gen_ops.wrap_dataset_variant(self._input_dataset._variant_tensor)

        def start() -> Any:
            variant = gen_ops.unwrap_dataset_variant(wrapped)
            resource = gen_ops.anonymous_iterator(**attrs)
            with control_dependencies([gen_ops.make_iterator(variant, resource)]):
                return gen_ops.iterator_to_string_handle(resource)

        return self._remote("init_func", start, [], [dtypes.string])

    def _next(self) -> DatasetFunction:
        spec = self.element_spec
        types, shapes = structure.legacy_types(spec), structure.legacy_shapes(spec)
        classes = structure.legacy_classes(spec)

        def following(handle: Any) -> Any:
            with device(self._source_name):
                iterator = Iterator.from_string_handle(handle, types, shapes, classes)
            return structure.to_tensor_list(spec, iterator.get_next())

        return self._remote("next_func", following, _HANDLE, self._input_dataset._flat_types)

    def _end(self) -> DatasetFunction:
        attrs = self._input_dataset._flat_structure

        def end(handle: Any) -> Any:
            resource = gen_ops.iterator_from_string_handle_v2(handle, **attrs)
            with control_dependencies([gen_ops.destroy_resource_op(resource, ignore_lookup_error=True)]):
                return constant(0, dtypes.int64)

        return self._remote("finalize_func", end, _HANDLE, [dtypes.int64])

    def _remote(
        self, name: str, function: Callable[..., Any], specs: list[TensorSpec], types: list[Any]
    ) -> DatasetFunction:
        """Returns a function that calls the given one on the source device; both are traced under this name."""
        local = DatasetFunction(function, f"_{name}", specs, _handle_name)

        def call(*args: Any) -> Any:
            return gen_ops.remote_call(self._source, [*args, *local.captured_inputs], Tout=types, f=local)

        remote = DatasetFunction(call, f"_remote_{name}", specs, _handle_name)
        remote.add_to_graph()
        return remote


def _handle_name(place: int) -> str:
    return "string_handle"
