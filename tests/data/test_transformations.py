"""What transformations of datasets yield, as TensorFlow 1.15.5."""

import pytest
import raw_datasets_transforms
import transform_programs
from raw_datasets_transforms import moved
from recorded import outcomes_of_1_15, recorded

import tinytf as tf

_FILE = "transform_outcomes_of_1_15.json"

test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    transform_programs,
    _FILE,
    helpers=(raw_datasets_transforms,),
    ways={"at once": (False,), "pending": (True,)},
)

_PROGRAMS = transform_programs.programs(tf)


def _stored():
    """The programs whose iterators can be made, and whose elements can be stored."""
    for name, outcome in outcomes_of_1_15(transform_programs, _FILE).items():
        fails = len(outcome) == 2 and all(isinstance(part, str) for part in outcome) and outcome[0].endswith("Error")
        if not fails and not name.startswith(("window", "scanned to its end")):  # datasets in elements; a queue
            yield name


@pytest.mark.parametrize("name", list(_stored()))
def test_positions(name):
    """An iterator that is set to the position of another one yields the same elements, wherever that is."""
    for here, there in moved(tf, _PROGRAMS[name], *range(7)):
        assert here == there
