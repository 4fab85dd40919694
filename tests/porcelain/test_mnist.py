"""`tensorflow.examples.tutorials.mnist.input_data` reads existing files."""

import gzip
import re
import struct

import pytest
from programs import run_program

import tinytf as tf
from tinytf.examples.tutorials.mnist import input_data


def test_missing_files_are_asked_for(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="tinytf does not download it") as caught:
        input_data.read_data_sets(str(tmp_path))
    told = caught.value.message
    assert str(tmp_path) in told and len(set(re.findall(r"[\w-]+-ubyte\.gz", told))) == 4
    assert not list(tmp_path.iterdir())


def test_files_that_are_not_compressed(tmp_path):
    images = struct.pack(">IIII", 2051, 3, 2, 2) + bytes(range(12))
    labels = struct.pack(">II", 2049, 3) + bytes([1, 0, 9])
    for kind in ("train", "t10k"):
        (tmp_path / f"{kind}-images-idx3-ubyte").write_bytes(images)
        (tmp_path / f"{kind}-labels-idx1-ubyte").write_bytes(labels)
    found = input_data.read_data_sets(str(tmp_path), validation_size=1, dtype=tf.uint8)
    assert found.train.images.tolist() == [[4, 5, 6, 7], [8, 9, 10, 11]] and found.validation.labels.tolist() == [1]


@pytest.mark.parametrize("sizes", [(2**32 - 1, 2**32 - 1, 2**32 - 1), (2**31, 28, 28), (3, 2, 3)])
def test_sizes_that_the_file_does_not_have(tmp_path, sizes):
    path = tmp_path / "train-images-idx3-ubyte.gz"
    path.write_bytes(gzip.compress(struct.pack(">IIII", 2051, *sizes) + bytes(12)))
    with pytest.raises(ValueError, match="cannot reshape array of size 12"):
        input_data.read_data_sets(str(tmp_path))


def test_programs_of_tutorials_find_it(tmp_path):
    program = """
import tinytf.as_tensorflow
tinytf.as_tensorflow.install()
from tensorflow.examples.tutorials.mnist import input_data
import tensorflow as tf
data = input_data.read_data_sets("nowhere", fake_data=True)
print(len(data.train.next_batch(3, fake_data=True)[0]))
"""
    done = run_program(program, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
