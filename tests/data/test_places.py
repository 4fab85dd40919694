"""Seeds and caches of datasets that stages make iterators of, as TensorFlow 1.15.5's, also from saved positions."""

import place_programs
import pytest
import raw_datasets_transforms
from raw_datasets_transforms import moved
from recorded import recorded

import tinytf as tf

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    place_programs,
    "place_outcomes_of_1_15.json",
    helpers=(raw_datasets_transforms,),
    ways={"at once": (False,), "pending": (True,)},
)

_PROGRAMS = place_programs.programs(tf)


@pytest.mark.parametrize("name", _PROGRAMS)
def test_positions(name):
    """An iterator that is set to the position of another one yields the same elements, wherever that is."""
    for at, (here, there) in enumerate(moved(tf, _PROGRAMS[name], *range(34))):
        assert here == there, at
