"""`tf.python_io`: intact, damaged and hostile record files."""

import struct
import tracemalloc
import zlib

import numpy as np
import pytest

import tinytf as tf
from tinytf import _core

_COUNT = 300  # number of damaged files


def _checksum(data):
    """The masked checksum of a record."""
    crc = _core.crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def test_the_bytes(tmp_path):
    with tf.python_io.TFRecordWriter(str(tmp_path / "a")) as writer:
        writer.write(b"abc")
    assert (tmp_path / "a").read_bytes() == b"\3\0\0\0\0\0\0\0\xb0\x99\x49\x0eabc\x6e\x57\xf1\x21"
    assert _checksum(b"abc") == b"\x6e\x57\xf1\x21"


@pytest.mark.parametrize("kind", ["", "ZLIB", "GZIP"])
def test_many_and_large_records(tmp_path, kind):
    records = [np.random.default_rng(n).bytes(n * n) for n in range(50)] + [b"", bytes(5_000_000), b"last"]
    path = str(tmp_path / "a")
    with tf.python_io.TFRecordWriter(path, kind) as writer:
        for record in records:
            writer.write(record)
    assert list(tf.python_io.tf_record_iterator(path, kind)) == records


@pytest.mark.parametrize("kind", ["", "ZLIB", "GZIP"])
@pytest.mark.parametrize("length", [10**12, 2**63, 2**64 - 5, 2**64 - 1])
def test_no_memory_is_taken_for_a_length_alone(tmp_path, length, kind):
    head = struct.pack("<Q", length)
    data = head + _checksum(head) + b"x" * 100
    if kind:
        compressor = zlib.compressobj(wbits=31 if kind == "GZIP" else 15)
        data = compressor.compress(data) + compressor.flush()
    path = tmp_path / "a"
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(tf.errors.DataLossError, match="truncated record at 0|record size too large"):
        list(tf.python_io.tf_record_iterator(str(path), kind))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


def test_options_that_zlib_does_not_know(tmp_path):
    """Invalid zlib options are errors, whereas TensorFlow crashes."""
    options = tf.python_io.TFRecordOptions("ZLIB", mem_level=20)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid initialization option"):
        tf.python_io.TFRecordWriter(str(tmp_path / "a"), options)
    assert not list(tmp_path.iterdir())


def _framed(record, length=None):
    head = struct.pack("<Q", len(record) if length is None else length)
    return head + _checksum(head) + record + _checksum(record)


def _damaged(number):
    """A record file with up to three changes; some change lengths together with a matching checksum."""
    rng = np.random.default_rng(number)
    lengths = rng.integers(0, 60, rng.integers(1, 5))
    framed = [_framed(rng.bytes(int(n))) for n in lengths]
    if rng.random() < 0.3:
        i = int(rng.integers(len(framed)))
        framed[i] = _framed(framed[i][12:-4], int(rng.integers(0, 1000)))
    data = bytearray(b"".join(framed))
    for _ in range(int(rng.integers(0, 3))):
        at = int(rng.integers(len(data) + 1))
        change = rng.integers(4)
        if change == 0 and at < len(data):
            data[at] ^= 1 << int(rng.integers(8))
        elif change == 1:
            del data[at:]
        elif change == 2:
            data[at:at] = rng.bytes(int(rng.integers(1, 20)))
        else:
            del data[at : at + int(rng.integers(1, 20))]
    return bytes(data)


_READ_ALL = """
import os
def read_all(path, files):
    found = []
    for data in files:
        with open(path, "wb") as file:
            file.write(data)
        records, problem = [], ""
        try:
            for record in tf.python_io.tf_record_iterator(path):
                records.append(record)
        except tf.errors.OpError as error:
            problem = "%s: %s" % (type(error).__name__, error)
        found.append((records, problem))
    os.remove(path)
    return found
"""


@pytest.mark.oracle
def test_damaged_files_are_read_as_in_tensorflow(oracle1, tmp_path):
    files = [_damaged(number) for number in range(_COUNT)]
    here = {"tf": tf}
    exec(_READ_ALL, here)
    found = here["read_all"](str(tmp_path / "a"), files)
    wanted = oracle1(_READ_ALL + "result = read_all(path, files)", path=str(tmp_path / "b"), files=files)
    assert [i for i in range(_COUNT) if found[i] != wanted[i]] == []
    assert {problem.partition(":")[0] for _, problem in found} == {"", "DataLossError"}


@pytest.mark.parametrize("kind", ["", "ZLIB", "GZIP"])
def test_damaged_files_yield_records_or_data_loss(tmp_path, kind):
    path, lost = tmp_path / "a", 0
    for number in range(_COUNT):
        data, rng = _damaged(number), np.random.default_rng(number)
        if kind:
            compressor = zlib.compressobj(wbits=31 if kind == "GZIP" else 15)
            data = bytearray(compressor.compress(data) + compressor.flush())
            data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
        try:
            records = list(tf.python_io.tf_record_iterator(str(path), kind))
        except tf.errors.DataLossError:
            lost += 1
        else:
            assert sum(map(len, records)) <= 100_000
    assert lost > _COUNT / 10
