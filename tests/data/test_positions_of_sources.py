"""A restored iterator of a dataset of files or another source yields what the original yields; positions of other
datasets do no harm.
"""

import csv_dataset_programs
import file_dataset_programs
import function_dataset_programs
import pytest
import source_dataset_programs
from data.raw_datasets_sources import iterator, outcome, pulls

import tinytf as tf

PROGRAMS = {
    f"{module.__name__}: {name}": program
    for module in (csv_dataset_programs, file_dataset_programs, function_dataset_programs, source_dataset_programs)
    for name, program in module.programs(tf).items()
    if isinstance(outcome(tf, program), list)
}
_MOST = 9  # elements before which positions are saved


def _restored(program, folder, count):
    """What an iterator yields that is restored at the position of another one behind `count` pulls; the text of the
    state; and what the other one yields.
    """
    with tf.Graph().as_default(), tf.Session() as session:
        dataset, types, shapes = program(tf, folder)
        first, begin, next_element = iterator(tf, dataset, types, shapes)
        second, begin_second, next_of_second = iterator(tf, dataset, types, shapes)
        position = tf.raw_ops.SerializeIterator(resource_handle=first)
        restore = tf.raw_ops.DeserializeIterator(resource_handle=second, serialized=position)
        session.run([begin, begin_second])
        pulls(tf, session, next_element, folder, count)
        session.run(restore)
        return pulls(tf, session, next_of_second, folder, 3), pulls(tf, session, next_element, folder, 3)


@pytest.mark.parametrize("name", PROGRAMS)
def test_restored_after_each_element(name, tmp_path):
    for count in range(_MOST):
        folder = tmp_path / str(count)
        folder.mkdir()
        found, wanted = _restored(PROGRAMS[name], str(folder), count)
        assert found == wanted, count


_FEW = [
    name for name in PROGRAMS if name.split(": ")[1] in {"numbers", "lines", "fixed", "fixed v2 of gzip", "records"}
]
_OTHERS = [name for name in PROGRAMS if name.split(": ")[1] in {"sparse", "random", "matching", "examples", "gzip"}]


@pytest.mark.parametrize("name", [*_FEW, *_OTHERS])
def test_position_of_another_dataset(name, tmp_path):
    """The position is refused, or the iterator goes on somewhere."""
    for i, other in enumerate([*_FEW, *_OTHERS]):
        folders = [tmp_path / f"{i}a", tmp_path / f"{i}b"]
        for folder in folders:
            folder.mkdir()
        with tf.Graph().as_default(), tf.Session() as session:
            first, begin, next_of_first = iterator(tf, *PROGRAMS[other](tf, str(folders[0])))
            second, begin_second, next_of_second = iterator(tf, *PROGRAMS[name](tf, str(folders[1])))
            position = tf.raw_ops.SerializeIterator(resource_handle=first)
            session.run([begin, begin_second])
            pulls(tf, session, next_of_first, str(folders[0]), 1)
            try:
                session.run(tf.raw_ops.DeserializeIterator(resource_handle=second, serialized=position))
            except (tf.errors.DataLossError, tf.errors.InvalidArgumentError):
                pass
            pulls(tf, session, next_of_second, str(folders[1]), 3)
