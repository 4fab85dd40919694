"""Loads the programs whose graphs are compared, and the graphs that TensorFlow 1.15 builds from them.

`python tests/graphs/graph_programs.py`, run by an interpreter with TensorFlow 1.15, records the graphs.
"""

import gzip
import json
import runpy
from pathlib import Path

from graph_text import built_graph

_HERE = Path(__file__).resolve().parent
_RECORDED = _HERE / "graphs_of_1_15"
FILES = sorted(_HERE.joinpath("programs").glob("*.py"))


def programs_of(names):
    """The programs among the names defined by a file: functions of `tf`."""
    return {name: value for name, value in names.items() if not name.startswith("_")}


def load_programs():
    """All programs, by `file/name`."""
    return {
        f"{file.stem}/{name}": program
        for file in FILES
        for name, program in programs_of(runpy.run_path(str(file))).items()
    }


def recorded_graphs():
    """The lines of TensorFlow's graphs by program."""
    graphs = {}
    for file in sorted(_RECORDED.glob("*.json.gz")):
        graphs.update(json.loads(gzip.decompress(file.read_bytes()).decode()))
    return graphs


def _record():
    import tensorflow as tf

    for file in FILES:
        programs = programs_of(runpy.run_path(str(file)))
        graphs = {f"{file.stem}/{name}": built_graph(tf, program) for name, program in programs.items()}
        text = json.dumps(graphs, indent=0, sort_keys=True)
        with _RECORDED.joinpath(f"{file.stem}.json.gz").open("wb") as written:
            with gzip.GzipFile("", "wb", 9, written, mtime=0) as zipped:
                zipped.write(text.encode())


if __name__ == "__main__":
    _record()
