"""Programs build the same graphs as in TensorFlow 1.15: nodes, names, inputs, attrs, devices and their order."""

import difflib
from pathlib import Path

import pytest
from graph_programs import FILES, load_programs, recorded_graphs
from graph_text import built_graph

import tinytf as tf

_HERE = Path(__file__).parent
PROGRAMS = load_programs()
_ASK = """
result = {name: built_graph(tf, program) for name, program in list(globals().items())
          if callable(program) and name not in before and not name.startswith("_")}
"""


@pytest.fixture(scope="module")
def recorded():
    return recorded_graphs()


def _different():
    """The reasons for differences, by program; a line of the file reads `program: reason`."""
    lines = (_HERE / "different_graphs.txt").read_text().splitlines()
    parts = [line.partition(":") for line in lines if line and not line.startswith("#")]
    return {program.strip(): reason.strip() for program, _, reason in parts}


DIFFERENT = _different()


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in DIFFERENT])
def test_graph_equals(name, recorded):
    built = built_graph(tf, PROGRAMS[name])
    lines = difflib.unified_diff(recorded[name], built, "TensorFlow", "here", n=0, lineterm="")
    assert built == recorded[name], "\n".join(lines)


@pytest.mark.parametrize("name", DIFFERENT)
def test_graph_still_differs(name, recorded):
    """A graph that no longer differs must be removed from the list."""
    assert DIFFERENT[name], "no reason"
    assert built_graph(tf, PROGRAMS[name]) != recorded[name], "equal by now: take it off the list"


def test_all_programs_are_recorded(recorded):
    assert sorted(recorded) == sorted(PROGRAMS)
    assert not set(DIFFERENT) - set(PROGRAMS)


@pytest.mark.oracle
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_recorded_graphs_are_tensorflows(file, oracle1, recorded):
    source = (_HERE / "graph_text.py").read_text() + "\nbefore = set(globals())\n" + file.read_text() + _ASK
    graphs = oracle1(source)
    for name, lines in graphs.items():
        assert lines == recorded[f"{file.stem}/{name}"]
    assert len(graphs) == sum(name.startswith(f"{file.stem}/") for name in recorded)
