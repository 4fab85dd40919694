"""Static shapes of nodes, and whether nodes are refused, are those of TensorFlow 1.15.5 for inputs of every rank, of
unknown rank, with unknown dimensions, and with values that are known, unknown or partly known.

Known differences have a line in `different_static_shapes.txt`, with their number, which only goes down; with
TINYTF_ALL_CASES it has to be right. With TensorFlow, a share of the recorded outcomes is asked for again: one of
`TINYTF_SHAPES` rows, from `TINYTF_SHAPES_FROM`.
"""

import gzip
import json
import os
from pathlib import Path

import pytest
import static_shapes
from case_share import ALL_CASES, share
from op_table import runnable_rows
from static_shape_cases import row_op

import tinytf as tf
from tinytf import _core
from tinytf._src.framework.graph.graph_def import op_def

_ROWS = static_shapes.read_recorded()
_OPS = sorted({row_op(name) for name in _ROWS})
_FOLDER = Path(__file__).parent
_LINES = (_FOLDER / "different_static_shapes.txt").read_text().splitlines()[1:]
_DIFFERENT = {op: int(count) for op, count in (line.partition(":")[0].split() for line in _LINES)}
_OF_1_15 = json.loads(gzip.decompress((_FOLDER.parent / "framework/op_defs_of_1_15.json.gz").read_bytes())).keys()
_OF_CONTRIB = {"ZeroInitializer"}  # ops of libraries that TensorFlow loads for parts of tf.contrib


def _differences(name, row):
    for case, there in share(row["cases"].items(), len(name)):
        here = static_shapes.outcome(tf, row, case)
        if here != there:
            yield f"{name} {case}: in 1.15.5 {there}, here {here}"


@pytest.mark.parametrize("op", _OPS)
def test_recorded_shapes(op):
    found = [text for name, row in _ROWS.items() if row_op(name) == op for text in _differences(name, row)]
    expected = _DIFFERENT.get(op, 0)
    is_known = len(found) == expected if ALL_CASES else len(found) <= expected
    assert is_known, f"{len(found)} differences, {expected} known:\n" + "\n".join(found)


def test_all_ops_are_recorded():
    """Ops that have rows in the op table, or no state, have cases if TensorFlow 1.15 has the op. Those of datasets and
    iterators have programs in tests/data."""
    ops = {row.op for _, row in runnable_rows()} | {op for op in _core.op_names() if not op_def(op).is_stateful}
    ops = {op for op in ops & _OF_1_15 if _core.op_def(op)["family"] != "data"}
    assert ops - set(_OPS) == _OF_CONTRIB


def test_known_differences_are_of_recorded_ops():
    assert _DIFFERENT.keys() <= set(_OPS)
    assert all(count > 0 for count in _DIFFERENT.values())


def test_most_cases_are_accepted():
    """Refused cases tell little."""
    found = [there for row in _ROWS.values() for there in row["cases"].values()]
    assert sum(there[:1] == "!" for there in found) < len(found) / 2


@pytest.mark.oracle
def test_the_shapes_are_1_15s(oracle1):
    share, first = int(os.environ.get("TINYTF_SHAPES", "40")), int(os.environ.get("TINYTF_SHAPES_FROM", "0"))
    rows = [_ROWS[name] for name in sorted(_ROWS)[first::share]]
    source = (_FOLDER / "static_shapes.py").read_text().partition('if __name__ == "__main__"')[0]
    asked = "\nresult = [outcomes(tf, row, row['cases']) for row in rows]"
    found = oracle1(f"__file__ = 'static_shapes.py'\n{source}{asked}", rows=rows)
    assert found == [row["cases"] for row in rows]
