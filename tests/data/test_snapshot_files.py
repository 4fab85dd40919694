"""Files of snapshots: those that TensorFlow wrote, damaged ones, and what processes leave that end, fork or find the
disk full.
"""

import errno
import gzip
import os
import signal

import pytest
import snapshots
from raw_datasets_parallel import Pull, all_pulls, count_up, failing_at, numbers
from recorded import outcomes_of_1_15

import tinytf as tf
from tinytf.python.data.experimental.ops import batching
from tinytf.python.data.experimental.ops import snapshot as module

_END = "OutOfRangeError: End of sequence"
_CHILD_SECONDS = 60


@pytest.fixture(autouse=True)
def _graph():
    with tf.Graph().as_default():
        yield


def _dataset(path, count=3, **options):
    return snapshots.snapshot(tf, count_up(tf, count), str(path), **options)


def _outcomes(path, count=3, **options):
    """The elements up to the end."""
    with tf.Graph().as_default():
        return all_pulls(tf, _dataset(path, count, **options), numbers(tf), after_end=0)


def _file(path, name="00000000.snapshot"):
    [found] = path.rglob(name)
    return found


def _metadata(graph, run, final=True):
    message = b"\n\x10" + graph.encode() + b"\x12" + bytes([len(run)]) + run + b"\x18\x01" + b"\xc0>\x01" * final
    return bytes([len(message)]) + bytes(7) + message


def _written(path, count=3, **options):
    """Writes a snapshot. Returns the metadata's file and the first file of elements."""
    assert _outcomes(path, count, **options) == [*range(count), _END]
    return _file(path, "snapshot.metadata"), _file(path)


# -- Files of TensorFlow -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["written and read", "compressed"])
def test_what_tensorflow_wrote_is_read(tmp_path, name):
    files = outcomes_of_1_15(snapshots, "snapshots.json")[name][1]
    elements, metadata = files
    below, _, content = elements.partition(": ")
    graph = below.partition("/")[0]
    assert metadata == f"{graph}/snapshot.metadata: final"
    file = tmp_path / below
    file.parent.mkdir(parents=True)
    compressed = name == "compressed"
    bytes_of = gzip.compress if compressed else bytes
    file.write_bytes(bytes_of(content.encode("latin-1")))
    (tmp_path / graph / "snapshot.metadata").write_bytes(_metadata(graph, b"RUN"))
    count = 40 if compressed else 3
    assert _outcomes(tmp_path, count, compression="GZIP" if compressed else "") == [*range(count), _END]
    assert len(list(tmp_path.rglob("*"))) == 4  # Nothing was written.


def test_other_modules_of_the_path():
    assert module.COMPRESSION_GZIP == "GZIP"
    assert module.COMPRESSION_NONE is None
    assert batching.unbatch is tf.data.experimental.unbatch
    assert module is tf.python.data.experimental.ops.snapshot


# -- Graphs ------------------------------------------------------------------------------------------------------------


def test_pipelines_whose_functions_have_nodes_of_equal_names(tmp_path):
    """TensorFlow 1.15.5 takes the second pipeline for the first one."""

    def first_of(number):
        dataset = tf.data.Dataset.range(3).map(lambda x: x + 1).map(lambda x: x + number)
        iterator = tf.data.make_initializable_iterator(dataset.apply(module.snapshot(str(tmp_path))))
        following = iterator.get_next()
        with tf.Session() as session:
            session.run(iterator.initializer)
            return [int(session.run(following)) for _ in range(3)]

    assert first_of(2) == [3, 4, 5]
    assert first_of(5) == [6, 7, 8]
    assert first_of(2) == [3, 4, 5]
    assert len(list(tmp_path.iterdir())) == 2


def test_pipelines_that_have_no_graph(tmp_path):
    dataset = tf.raw_ops.NonSerializableDataset(input_dataset=count_up(tf, 3), **numbers(tf))
    outcome = all_pulls(tf, snapshots.snapshot(tf, dataset, str(tmp_path)), numbers(tf))
    assert outcome.startswith("UnimplementedError: ")
    assert not list(tmp_path.iterdir())


# -- Damaged files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_files_that_are_cut(tmp_path, compression):
    for file in _written(tmp_path, compression=compression):
        whole = file.read_bytes()
        is_metadata = file.suffix == ".metadata"
        for size in range(len(whole)):
            file.write_bytes(whole[:size])
            outcomes = _outcomes(tmp_path, compression=compression)
            complete = not compression and not is_metadata and size % 24 == 0  # A record has 24 bytes.
            assert any("DataLossError" in str(outcome) for outcome in outcomes) is not complete, (size, outcomes)
        file.write_bytes(whole)


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_files_with_other_bytes(tmp_path, compression):
    for file in _written(tmp_path, compression=compression):
        whole = file.read_bytes()
        for at in range(len(whole)):
            for change in (1, 0x80, 0xFF):
                file.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
                with tf.Graph().as_default():
                    outcomes = all_pulls(tf, _dataset(tmp_path, compression=compression), numbers(tf), most=8)
                assert all(isinstance(outcome, int) or "Error: " in outcome for outcome in outcomes)
        file.write_bytes(whole)
    assert _outcomes(tmp_path, compression=compression) == [0, 1, 2, _END]


def test_elements_of_another_type(tmp_path):
    _, file = _written(tmp_path)
    float_record = b"\x0c" + bytes(7) + b"\n\x0a\x08\x01\x12\x00\x22\x04" + bytes(4)
    file.write_bytes(file.read_bytes()[:24] + float_record)
    found, error = _outcomes(tmp_path)[:2]
    assert found == 0
    assert error == "InvalidArgumentError: Data type mismatch at component 0: expected int64 but got float."


def test_errors_name_what_is_damaged(tmp_path):
    metadata, file = _written(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:30])
    assert f"DataLossError: The snapshot's file {file} ends within a record" in _outcomes(tmp_path)
    file.write_bytes(whole)
    metadata.write_bytes(_metadata("0" * 16, b"../../etc"))
    expected = f"The snapshot's file {metadata} is damaged. Delete its folder to write a new snapshot."
    assert all_pulls(tf, _dataset(tmp_path), numbers(tf), most=1) == [f"DataLossError: {expected}"]


# -- Errors of the input -----------------------------------------------------------------------------------------------


def test_a_pipeline_with_an_error_is_not_kept(tmp_path):
    dataset = snapshots.snapshot(tf, failing_at(tf, count_up(tf, 4), [1]), str(tmp_path))
    expected = [0, "InvalidArgumentError: assertion failed: [chosen to fail]", 2, 3, _END, _END]
    for _ in range(2):
        assert all_pulls(tf, dataset, numbers(tf)) == expected
    assert "begun" in str(snapshots.files(tmp_path))


# -- Processes ---------------------------------------------------------------------------------------------------------


def _ends_at(hooks, number, path):
    """Writes a snapshot in a child that exits at the file change with this number; returns whether it was reached."""
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 9)
        return status == 9
    changes = iter(range(number, -1, -1))

    def watch(change, path, size):
        left = next(changes)
        if left == 0:
            os._exit(9)
        return size // 2 if left == 1 and size > 1 else None

    try:
        signal.alarm(_CHILD_SECONDS)
        hooks.watch_file_changes(watch)
        os._exit(0 if _outcomes(path, 9, num_writer_threads=2) == [*range(9), _END] else 1)
    finally:
        os._exit(1)


def test_processes_that_end_while_they_write(tmp_path, hooks):
    number = 0
    while _ends_at(hooks, number, tmp_path / str(number)):
        assert _outcomes(tmp_path / str(number), 9, num_reader_threads=2) == [*range(9), _END]
        number += 1
    assert number > 8


def _fails_at(hooks, number, path):
    """The outcomes if the file change with this number finds the disk full; whether it was reached."""
    changes = iter(range(number, -1, -1))
    reached = []

    def watch(change, path, size):
        if change != "delete" and next(changes, None) == 0:
            reached.append(change)
            raise OSError(errno.ENOSPC, "full")

    hooks.watch_file_changes(watch)
    try:
        return _outcomes(path, 9), bool(reached)
    finally:
        hooks.watch_file_changes(None)


def test_full_disks(tmp_path, hooks):
    """One pull fails; the other ones yield all elements, and so does the next iteration."""
    number, reached = 0, True
    while reached:
        path = tmp_path / str(number)
        outcomes, reached = _fails_at(hooks, number, path)
        failed = [outcome for outcome in outcomes if "No space left on device" in str(outcome)]
        assert len(failed) == reached
        assert [outcome for outcome in outcomes if outcome not in failed] == [*range(9), _END]
        assert not [file for file in path.rglob("*") if "tempstate" in file.name]
        assert _outcomes(path, 9) == [*range(9), _END]
        number += 1
    assert number > 8


def test_a_child_leaves_the_files_to_its_parent(tmp_path):
    pull = Pull(tf, _dataset(tmp_path, 9), numbers(tf))
    with tf.Session() as session:
        session.run(pull.start)
        assert pull.outcomes(session, 4) == [0, 1, 2, 3]
        child = os.fork()
        if child == 0:
            signal.alarm(_CHILD_SECONDS)
            os._exit(0 if pull.outcomes(session, 6) == [4, 5, 6, 7, 8, _END] else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert "begun" in str(snapshots.files(tmp_path))
        assert pull.outcomes(session, 6) == [4, 5, 6, 7, 8, _END]
    assert "final" in str(snapshots.files(tmp_path))
    assert _outcomes(tmp_path, 9) == [*range(9), _END]


# -- Positions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_positions(tmp_path, threads, kept):
    """While a snapshot is written, the second iterator passes elements on; once it is complete, it reads."""
    options = {"num_writer_threads": 3 if kept else threads, "num_reader_threads": threads}
    for at in range(9):
        path = tmp_path / str(at)
        if kept:
            _outcomes(path, 8, **options)
        expected = _outcomes(path, 8, **options) if kept else [*range(8), _END]
        with tf.Graph().as_default():
            dataset = _dataset(path, 8, **options)
            first, second = Pull(tf, dataset, numbers(tf), "first"), Pull(tf, dataset, numbers(tf), "second")
            move = first.move_to(second)
            with tf.Session() as session:
                session.run([first.start, second.start])
                assert first.outcomes(session, at) == expected[:at]
                session.run(move)
                assert second.outcomes(session, 9 - at) == expected[at:]
                assert first.outcomes(session, 9 - at) == expected[at:]
        assert "final" in str(snapshots.files(path))
