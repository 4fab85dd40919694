"""Runs programs on TensorFlow for the tests marked `oracle`: started by `conftest.py` under TensorFlow's interpreter.

Requests and answers are pickles on stdin and stdout: `(source, inputs)` in, `(result, error)` out. A program finds its
inputs and `tf` (`tensorflow.compat.v1`) defined, and leaves what it found in `result`. Each has a graph of its own.
"""

import os
import pickle
import sys
import traceback


def main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what programs and TensorFlow print goes to stderr
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
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
        pickle.dump((names.get("result"), error), answers)
        answers.flush()


if __name__ == "__main__":
    main()
