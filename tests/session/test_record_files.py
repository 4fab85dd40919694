"""Files of recorded steps are complete or absent; replay detects any other contents."""

import io
import json
import random
import resource
import zipfile

import numpy as np
import pytest
from record_members import members_of, rewrite

import tinytf as tf
from tinytf._src.session import replay as replay_module


def test_errors_leave_whole_files_or_none(tmp_path):
    path = tmp_path / "steps.zip"
    x = tf.placeholder(tf.float32)
    y = x + 1
    with tf.Session() as sess:
        with pytest.raises(KeyError), sess.record(path):
            sess.run(y, {x: 1.0})
            assert not path.exists()
            raise KeyError
        assert tf.replay(path).fetches == {y.name: 2}
        with sess.record(tmp_path / "other.zip"), pytest.raises(RuntimeError, match="already being recorded"):
            sess.record(path).__enter__()
        with pytest.raises(FileNotFoundError):
            sess.record(tmp_path / "none" / "steps.zip").__enter__()
        for steps in (0, -1):
            with pytest.raises(ValueError, match="steps must be at least 1"):
                sess.record(path, steps=steps).__enter__()
        (tmp_path / "folder.zip").mkdir()
        with pytest.raises(OSError), sess.record(tmp_path / "folder.zip"):
            sess.run(y, {x: 1.0})
        assert sess.run(y, {x: 3.0}) == 4
    assert sorted(file.name for file in tmp_path.iterdir()) == ["folder.zip", "other.zip", "steps.zip"]
    assert tf.replay(path).fetches == {y.name: 2}
    with pytest.raises(IndexError, match="it has 0 steps"):
        tf.replay(tmp_path / "other.zip")
    with pytest.raises(FileNotFoundError):
        tf.replay(tmp_path / "missing.zip")


def test_a_full_disk_leaves_nothing_behind(tmp_path):
    x = tf.placeholder(tf.float32)
    y = x + 1
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with tf.Session() as sess, pytest.raises(OSError, match="File too large"), sess.record(tmp_path / "steps.zip"):
        sess.run(y, {x: 1.0})
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                sess.run(y, {x: np.zeros(1 << 20)})
            with pytest.raises(OSError, match="File too large"):
                sess.run(y, {x: 1.0})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())


def test_values_without_bits_are_refused(path):
    handle = tf.get_variable("v", [], use_resource=True).handle
    elsewhere = tf.placeholder(tf.resource)
    with tf.Session() as sess, sess.record(path):
        fed = sess.run(handle)
        with pytest.raises(tf.errors.UnimplementedError, match="Values of type resource cannot be recorded"):
            sess.run(tf.identity(elsewhere), {elsewhere: fed})
    assert tf.replay(path).matches


def test_sessions_that_close_within_a_record(path):
    y = tf.constant(1.0) + 1
    sess = tf.Session()
    with sess.record(path):
        sess.run(y)
        sess.close()
    assert tf.replay(path).fetches == {y.name: 2}


def _small_record(path):
    x = tf.placeholder(tf.float32, [2], name="x")
    text = tf.placeholder(tf.string, [2], name="text")
    v = tf.Variable([1.0, 2.0], name="v")
    fetches = [v + x + tf.random_normal([2]), tf.identity(text)]
    with tf.Session() as sess:
        sess.run(v.initializer)
        with sess.record(path):
            sess.run(fetches, {x: [1, 2], text: ["a", "bc"]})
    return path.read_bytes()


def _survives(path, data):
    """Whether the file can still be replayed; otherwise checks that the error is DataLossError."""
    path.write_bytes(data)
    try:
        tf.replay(path)
    except tf.errors.DataLossError as e:
        assert str(path) in e.message
        return False
    return True


def test_truncated_files_are_told(path):
    data = _small_record(path)
    assert not any(_survives(path, data[:end]) for end in [0, 1, *range(10, len(data), 97), len(data) - 1])


def test_flipped_bits_are_told(path):
    data = _small_record(path)
    rng = random.Random(1)
    told = 0
    for _ in range(300):
        broken = bytearray(data)
        broken[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        told += not _survives(path, bytes(broken))
    assert told > 200  # the others are in parts that no reader uses, such as dates


@pytest.mark.parametrize("member", ["record.json", "steps/0.json", "graphs/0.pb", "arrays/0/feeds/0.npy"])
def test_members_that_are_whole_but_wrong_are_told(path, member):
    _small_record(path)
    members = members_of(path)
    rng = random.Random(2)
    whole = members[member]
    survived = 0
    for number in range(100):
        broken = bytearray(whole)
        if number % 3:
            broken[rng.randrange(len(whole))] = rng.randrange(256)
        else:
            del broken[rng.randrange(len(whole)) :]
        text = io.BytesIO()
        with zipfile.ZipFile(text, "w") as file:
            for name, data in members.items():
                file.writestr(name, bytes(broken) if name == member else data)
        survived += _survives(path, text.getvalue())
    assert survived < 67


def _leaves(tree):
    """(container, key) of every item in nested lists and dicts."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield tree, key
        if isinstance(value, (dict, list)):
            yield from _leaves(value)


@pytest.mark.parametrize("member", ["record.json", "steps/0.json"])
def test_descriptions_that_make_no_sense_are_told(path, member):
    _small_record(path)
    members = members_of(path)
    junk = [None, True, -1, 0, 1, 7, 2**70, 1.5, "", "x", "x:0", "v", "float32", [], [1], {}, {"a": 1}]
    rng = random.Random(3)
    count = len(list(_leaves(json.loads(members[member]))))
    told = 0
    for number in range(400):
        about = json.loads(members[member])
        container, key = list(_leaves(about))[number if number < count else rng.randrange(count)]
        container[key] = rng.choice(junk)
        rewrite(path, {**members, member: json.dumps(about)})
        try:
            str(tf.replay(path))
        except (tf.errors.DataLossError, tf.errors.UnimplementedError):
            told += 1
        except IndexError as e:
            assert "has no step 0" in str(e)
    assert told > 200


def test_dangerous_members_are_refused(path):
    _small_record(path)
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    huge = io.BytesIO()
    np.lib.format.write_array_header_1_0(huge, {"descr": "<f4", "fortran_order": False, "shape": (2**40,)})
    pickled = io.BytesIO()
    np.save(pickled, np.array([print, print], object), allow_pickle=True)
    feed = "arrays/0/feeds/0.npy"
    for broken in (
        {feed: huge.getvalue()},
        {feed: pickled.getvalue()},
        {feed: b"\x93NUMPY\x03\x00"},
        {"steps/0.json": b"[" * 100000},
        {"steps/0.json": json.dumps({**step, "graph": 1}).encode()},
        {"steps/0.json": json.dumps({**step, "feeds": [["x:0", ["arrays/0/feeds/0", "float32", [2**40]]]]}).encode()},
        {"steps/0.json": json.dumps({**step, "feeds": [["x:0", ["arrays/0/feeds/0", "resource", [2]]]]}).encode()},
        {"steps/0.json": json.dumps({**step, "fetches": ["nothing:0"]}).encode()},
        {"steps/0.json": json.dumps({**step, "variables": [["x", ["arrays/0/feeds/0", "float32", [2]]]]}).encode()},
        {"steps/0.json": json.dumps({**step, "random_states": [["x", [0] * 6]]}).encode()},
        {"record.json": members["record.json"].replace(b"tinytf", b"tiny")},
    ):
        rewrite(path, {**members, **broken})
        with pytest.raises(tf.errors.DataLossError, match="not a valid record of steps"):
            tf.replay(path)
    rewrite(path, {**members, "record.json": members["record.json"].replace(b'"version": 1', b'"version": 9')})
    with pytest.raises(tf.errors.UnimplementedError, match="version 9"):
        tf.replay(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    with pytest.raises(tf.errors.DataLossError, match="is compressed"):
        tf.replay(path)


def test_members_that_claim_too_much_are_refused(path):
    whole = _small_record(path)
    entry = whole.index(b"PK\x01\x02")  # the entry of the first member in the central directory
    for changes, text in [({8: 1}, "is encrypted"), ({23: 0x7F, 27: 0x7F}, "is larger than the file")]:
        broken = bytearray(whole)
        for place, value in changes.items():  # flags, or both sizes
            broken[entry + place] |= value
        path.write_bytes(broken)
        with pytest.raises(tf.errors.DataLossError, match=text):
            tf.replay(path)


def test_headers_that_are_nested_deeply_are_refused(path):
    _small_record(path)
    members = members_of(path)
    for nested in ("-" * 9000 + "1", "[" * 5000, "(" * 150 + ")" * 150):
        header = nested.encode() + b"\n"
        text = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        rewrite(path, {**members, "arrays/0/feeds/0.npy": text})
        with pytest.raises(tf.errors.DataLossError):
            tf.replay(path)


@pytest.mark.parametrize("error", [MemoryError, RuntimeError, AttributeError, OSError])
def test_errors_that_are_not_the_files_fault_pass(path, monkeypatch, error):
    def fail(*args, **kwargs):
        raise error("none of the file's")

    _small_record(path)
    for name in ("import_graph_def", "make_repeatable", "feed_array"):
        with monkeypatch.context() as patch, pytest.raises(error, match="none of the file's"):
            patch.setattr(replay_module, name, fail)
            tf.replay(path)
    with monkeypatch.context() as patch, pytest.raises(error, match="none of the file's"):
        patch.setattr(json, "loads", fail)
        tf.replay(path)
    with monkeypatch.context() as patch, pytest.raises(error, match="none of the file's"):
        patch.setattr(zipfile.ZipFile, "read", fail)
        tf.replay(path)
    assert tf.replay(path).matches
