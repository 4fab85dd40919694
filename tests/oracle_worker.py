"""Runs programs on TensorFlow for the tests marked `oracle`; started by `conftest.py` with TensorFlow's interpreter.

Requests and answers are pickles on stdin and stdout: `(source, inputs)` in, `(result, error)` out. A program finds its
inputs and `tf` (`tensorflow.compat.v1`, or TensorFlow 1 itself) defined, and assigns to `result`. Each has its own
graph. Also runs on Python 3.7.
"""

import os
import pickle
import sys
import traceback


def _tensorflow():
    """The module that programs see as `tf`."""
    import tensorflow

    if tensorflow.__version__.startswith("1."):
        tensorflow.logging.set_verbosity(tensorflow.logging.FATAL)
        return tensorflow
    tf = tensorflow.compat.v1
    tf.disable_v2_behavior()
    return tf


def _read_new_arrays():
    """Lets NumPy before version 2 unpickle arrays of NumPy 2, whose modules are renamed."""
    import numpy

    if numpy.lib.NumpyVersion(numpy.__version__) < "2.0.0":
        for name in ("numpy.core", "numpy.core.multiarray", "numpy.core.numeric"):
            sys.modules[name.replace("core", "_core", 1)] = sys.modules[name]


def main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of programs and of TensorFlow goes to stderr
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    tf = _tensorflow()
    _read_new_arrays()
    while True:
        try:
            source, inputs = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        names = {"tf": tf, **inputs}
        error = None
        try:
            with tf.Graph().as_default():
                exec(source, names)
        except Exception:
            error = traceback.format_exc()
        pickle.dump((names.get("result"), error), answers, protocol=4)
        answers.flush()


if __name__ == "__main__":
    main()
