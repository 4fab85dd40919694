"""Tests of programs whose outcomes in TensorFlow 1.15.5 are recorded in a file."""

import json
from pathlib import Path

import pytest

import tinytf as tf


def outcomes_of_1_15(module, file):
    """The recorded outcomes, by program; `file` lies beside the module, which prints it if TensorFlow runs it."""
    return json.loads(Path(module.__file__).with_name(file).read_text())


def _as_import(helper):
    """A program that lets later ones import the helper."""
    name, source = helper.__name__, Path(helper.__file__).read_text()
    return (
        f"import sys, types\nsys.modules[{name!r}] = types.ModuleType({name!r})\n"
        f"exec({source!r}, sys.modules[{name!r}].__dict__)\n"
    )


def recorded(module, file, *, ways=None, wanted=None, there="outcome(tf, program)", crashes=(), helpers=()):
    """Makes the tests of a module's programs; the caller binds them to the names of its own module.

    They check that each outcome equals the recorded one (no TensorFlow is needed), that each program has an outcome and
    the reverse, and, if TensorFlow is installed, that it still gives these outcomes.

    Args:
      module: has `programs(tf)`, which returns a dict, and `outcome(tf, program, *more)`, whose result JSON can hold.
      file: the name of the file of outcomes.
      ways: dict of the values of `more`, by the name of a way to run the programs. Without, there is one way, with
        no more arguments.
      wanted: `wanted(outcome, name, way)` returns the expected outcome, if it differs from the recorded one.
      there: expression for a program's outcome in TensorFlow.
      crashes: names of the programs that end the process of TensorFlow. Their outcome is `module.ENDS`, and they are
        not run here.
      helpers: modules without dependencies here that the module imports, in the order in which they import each other.
    """
    programs, known = module.programs(tf), outcomes_of_1_15(module, file)
    names = [name for name in programs if name not in crashes]

    def check(name, way=None):
        expected = wanted(known[name], name, way) if wanted else known[name]
        found = module.outcome(tf, programs[name], *(ways[way] if ways else ()))
        assert found == expected, (found, expected)

    if ways:

        @pytest.mark.parametrize("way", ways)
        @pytest.mark.parametrize("name", names)
        def test_like_tensorflow(name, way):
            check(name, way)

    else:

        @pytest.mark.parametrize("name", names)
        def test_like_tensorflow(name):
            check(name)

    def test_no_program_is_left_out():
        assert set(known) == set(programs)
        assert {name for name, outcome in known.items() if outcome == getattr(module, "ENDS", None)} == set(crashes)

    @pytest.mark.oracle
    def test_the_table_is_1_15s(oracle1):
        source = "".join(map(_as_import, helpers)) + Path(module.__file__).read_text()
        ask = f"result = {{name: {there} for name, program in programs(tf).items()}}"
        found = oracle1(f"__name__ = 'programs'\n{source}\n{ask}")
        assert found == known, [name for name in {**found, **known} if found.get(name) != known.get(name)]

    return test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s
