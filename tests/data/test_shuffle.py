"""The orders of elements that shuffles yield, as TensorFlow 1.15.5's."""

import pytest
import raw_datasets_transforms
import shuffle_programs
from raw_datasets_transforms import moved
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    shuffle_programs,
    "shuffle_outcomes_of_1_15.json",
    helpers=(raw_datasets_transforms,),
    ways={"at once": (False,), "pending": (True,)},
)

_PROGRAMS = shuffle_programs.programs(tf)
_STORED = [
    "again (42, 2147483647) 10 3",
    "with epochs (0, 1) 5 3 4",
    "with epochs (0, 1) 3 100 8",
    "with epochs (42, 2147483647) 2 7 20",
    "zip of two",
    "joined",
    "inside repeated",
    "shuffled twice",
    "epochs of shuffled",
    "texts",
    "generator, repeated",
]


@pytest.mark.parametrize("name", _STORED)
def test_positions(name):
    """An iterator that is set to the position of another one yields the same elements, wherever that is."""
    for here, there in moved(tf, _PROGRAMS[name], *range(17)):
        assert here == there
