"""Datasets of the elements that a Python generator yields."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tinytf._gen import gen_ops
from tinytf._src.data import nest, structure
from tinytf._src.data.base import Source
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.script.script_ops import numpy_function


class GeneratorDataset(Source):
    """The results of a function that is called until it raises `OutOfRangeError`, with the result of another one, which
    is called first. A third one is called last."""

    def __init__(
        self,
        init_args: Any,
        init_func: Callable[..., Any],
        next_func: Callable[..., Any],
        finalize_func: Callable[..., Any],
    ) -> None:
        spec = structure.type_spec_from_value(init_args)
        name = "Dataset.from_generator()"
        self._init_func = StructuredFunctionWrapper(init_func, name, input_structure=spec)
        state = self._init_func.output_structure
        self._next_func = StructuredFunctionWrapper(next_func, name, input_structure=state)
        self._finalize_func = StructuredFunctionWrapper(finalize_func, name, input_structure=state)
        init, following, finalize = (
            function.function for function in (self._init_func, self._next_func, self._finalize_func)
        )
        generated = gen_ops.generator_dataset(
            structure.to_tensor_list(spec, init_args) + init.captured_inputs,
            following.captured_inputs,
            finalize.captured_inputs,
            init_func=init,
            next_func=following,
            finalize_func=finalize,
            **self._flat_structure,
        )
        super().__init__(generated)

    @property
    def element_spec(self) -> Any:
        """The specification of the results."""
        return self._next_func.output_structure


class _Generators:
    """The running generators of a dataset, by number. Thread-safe."""

    def __init__(self, generator: Callable[..., Any]) -> None:
        self._generator = generator
        self._lock = threading.Lock()
        self._count = 0
        self._args: dict[int, tuple[Any, ...]] = {}  # of generators that have not started
        self._running: dict[int, Iterator[Any]] = {}

    def new(self, *args: Any) -> Any:
        """Returns the number of a new generator with these arguments."""
        with self._lock:
            number = self._count
            self._count += 1
        self._args[number] = args
        return np.array(number, dtype=np.int64)

    def next(self, number: Any) -> Any:
        """Returns the next value. StopIteration at the end."""
        running = self._running.get(number)
        if running is None:
            running = self._running[number] = iter(self._generator(*self._args.pop(number)))
        return next(running)

    def end(self, number: int) -> Any:
        """Forgets a generator, which is closed."""
        self._args.pop(number, None)
        running = self._running.pop(number, None)
        close = getattr(running, "close", None)
        if close is not None:
            close()
        return np.array(0, dtype=np.int64)


class ElementsOfGenerator:
    """Makes the dataset of what a generator yields, of given types and shapes."""

    def __init__(self, generator: Any, output_types: Any, output_shapes: Any, args: Any) -> None:
        if not callable(generator):
            raise TypeError("`generator` must be callable.")
        if output_shapes is None:
            output_shapes = nest.map_structure(lambda _: TensorShape(None), output_types)
        else:
            output_shapes = nest.map_structure_up_to(output_types, as_shape, output_shapes)
        self._args = () if args is None else tuple(convert_n_to_tensor(args, name="args"))
        self._output_types = output_types
        self._types = [dtypes.as_dtype(dtype) for dtype in nest.flatten(output_types)]
        self._shapes = nest.flatten(output_shapes)
        self._components = [_Component(dtype, shape) for dtype, shape in zip(self._types, self._shapes, strict=True)]
        self._is_nested = nest.is_nested(output_types)
        self._generators = _Generators(generator)

    def flat_map_fn(self) -> Callable[[Any], GeneratorDataset]:
        """Returns a function of a tensor, which does not matter, that returns the dataset. Each iterator runs a generator of
        its own."""

        def flat_map_fn(dummy: Any) -> GeneratorDataset:
            return self._dataset(dummy)

        return flat_map_fn

    def _dataset(self, dummy: Any) -> GeneratorDataset:

        def get_iterator_id_fn(unused: Any) -> Any:
            return numpy_function(self._generators.new, self._args, dtypes.int64)

        def generator_next_fn(number: Any) -> Any:
            following = self._next_element if self._is_nested else self._next_value
            values: Any = numpy_function(following, [number], self._types)
            for tensor, shape in zip(values, self._shapes):
                tensor.set_shape(shape)
            return nest.pack_sequence_as(self._output_types, values)

        def finalize_fn(number: Any) -> Any:
            return numpy_function(self._generators.end, [number], dtypes.int64)

        return GeneratorDataset(dummy, get_iterator_id_fn, generator_next_fn, finalize_fn)

    def _next_value(self, number: Any) -> Any:
        (component,) = self._components
        array = component.array(self._generators.next(number))
        component.check(array)
        return array

    def _next_element(self, number: Any) -> list[Any]:
        flat = self._flat(self._generators.next(number))
        arrays = [component.array(value) for component, value in zip(self._components, flat)]
        for component, array in zip(self._components, arrays):
            component.check(array)
        return arrays

    def _flat(self, values: Any) -> list[Any]:
        try:
            return nest.flatten_up_to(self._output_types, values)
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The expected structure was "
                f"{self._output_types}, but the yielded element was {values}."
            ) from None


class _Component:
    """A tensor of the elements. What each element needs is computed once."""

    def __init__(self, dtype: Any, shape: TensorShape) -> None:
        self._name = dtype.name
        self._type = dtype.as_numpy_dtype
        self._dtype = np.dtype(self._type)
        self._shape = shape
        self._dims = tuple(shape.as_list()) if shape.is_fully_defined() else None

    def array(self, value: Any) -> Any:
        """Returns the value as an array. TypeError if that cannot be."""
        try:
            return np.asarray(value, dtype=self._dtype, order="C")
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                "`generator` yielded an element that could not be converted to the expected type. The expected type "
                f"was {self._name}, but the yielded element was {value}."
            ) from None

    def check(self, array: Any) -> None:
        """TypeError or ValueError if the array does not have the dtype or the shape."""
        if array.dtype != self._dtype:
            raise TypeError(
                f"`generator` yielded an element of type {array.dtype} where an element of type {self._type} was "
                "expected."
            )
        if array.shape != self._dims and not self._shape.is_compatible_with(array.shape):
            raise ValueError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape {self._shape} was "
                "expected."
            )
