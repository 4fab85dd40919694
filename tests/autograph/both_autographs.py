"""Runs programs with source files on tinytf and on TensorFlow 1.15 and returns their output."""

import re
from contextlib import ExitStack

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

# Executed on both sides. A program calls `show` with functions and shows their value or error; `f` in it is
# tf.function.
_RUNNER = '''
import os, re, shutil, tempfile

def outcomes(tf, eager_mode, program):
    """What the program shows, as text."""
    folder, shown = os.path.realpath(tempfile.mkdtemp()), []
    path = os.path.join(folder, "program.py")
    with open(path, "w") as file:
        file.write(program)

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(item) for key, item in sorted(value.items())}
        if isinstance(value, (list, tuple)):
            return type(value)(*map(plain, value)) if hasattr(value, "_fields") else type(value)(map(plain, value))
        array = value.numpy() if hasattr(value, "numpy") else value
        return array.tolist() if hasattr(array, "tolist") else array

    def show(function):
        try:
            text = repr(plain(function()))
        except Exception as error:
            kind, message = type(error).__name__, str(error)
            inner = re.search(r"\\n    (\\w*Error): (.*)", message)  # TensorFlow shows the converted code first
            text = "%s: %s" % (kind, inner.group(2) if "in converted code" in message and inner else message.split("\\n")[0])
        shown.append(re.sub("0x[0-9a-f]{6,}", "0x", text))

    names = {"tf": tf, "show": show, "f": tf.function, "__name__": "program"}
    try:
        with eager_mode():
            exec(compile(program, path, "exec"), names)
    finally:
        shutil.rmtree(folder)
    return shown
'''

_HERE = {}
exec(_RUNNER, _HERE)


def _eagerly():
    stack = ExitStack()
    stack.enter_context(eager_mode())
    stack.enter_context(tf.EagerSession())
    return stack


def outcomes_here(program):
    """Returns the output of a program run in this process."""
    return _HERE["outcomes"](tf, _eagerly, program)


def outcomes_there(oracle1, program):
    """Returns the output of a program run on TensorFlow 1.15."""
    ask = "from tensorflow.python.eager import context\nresult = outcomes(tf, context.eager_mode, program)"
    return oracle1(_RUNNER + ask, program=program)


def all_programs(path):
    """The programs of a file by title; a line such as `# --- title` starts each."""
    parts = re.split(r"^# --- (.*)\n", path.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
