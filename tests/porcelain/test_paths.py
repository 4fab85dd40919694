"""TensorFlow's module paths to graph helpers can be imported and are not reported as missing."""

import pytest
from programs import run_program

import tinytf as tf
from tinytf._src.api.program_check import missing_in

_PROGRAM = """
import tensorflow as tf
import tensorflow.contrib.framework as contrib_framework
import tensorflow.examples.tutorials.mnist.input_data as digits
import tensorflow.python.platform.gfile as files
from tensorflow.contrib import util
from tensorflow.contrib.framework import arg_scope, nest as same_nest
from tensorflow.examples.tutorials.mnist import input_data
from tensorflow.python.lib.io import file_io, tf_record
from tensorflow.python.lib.io.file_io import FileIO
from tensorflow.python.lib.io.tf_record import TFRecordWriter
from tensorflow.python.platform import gfile, tf_logging
from tensorflow.python.util import compat, deprecation, nest
from tensorflow.python.util.nest import flatten
assert files.GFile is gfile.GFile is tf.gfile.GFile and file_io.FileIO is FileIO
assert tf_record.TFRecordWriter is TFRecordWriter is tf.python_io.TFRecordWriter
assert nest.flatten is same_nest.flatten is flatten is tf.contrib.framework.nest.flatten
assert tf.examples.tutorials.mnist.input_data is input_data is digits
"""


@pytest.mark.parametrize("line", _PROGRAM.strip().splitlines())
def test_nothing_is_missing(line):
    assert missing_in(f"import tensorflow as tf\n{line}", tf) == []


def test_the_program_runs():
    done = run_program("import tinytf.as_tensorflow\ntinytf.as_tensorflow.install()\n" + _PROGRAM)
    assert done.returncode == 0, done.stderr
