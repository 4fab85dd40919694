"""Runs programs in folders of their own on tinytf and on TensorFlow 1.15 and returns their output."""

import json
import os
import re

import pytest
from ways import reasons_for_tokens

import tinytf as tf

# Executed on both sides. A program calls `show` with values, or with functions whose value or error is shown.
_RUNNER = '''
import contextlib, os, re, shutil, tempfile

def outcomes(tf, program):
    """What the program shows, as text; its folder is called $D in there."""
    folder, before, shown = os.path.realpath(tempfile.mkdtemp()), os.getcwd(), []

    def show(value):
        try:
            text = repr(value() if callable(value) else value)
        except Exception as error:
            text = "%s: %s" % (type(error).__name__, error)
        shown.append(re.sub("0x[0-9a-f]{6,}", "0x", text.replace(folder, "$D")))

    def put(path, content="x"):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def get(path):
        with open(path, "rb") as file:
            return file.read()

    names = {"tf": tf, "D": folder, "os": os, "show": show, "put": put, "get": get, "__name__": "program"}
    os.chdir(folder)
    try:
        with contextlib.ExitStack() as stack:
            names["enter"] = stack.enter_context
            exec(program, names)
    finally:
        os.chdir(before)
        shutil.rmtree(folder)
    return shown
'''

_HERE = {}
exec(_RUNNER, _HERE)


def outcomes_here(program):
    """Returns the output of a program run in this process."""
    return _HERE["outcomes"](tf, re.sub(r"\btensorflow\.(core|python|contrib|examples)", r"tinytf.\1", program))


def outcomes_there(oracle1, program):
    """Returns the output of a program run on TensorFlow 1.15."""
    return oracle1(_RUNNER + "result = outcomes(tf, program)", program=program)


def all_programs(folder):
    """The programs of a folder's `*_programs.txt` by "file: title"; a line such as `# --- title` starts each. The
    program called `head` is prepended to the others of its file, and the folder's `head.txt` to all.
    """
    found, common = {}, folder / "head.txt"
    first = common.read_text() if common.exists() else ""
    for file in sorted(folder.glob("*_programs.txt")):
        parts = re.split(r"^# --- (.*)\n", file.read_text(), flags=re.MULTILINE)
        own = dict(zip(parts[1::2], parts[2::2], strict=True))
        head = first + own.pop("head", "")
        kind = file.name.removesuffix("_programs.txt")
        found.update({f"{kind}: {title}": head + program for title, program in own.items()})
    return found


def program_tests(folder):
    """Makes the tests of a folder's programs; the caller binds them to the names of its module.

    They check that each value and error equals the outcome of TensorFlow 1.15.5 in `outcomes_of_1_15.json` (no
    TensorFlow is needed), that all plans stay compiled, that no recorded outcome lacks its program, and, if TensorFlow
    is installed, that it still gives these outcomes. `TINYTF_RECORD=1` records them.
    """
    kept = folder / "outcomes_of_1_15.json"
    programs = all_programs(folder)
    known = json.loads(kept.read_text()) if kept.exists() else {}

    @pytest.mark.parametrize("title", programs)
    def test_as_in_tensorflow(title):
        assert known[title]
        with reasons_for_tokens() as reasons:
            found = outcomes_here(programs[title])
        assert found == known[title], (found, known[title])
        assert not reasons

    def test_every_outcome_is_of_a_program():
        assert set(known) == set(programs)

    @pytest.mark.oracle
    def test_tensorflow_shows_what_is_kept(oracle1):
        shown = {title: outcomes_there(oracle1, program) for title, program in programs.items()}
        if os.environ.get("TINYTF_RECORD"):
            kept.write_text(json.dumps(shown, indent=1) + "\n")
        assert json.loads(kept.read_text()) == shown

    return test_as_in_tensorflow, test_every_outcome_is_of_a_program, test_tensorflow_shows_what_is_kept
