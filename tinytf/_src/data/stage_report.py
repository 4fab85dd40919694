"""`StageReport`: what one stage of an input pipeline has done."""

from __future__ import annotations

from collections.abc import Iterator as Iteration
from dataclasses import dataclass


@dataclass(frozen=True)
class StageReport:
    """A stage of an input pipeline: what the iterators of one dataset have done since the pipeline is measured.

    Attributes:
      kind: str, the op of the dataset, such as "MapDataset".
      line: str, "FILE:LINE", where the program made the dataset; '' if that is unknown.
      elements: int, the elements that it has yielded.
      own_seconds: float, the time for which it worked, without the stages before it, on all threads together.
      waited_seconds: float, the time from requests for its elements to the elements: how long its consumer waited.
      held: int, elements that it has made ahead or keeps.
      most_held: int, how many it keeps at most; 0 if there is no limit, or if it keeps none.
      held_bytes: int, the size of the elements that it keeps, by their mean size.
      parallelism: int, how many calls of its function, or datasets, it may work on at a time; 0 if that does not apply.
      calls: int, calls of its functions that run now.
      calls_seconds: float, for how long the last of them has run.
      inputs: tuple of the stages whose elements it takes.
    """

    kind: str
    line: str
    elements: int
    own_seconds: float
    waited_seconds: float
    held: int
    most_held: int
    held_bytes: int
    parallelism: int
    calls: int
    calls_seconds: float
    inputs: tuple[StageReport, ...]

    def stages(self, depth: int = 0) -> Iteration[tuple[int, StageReport]]:
        """Yields pairs (depth, stage): this stage, with depth 0, and those before it."""
        yield depth, self
        for stage in self.inputs:
            yield from stage.stages(depth + 1)
