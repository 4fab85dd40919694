"""The results of a replay: its values, the first difference from the record, and the origin of the first NaN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tinytf._src.framework.values import dtypes


@dataclass(frozen=True)
class Value:
    """Summary of a tensor: a digest of dtype, shape and bits, and statistics of its elements.

    Attributes:
      digest: int, equal for equal bits; 0 if there was no value.
      dtype: name of the dtype.
      shape: tuple of ints.
      nans: number of NaN elements.
      infinities: number of infinite elements.
      least: smallest finite element, None if there is none.
      greatest: largest finite element, None if there is none.
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
    """Returns a value from the core's and the file's form: digest, dtype, dimensions, NaNs, infinities, finite, least,
    greatest."""
    digest, dtype, dims, nans, infinities, finite, least, greatest = fields
    name = dtypes.as_dtype(dtype).name if dtype else ""
    bounds = (least, greatest) if finite else (None, None)
    return Value(digest, name, tuple(dims), nans, infinities, *bounds)


@dataclass(frozen=True)
class NodeDifference:
    """The first node whose outputs differ from the recorded ones.

    Attributes:
      name: name of the node.
      op: its op type.
      line: "file:line" of the program that created it, as recorded.
      recorded: recorded value of each output; empty for a variable whose value after the step differs.
      replayed: replayed value of each output; None if the node did not run.
      iterations: the enclosing loops from the inside out, as in "in iteration 3 of while/while_context"; empty outside
        loops.
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
            return f"{about}: the value of the variable after the step differs"
        pairs = zip(self.recorded, self.replayed)
        return f"{about}: " + "; ".join(
            f"output {i} was {old}, is {new}" for i, (old, new) in enumerate(pairs) if old.digest != new.digest
        )


@dataclass(frozen=True)
class NonFiniteNode:
    """The first node that yielded a NaN or an infinity.

    Attributes:
      name: name of the node: a placeholder, constant or fed node if the value was given.
      op: its op type.
      line: "file:line" of the program that created it, as recorded.
      outputs: value of each output.
      inputs: values of the inputs by tensor name.
      iterations: as in `NodeDifference`.
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
    """The result of replaying a recorded step.

    Attributes:
      fetches: fetched values by tensor name; empty if the step failed.
      first_difference: the first node whose outputs differ in any bit from the record; None if all agree.
      first_nan: the first node that yielded a NaN or an infinity; None if none did.
      error: the exception that the step raised, or None.
      recorded_error: text of the exception raised during recording, or None.
      isa: instruction set level of the kernels: "generic", "avx2" or "avx512".
      recorded_isa: the level during recording.
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
            "All nodes have the recorded outputs."
            if self.first_difference is None
            else f"The first node that differs is {self.first_difference}"
        ]
        if self.isa != self.recorded_isa:
            lines.append(
                f"Recorded with {self.recorded_isa} instructions, replayed with {self.isa}: results may differ in some bits."
            )
        if self.first_nan is not None:
            lines.append(f"The first node that is not finite is {self.first_nan}")
        if self.error is not None:
            lines.append(f"The step fails: {self.error}")
        return "\n".join(lines)

    @property
    def matches(self) -> bool:
        """Whether all outputs and final variable values have the recorded bits, and the step failed only if it failed
        before."""
        return self.first_difference is None and (self.error is None or self.recorded_error is not None)
