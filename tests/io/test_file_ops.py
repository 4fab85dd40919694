"""ReadFile, WriteFile, MatchingFiles, ShardedFilename and ShardedFilespec work, with the error messages of
TensorFlow 1.15.5.
"""

import os

import pytest

import tinytf as tf


def run(op, *values):
    """The output of an op for fed values."""
    with tf.Graph().as_default(), tf.Session() as sess:
        fed = [tf.placeholder(tf.string) for _ in values]
        return sess.run(op(*fed), dict(zip(fed, values, strict=True)))


def test_files_are_written_and_read(tmp_path):
    name = str(tmp_path / "new/folder/file")
    run(tf.io.write_file, name, b"\x00\xff text")
    assert run(tf.io.read_file, name) == b"\x00\xff text"
    run(tf.write_file, "file://" + name, b"")
    assert run(tf.read_file, name) == b""


def test_files_are_read_in_each_step(tmp_path):
    path = tmp_path / "file"
    with tf.Graph().as_default(), tf.Session() as sess:
        read = tf.read_file(str(path))
        joined = tf.string_join([read, "!"])
        for text in ("a", "bb"):
            path.write_text(text)
            assert sess.run([read, joined]) == [text.encode(), text.encode() + b"!"]


def test_what_cannot_be_read_or_written(tmp_path):
    folder, none = str(tmp_path), str(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(tf.errors.NotFoundError) as raised:
        run(tf.read_file, none)
    assert raised.value.message.startswith(f"{none}; No such file or directory")
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.read_file, folder)
    with pytest.raises(tf.errors.FailedPreconditionError, match="Is a directory"):
        run(tf.write_file, folder, "x")
    with pytest.raises(tf.errors.FailedPreconditionError, match="Not a directory"):
        run(tf.write_file, folder + "/file/x", "x")
    with pytest.raises(tf.errors.UnimplementedError, match="File system scheme 's3' not implemented"):
        run(tf.read_file, "s3://a/b")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input filename tensor must be scalar"):
        run(tf.read_file, [none])


def test_files_that_match(tmp_path):
    for name in ("b", "a1", "a2", ".hidden", "sub/a3"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    def matching(*patterns):
        found = run(tf.io.matching_files, [f"{tmp_path}/{pattern}" for pattern in patterns])
        return [os.path.relpath(name.decode(), tmp_path) for name in found]

    assert matching("*") == [".hidden", "a1", "a2", "b", "sub"]
    assert matching("b", "a?") == ["a1", "a2", "b"]
    assert matching("*/*") == ["sub/a3"]
    assert matching("none*") == []
    assert run(tf.matching_files, str(tmp_path / "b")).tolist() == [str(tmp_path / "b").encode()]
    with pytest.raises(tf.errors.NotFoundError, match="none; No such file or directory"):
        matching("none/a*")


def test_names_of_shards():
    with tf.Graph().as_default(), tf.Session() as sess:
        raw = tf.raw_ops
        names = [raw.ShardedFilename(basename="m", shard=s, num_shards=n) for s, n in ((1, 2), (-1, 2), (100000, 7))]
        assert sess.run(names) == [b"m-00001-of-00002", b"m--0001-of-00002", b"m-100000-of-00007"]
        assert sess.run(raw.ShardedFilespec(basename="m", num_shards=3)) == b"m-?????-of-00003"
        basename = tf.placeholder(tf.string)
        with pytest.raises(tf.errors.InvalidArgumentError, match="basename must be a scalar"):
            sess.run(raw.ShardedFilespec(basename=basename, num_shards=3), {basename: ["a", "b"]})
