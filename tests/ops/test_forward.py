"""Every row of the op table: the op's result against its reference, on each type and group of shapes."""

import importlib
from pathlib import Path

import pytest
from op_table import check_forward


def _cases():
    for path in sorted(Path(__file__).parent.glob("rows_*.py")):
        for number, row in enumerate(importlib.import_module(path.stem).ROWS):
            for dtype, shapes in row.cases():
                yield pytest.param(row, dtype, shapes, id=f"{row.op}-{number}-{dtype}-{shapes}")


@pytest.mark.parametrize(("row", "dtype", "shapes"), list(_cases()))
def test_forward(row, dtype, shapes):
    check_forward(row, dtype, shapes)
