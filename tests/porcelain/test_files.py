"""`tf.gfile`, `tf.io.gfile` and `file_io` give the results and errors of TensorFlow 1.15 for local files."""

import errno
import os
import random

import pytest

import tinytf as tf
from tinytf._src.platform import file_patterns, local_path
from tinytf.python.lib.io import file_io


@pytest.mark.parametrize("name", ["gs://bucket/x", "hdfs://host/x", "s3://bucket/x"])
def test_other_schemes(name):
    scheme = name.partition(":")[0]
    for call in (tf.gfile.Exists, tf.gfile.Glob, tf.gfile.Remove, tf.gfile.Stat, lambda n: tf.gfile.GFile(n).read()):
        with pytest.raises(tf.errors.UnimplementedError) as caught:
            call(name)
        assert caught.value.message == f"File system scheme '{scheme}' not implemented (file: '{name}')"


def test_links_are_not_followed_when_folders_are_deleted(tmp_path):
    """TensorFlow deletes the contents of the folder behind the link, and then fails."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "kept").write_text("x")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "link").symlink_to(tmp_path / "other")
    (tmp_path / "top").symlink_to(tmp_path / "other")
    tf.gfile.DeleteRecursively(str(tmp_path / "d"))
    with pytest.raises(tf.errors.FailedPreconditionError, match="top; Not a directory"):
        tf.gfile.DeleteRecursively(str(tmp_path / "top"))
    assert sorted(os.listdir(tmp_path)) == ["other", "top"] and os.listdir(tmp_path / "other") == ["kept"]


def test_a_file_copied_onto_itself_stays(tmp_path):
    """TensorFlow leaves it empty."""
    (tmp_path / "a").write_text("text")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for name in "ab":
        tf.gfile.Copy(str(tmp_path / "a"), str(tmp_path / name), overwrite=True)
        assert (tmp_path / "a").read_text() == "text"


def test_errors_of_folders_that_cannot_be_listed():
    errors = []
    assert list(tf.io.gfile.walk("/no/such/folder", onerror=errors.append)) == []
    assert [type(error) for error in errors] == [tf.errors.NotFoundError]


def test_names_that_are_not_utf8_come_back(tmp_path):
    name = os.fsdecode(b"\xff.txt")
    (tmp_path / name).write_text("x")
    (found,) = tf.gfile.ListDirectory(str(tmp_path))
    (matched,) = tf.gfile.Glob(f"{tmp_path}/*.txt")
    assert tf.gfile.Open(os.path.join(tmp_path, found)).read() == tf.gfile.Open(matched).read() == "x"


def test_names_with_null_bytes(tmp_path):
    for call in (tf.gfile.Exists, tf.gfile.MakeDirs, tf.gfile.Glob, lambda n: tf.gfile.GFile(n, "w").write("x")):
        with pytest.raises(tf.errors.InvalidArgumentError, match="null byte"):
            call(f"{tmp_path}/a\0b")


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.EACCES, tf.errors.PermissionDeniedError),
        (errno.EROFS, tf.errors.PermissionDeniedError),
        (errno.ENOSPC, tf.errors.ResourceExhaustedError),
        (errno.ENOTEMPTY, tf.errors.FailedPreconditionError),
        (errno.ENAMETOOLONG, tf.errors.InvalidArgumentError),
        (errno.EXDEV, tf.errors.UnimplementedError),
        (errno.EEXIST, tf.errors.AlreadyExistsError),
        (errno.EIO, tf.errors.UnknownError),
    ],
)
def test_what_the_system_says(number, error):
    with pytest.raises(error) as caught, local_path.errors_about("a/b"):
        raise OSError(number, "other text", "c")
    assert caught.value.message == f"a/b; {os.strerror(number)}"


def test_patterns_with_many_stars_end():
    pattern = file_patterns._compiled("*a" * 100 + "b")
    assert not pattern.fullmatch("a" * 255) and pattern.fullmatch("a" * 254 + "b")


def test_half_written_files_are_not_seen(tmp_path, monkeypatch):
    """A failed write leaves neither the new content nor a temporary file."""
    path = str(tmp_path / "a")
    file_io.atomic_write_string_to_file(path, "old")
    monkeypatch.setattr(os, "rename", lambda *names: (_ for _ in ()).throw(OSError(errno.EACCES, "no")))
    with pytest.raises(tf.errors.PermissionDeniedError):
        file_io.atomic_write_string_to_file(path, "new")
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_text() == "old"


_PIECES = [
    "a",
    "b",
    "c",
    "*",
    "?",
    "[",
    "]",
    "!",
    "^",
    "-",
    "\\",
    ".",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[^-]",
    "[[:alpha:]]",
    "z",
    "1",
]


@pytest.mark.oracle
def test_random_patterns_match_as_in_tensorflow(oracle1, tmp_path):
    rng = random.Random(0)
    names = {"".join(rng.choices("abcz1-]![^\\*", k=rng.randint(1, 4))) for _ in range(150)}
    for name in names:
        (tmp_path / name).write_text("")
    patterns = ["".join(rng.choices(_PIECES, k=rng.randint(1, 6))) for _ in range(1500)]
    patterns = [
        f"{tmp_path}/{pattern}" for pattern in patterns if "-[" not in pattern
    ]  # a range that ends in a class has no meaning
    source = "result = [sorted(tf.gfile.Glob(pattern)) for pattern in patterns]"
    here = {"tf": tf, "patterns": patterns}
    exec(source, here)
    wanted = oracle1(source, patterns=patterns)
    assert [p for p, found, right in zip(patterns, here["result"], wanted, strict=True) if found != right] == []
    assert sum(map(bool, wanted)) > 300
