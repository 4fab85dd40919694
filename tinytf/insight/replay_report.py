"""What a replay found: its values, where they differ from the record, where the first NaN comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tinytf.framework import dtypes


@dataclass(frozen=True)
class Value:
    """A tensor without its elements: a digest of type, shape and bits, and what is in it.

    Attributes:
      digest: equal for equal bits; 0 if there was no value.
      dtype: name of the type.
      shape: the sizes.
      nans: how many elements are NaN.
      infinities: how many are infinite.
      least: of the finite elements, None if there are none.
      greatest: the same.
    """

    digest: int
    dtype: str
    shape: tuple[int, ...]
    nans: int
    infinities: int
    least: float | None
    greatest: float | None

    @property
    def is_finite(self) -> bool:
        """Whether there is no NaN and no infinity."""
        return self.nans == 0 and self.infinities == 0

    def __str__(self) -> str:
        if self.digest == 0:
            return "no value"
        parts = []
        if self.least is not None and self.greatest is not None:
            all_equal = self.least == self.greatest
            parts.append(f"all {self.least:g}" if all_equal else f"in [{self.least:g}, {self.greatest:g}]")
        parts += [f"{count} {what}" for count, what in ((self.nans, "NaN"), (self.infinities, "Inf")) if count]
        return f"{self.dtype}{list(self.shape)} {' and '.join(parts)}".rstrip() + f" (digest {self.digest:016x})"


def value_of(fields: Sequence[Any]) -> Value:
    """A value as the core and files tell it: digest, dtype, dimensions, NaNs, infinities, finite, least, greatest."""
    digest, dtype, dims, nans, infinities, finite, least, greatest = fields
    name = dtypes.as_dtype(dtype).name if dtype else ""
    bounds = (least, greatest) if finite else (None, None)
    return Value(digest, name, tuple(dims), nans, infinities, *bounds)


@dataclass(frozen=True)
class NodeDifference:
    """The first node that did not yield what was recorded.

    Attributes:
      name: of the node.
      op: its type.
      line: "file:line" of the program that made it, as recorded.
      recorded: what each of its outputs was; of a variable whose value after the step differs, nothing.
      replayed: what it is now; None if the node did not run.
      iterations: of the loops that it ran in: "in iteration 3 of while/while_context", from the inside out; else empty.
    """

    name: str
    op: str
    line: str
    recorded: tuple[Value, ...]
    replayed: tuple[Value, ...] | None
    iterations: str = ""

    def __str__(self) -> str:
        about = f"'{self.name}' ({self.op}, defined at {self.line}) {self.iterations}".rstrip()
        if self.replayed is None:
            return f"{about} did not run"
        if not self.recorded:
            return f"{about}: the variable's value after the step differs"
        pairs = zip(self.recorded, self.replayed)
        return f"{about}: " + "; ".join(
            f"output {i} was {old}, is {new}" for i, (old, new) in enumerate(pairs) if old.digest != new.digest
        )


@dataclass(frozen=True)
class NonFiniteNode:
    """The first node that yielded a NaN or an infinity.

    Attributes:
      name: of the node; of a placeholder, constant or fed node if the value was given.
      op: its type.
      line: "file:line" of the program that made it, as recorded.
      outputs: what it yielded.
      inputs: by name, what it was given.
      iterations: as of `NodeDifference`.
    """

    name: str
    op: str
    line: str
    outputs: tuple[Value, ...]
    inputs: Mapping[str, Value]
    iterations: str = ""

    def __str__(self) -> str:
        given = "".join(f"\n  input {name}: {value}" for name, value in self.inputs.items())
        yielded = "".join(f"\n  output {i}: {value}" for i, value in enumerate(self.outputs))
        about = f"'{self.name}' ({self.op}, defined at {self.line}) {self.iterations}".rstrip()
        return f"{about}{given}{yielded}"


@dataclass(frozen=True)
class Replay:
    """A step that was run again.

    Attributes:
      fetches: the values that the step gave, by name of the tensor; empty if it failed.
      first_difference: the first node whose outputs have other bits than recorded; None if all have the same.
      first_nan: the first node that yielded a NaN or an infinity, None if none did.
      error: what the step raised, None if nothing.
      recorded_error: what it raised when it was recorded, as text.
      isa: level of instructions that kernels used: "generic", "avx2", "avx512".
      recorded_isa: the same, when it was recorded.
    """

    fetches: Mapping[str, Any]
    first_difference: NodeDifference | None
    first_nan: NonFiniteNode | None
    error: Exception | None
    recorded_error: str | None
    isa: str
    recorded_isa: str

    def __str__(self) -> str:
        lines = [
            "Every node yields what was recorded."
            if self.first_difference is None
            else f"The first node that differs is {self.first_difference}"
        ]
        if self.isa != self.recorded_isa:
            lines.append(f"Recorded with {self.recorded_isa} instructions, replayed with {self.isa}: bits may differ.")
        if self.first_nan is not None:
            lines.append(f"The first node that is not finite is {self.first_nan}")
        if self.error is not None:
            lines.append(f"The step fails: {self.error}")
        return "\n".join(lines)

    @property
    def matches(self) -> bool:
        """Whether every node yielded the bits that were recorded, variables ended with the values that they had, and
        the step did not fail where it had not."""
        return self.first_difference is None and (self.error is None or self.recorded_error is not None)
