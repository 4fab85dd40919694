"""Constraints of a layer on its inputs."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.nest import nest
from tinytf._src.framework.values import dtypes


class InputSpec:
    """Describes the dtype, rank and dimensions that an input of a layer must have; None means no constraint.

    Args:
      dtype: optional dtype of the input.
      shape: optional sequence of all dimensions; None in it allows any size.
      ndim: optional int, rank of the input; taken from `shape` if that is given.
      max_ndim: optional int, maximum rank.
      min_ndim: optional int, minimum rank.
      axes: optional dict from axis to the required size of that axis.

    Raises:
      TypeError: if a key of `axes` is not an integer.
      ValueError: if an axis exceeds the rank.
    """

    def __init__(
        self,
        dtype: Any = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Any = None,
    ) -> None:
        self.dtype = None if dtype is None else dtypes.as_dtype(dtype).name
        self.shape = shape
        self.ndim = ndim if shape is None else len(shape)
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        try:
            self.axes = {int(axis): size for axis, size in dict(axes or {}).items()}
        except (TypeError, ValueError):
            raise TypeError("The keys in axes must be integers.") from None
        if self.axes and (self.ndim is not None or self.max_ndim is not None):
            last = (self.ndim or self.max_ndim or 0) - 1
            if max(self.axes) > last:
                raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: {last}")

    def __repr__(self) -> str:
        given = [f"{name}={value}" for name, value in self.get_config().items() if value]
        return f"InputSpec({', '.join(given)})"

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as a dict."""
        return {name: getattr(self, name) for name in ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """Creates the spec that `get_config` described."""
        return cls(**config)


def check_specs(specs: Any) -> None:
    """Raises TypeError unless all leaves of the structure are specs or None."""
    for spec in nest.flatten(specs):
        if spec is not None and not isinstance(spec, InputSpec):
            raise TypeError(f"Layer input_spec must be an instance of InputSpec. Got: {spec}")


def check_inputs(specs: Any, inputs: Any, layer_name: str) -> None:
    """Raises ValueError unless each input satisfies the spec at its position, if there is one."""
    if not specs:
        return
    inputs, specs = nest.flatten(inputs), nest.flatten(specs)
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(inputs)} input tensors. "
            f"Inputs received: {inputs}"
        )
    for i, (tensor, spec) in enumerate(zip(inputs, specs, strict=True)):
        if spec is not None:
            wrong = _what_is_wrong(tensor, spec)
            if wrong:
                raise ValueError(f"Input {i} of layer {layer_name} is incompatible with the layer: {wrong}")
            if spec.shape is not None and not _fits(tensor.shape, spec.shape):
                raise ValueError(
                    f"Input {i} is incompatible with layer {layer_name}: expected shape={spec.shape}, "
                    f"found shape={tensor.shape}"
                )


def _what_is_wrong(tensor: Any, spec: InputSpec) -> str | None:
    rank = tensor.shape.ndims
    limits = (spec.ndim, spec.min_ndim, spec.max_ndim)
    if rank is None:
        if any(limit is not None for limit in limits):
            return "its rank is undefined, but the layer requires a defined rank."
    elif spec.ndim is not None and rank != spec.ndim:
        return f"expected ndim={spec.ndim}, found ndim={rank}. Full shape received: {tensor.shape.as_list()}"
    elif spec.max_ndim is not None and rank > spec.max_ndim:
        return f"expected max_ndim={spec.max_ndim}, found ndim={rank}"
    elif spec.min_ndim is not None and rank < spec.min_ndim:
        return f": expected min_ndim={spec.min_ndim}, found ndim={rank}. Full shape received: {tensor.shape.as_list()}"
    if spec.dtype is not None and tensor.dtype != spec.dtype:
        return f"expected dtype={spec.dtype}, found dtype={tensor.dtype}"
    if spec.axes:
        shape = tensor.shape.as_list()
        for axis, size in spec.axes.items():
            size = getattr(size, "value", size)
            if size is not None and shape[axis] not in (size, None):
                return f"expected axis {axis} of input shape to have value {size} but received input with shape {shape}"
    return None


def _fits(shape: Any, wanted: Any) -> bool:
    pairs = zip(wanted, shape.as_list(), strict=False)
    return all(one is None or other is None or one == other for one, other in pairs)
