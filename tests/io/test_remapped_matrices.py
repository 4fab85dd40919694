"""Remapped vocabularies and checkpoint matrices with remapped rows and columns equal TensorFlow 1.15.5's, with
errors where it aborts or reads out of bounds.
"""

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops

E = tf.errors


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new").write_bytes(b"venus\njupiter\nmercury\n")
    (tmp_path / "old").write_bytes(b"mercury\nvenus\nmars\n")


def remapped(new="new", old="old", offset=0, count=3, size=-1):
    made = gen_ops.generate_vocab_remapping(new, old, new_vocab_offset=offset, num_new_vocab=count, old_vocab_size=size)
    assert made.remapping.shape == [count]
    with tf.Session() as sess:
        remapping, present = sess.run(made)
    assert (remapping.dtype, present) == (np.int64, np.sum(remapping >= 0))
    return remapping.tolist()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [1, -1, 0]),
        ({"offset": 1, "count": 2}, [-1, 0]),
        ({"offset": 3, "count": 0}, []),
        ({"size": 1}, [-1, -1, 0]),
        ({"size": 3}, [1, -1, 0]),
    ],
)
def test_words_are_found_on_other_lines(arguments, expected):
    assert remapped(**arguments) == expected


def test_a_word_may_stand_twice_in_the_new_vocabulary(tmp_path):
    (tmp_path / "twice").write_bytes(b"mars\nmars\r\nvenus")
    assert remapped("twice") == [2, 2, 1]


@pytest.mark.parametrize(
    ("content", "error", "text"),
    [
        (b"a\nb\na\n", E.FailedPreconditionError, "Key a has 0 and trying to add value 2"),
        (b"a\n\nb\n", E.InvalidArgumentError, "Invalid content in wrong: empty line found at position 3"),
        (b"", E.OutOfRangeError, "Read less bytes than requested: wrong has no lines"),
    ],
)
def test_files_that_are_no_vocabularies(tmp_path, content, error, text):
    (tmp_path / "wrong").write_bytes(content)
    with pytest.raises(error, match=text):
        remapped(old="wrong")


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"offset": 1}, E.InvalidArgumentError, "must be larger than last new vocab entry's line: new has 3 lines"),
        ({"count": 2**31 - 1}, E.InvalidArgumentError, "must be larger than last new vocab entry's line"),
        ({"offset": 2**62}, E.InvalidArgumentError, "out of range for an int32"),
        ({"size": 4}, E.InvalidArgumentError, "Invalid vocab_size in old: expected 4 but got 3"),
        ({"size": 0}, E.OutOfRangeError, "Finished reading 0 of lines from old"),
        ({"new": ""}, E.InvalidArgumentError, "new vocab filename cannot be empty"),
        ({"old": "."}, E.FailedPreconditionError, "Is a directory"),
        ({"old": "none"}, E.NotFoundError, "none; No such file"),
        ({"count": -1}, ValueError, "less than minimum 0"),
    ],
)
def test_vocabularies_that_do_not_have_what_is_asked_for(arguments, error, text):
    with pytest.raises(error, match=text):
        remapped(**arguments)


def test_vocabularies_are_read_in_steps_not_before(tmp_path):
    made = gen_ops.generate_vocab_remapping("new", "old", new_vocab_offset=0, num_new_vocab=3)
    with tf.Session() as sess:
        assert sess.run(made.num_present) == 2
        (tmp_path / "old").write_bytes(b"jupiter\nvenus\nmercury\n")
        assert sess.run(made.num_present) == 3


MATRIX = np.arange(12, dtype=np.float32).reshape(4, 3)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A checkpoint with m, its halves as p and q, and tensors that are not matrices of this kind."""
    with tf.Graph().as_default(), tf.Session() as sess:
        for name, axis in (("p", 0), ("q", 1)):
            tf.get_variable(
                name,
                [4, 4],
                initializer=lambda shape, partition_info, **_: tf.slice(
                    tf.reshape(tf.range(16.0), [4, 4]), partition_info.var_offset, shape
                ),
                partitioner=tf.fixed_size_partitioner(2, axis),
            )
        for name, value in {"m": MATRIX, "double": np.ones((2, 2)), "vector": np.ones(3, np.float32)}.items():
            tf.get_variable(name, initializer=value)
        tf.get_variable("none", initializer=np.zeros((0, 3), np.float32))
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver().save(sess, str(tmp_path_factory.mktemp("saved") / "c"), write_meta_graph=False)


def loaded(checkpoint, rows, columns, fresh, shape, name="m", most=-1):
    values = [np.array(rows, np.int64), np.array(columns, np.int64), np.array(fresh, np.float32)]
    feeds = [tf.placeholder(value.dtype) for value in values]
    made = gen_ops.load_and_remap_matrix(
        checkpoint, name, *feeds, num_rows=shape[0], num_cols=shape[1], max_rows_in_memory=most
    )
    assert made.shape == shape
    with tf.Session() as sess:
        return sess.run(made, dict(zip(feeds, values, strict=True)))


def expected(rows, columns, fresh, of=MATRIX):
    fresh = iter(fresh)
    return [[of[row, column] if row >= 0 and column >= 0 else next(fresh) for column in columns] for row in rows]


@pytest.mark.parametrize("most", [-1, 0, 1, 2, 3, 100])
@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([0, 1, 2, 3], [0, 1, 2]),
        ([3, -1, 0], [2, -1, 0]),
        ([3], [1]),
        ([-1, -7], [0, 2]),
        ([2, 0, -1, 3], [-1, -1]),
        ([], [0]),
    ],
)
def test_rows_and_columns_go_elsewhere(checkpoint, rows, columns, most):
    missing = len(rows) * len(columns) - sum(r >= 0 for r in rows) * sum(c >= 0 for c in columns)
    fresh = np.arange(missing) + 100.0
    value = loaded(checkpoint, rows, columns, fresh, [len(rows), len(columns)], most=most)
    np.testing.assert_array_equal(value, np.reshape(expected(rows, columns, fresh), value.shape))


@pytest.mark.parametrize("most", [-1, 1, 2])
@pytest.mark.parametrize("name", ["p", "q"])
def test_matrices_that_were_saved_in_pieces(checkpoint, name, most):
    whole = np.arange(16, dtype=np.float32).reshape(4, 4)
    np.testing.assert_array_equal(loaded(checkpoint, [3, 0, 2], [], [], [3, 4], name, most), whole[[3, 0, 2]])
    np.testing.assert_array_equal(loaded(checkpoint, [1, 2], [3, 0], [], [2, 2], name, most), whole[[1, 2]][:, [3, 0]])


def test_a_matrix_without_rows_has_what_is_new(checkpoint):
    assert loaded(checkpoint, [-1], [], [1, 2, 3], [1, 3], "none").tolist() == [[1, 2, 3]]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([3, -1], [], [7, 8], [2, 3]), E.InvalidArgumentError, "contained 2 elements, but more missing values remain"),
        (([3, -1], [], [1, 2, 3, 4], [2, 3]), E.InvalidArgumentError, "contained 4 elements, but only 3 elements were"),
        (([0, 1], [], [], [3, 3]), E.InvalidArgumentError, "Size of row_remapping is 2 instead of .*num_rows=3"),
        (([0], [0, 1], [], [1, 3]), E.InvalidArgumentError, "Provided col_remapping, but its size is 2 .*num_cols=3"),
        (([0], [], [], [1, 2]), E.InvalidArgumentError, r"has shape \[4,3\], where the size of its 2nd dimension is 3"),
        (([0, 0], [], [], [2, 3]), E.UnimplementedError, "Old ID 0 is mapped to both new ID 0 and 1"),
        (([0], [2, 2], [], [1, 2]), E.UnimplementedError, "Old ID 2 is mapped to both new ID 0 and 1"),
        (([4], [], [], [1, 3]), E.InternalError, "Extent in dimension 0 out of bounds"),
        (([0, 2**63 - 1], [], [], [2, 3], "m", 1), E.InternalError, "Extent in dimension 0 out of bounds"),
        (([0], [3], [], [1, 1]), E.InvalidArgumentError, "Extent in dimension 1 out of bounds"),
        (([0], [2**63 - 1], [], [1, 1]), E.InvalidArgumentError, "Extent in dimension 1 out of bounds"),
        (([0], [], [], [1, 2], "double"), E.InvalidArgumentError, "invalid type double instead of expected type float"),
        (([0], [], [], [1, 3], "vector"), E.InvalidArgumentError, r"shape \[3\] of invalid rank 1 instead of"),
        (([0], [], [], [1, 3], "other"), E.NotFoundError, "Key other not found in checkpoint"),
        (([0], [], [], [1, 3], ""), E.NotFoundError, "not found in checkpoint"),
        (([[0, 1]], [], [], [2, 3]), E.InvalidArgumentError, "row_remapping must be a vector"),
        (([0], [[0, 1, 2]], [], [1, 3]), E.InvalidArgumentError, "col_remapping must be a vector"),
    ],
)
def test_what_cannot_be_moved(checkpoint, arguments, error, text):
    with pytest.raises(error, match=text):
        loaded(checkpoint, *arguments)


def test_the_checkpoint_and_the_name_are_one_each(checkpoint):
    path, name = tf.placeholder(tf.string), tf.placeholder(tf.string)
    made = gen_ops.load_and_remap_matrix(path, name, [0], [], [], num_rows=1, num_cols=3)
    with tf.Session() as sess:
        assert sess.run(made, {path: [checkpoint], name: ["m"]}).tolist() == [[0, 1, 2]]
        with pytest.raises(E.InvalidArgumentError, match="ckpt_path should be a single string, but got"):
            sess.run(made, {path: [], name: "m"})
        with pytest.raises(E.InvalidArgumentError, match="old_tensor_name should be a single string, but got"):
            sess.run(made, {path: checkpoint, name: ["m", "p"]})
        with pytest.raises(E.NotFoundError):
            sess.run(made, {path: checkpoint + "0", name: "m"})
