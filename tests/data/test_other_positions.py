"""An iterator that is set to the position of an iterator of another dataset fails or yields something; it never crashes,
hangs or takes much memory.
"""

import pytest
import shuffle_programs
import transform_programs
from raw_datasets_transforms import moved

import tinytf as tf

_ERRORS = ("DataLossError", "InvalidArgumentError", "UnimplementedError", "NotFoundError")
_FAMILIES = {
    "shuffle": (
        shuffle_programs,
        ("once (0", "again (0", "with epochs (0", "zip of", "joined", "shuffled", "texts", "gen"),
    ),
    "padded": (transform_programs, ("padded", "sparse")),
    "window": (transform_programs, ("window", "sliding")),
    "subsets": (transform_programs, ("shard", "sampled", "unique", "ignored", "until")),
    "batches": (transform_programs, ("rebatch", "unbatched")),
    "groups": (transform_programs, ("reduced", "grouped", "scanned", "directed")),
}


def _programs(family):
    """The programs of the family that make datasets."""
    module, starts = _FAMILIES[family]
    for name, program in module.programs(tf).items():
        if name.startswith(starts):
            outcome = module.outcome(tf, program)
            if len(outcome) != 2 or not str(outcome[0]).endswith("Error"):
                yield name, program


@pytest.mark.parametrize("family", _FAMILIES)
def test_position_of_another_dataset(family):
    programs = list(_programs(family))
    assert len(programs) > 8
    fails = 0
    for i, (_, program) in enumerate(programs):
        for step in (1, 5):
            _, other = programs[(i + step) % len(programs)]
            for found in moved(tf, program, 0, 1, 3, to=other):
                if isinstance(found, list):
                    assert found[0] in _ERRORS, found
                    fails += 1
    assert fails > 0
