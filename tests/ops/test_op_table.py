"""Every row of the op table passes for results, shapes, rewrites, gradients and GraphDefs; and every op has a row."""

import pytest
from data_table import dataset_ops
from op_table import all_rows, registered_types, runnable_rows
from row_gradients import check_gradient, check_traced_gradient, gradient_cases, traced_gradient_cases
from row_values import check_forward, check_round_trip, check_values
from state_table import ops_with_state
from without_row import WITHOUT_ROW

from tinytf import _core

_ROWS = list(all_rows())
_OTHER_LEVELS = [level for level in ("generic", "avx2", "avx512") if _core.has_isa(level) and level != _core.isa()]


@pytest.fixture
def level(request):
    """Runs the test at an instruction-set level other than the default."""
    before = _core.isa()
    assert _core.set_isa(request.param)
    yield request.param
    _core.set_isa(before)


def _check_all(cases, check, row):
    """Runs the check on every case; fails with the list of failures."""
    wrong = []
    for dtype, shapes in cases:
        try:
            check(row, dtype, shapes)
        except Exception as e:  # every exception belongs in the list, with its case
            wrong.append(f"{dtype} {shapes}: {type(e).__name__}: {e}")
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row.op}:\n" + "\n".join(wrong[:6]), pytrace=False)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in _ROWS])
def test_forward(row):
    _check_all(row.cases(), check_forward, row)


@pytest.mark.parametrize(
    ("row", "level"),
    [pytest.param(row, level, id=f"{name}-{level}") for name, row in _ROWS if row.has_loops for level in _OTHER_LEVELS],
    indirect=["level"],
)
def test_other_levels(row, level):
    _check_all(row.cases(), check_values, row)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in _ROWS if any(gradient_cases(row))])
def test_gradient(row):
    _check_all(gradient_cases(row), check_gradient, row)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in _ROWS if traced_gradient_cases(row)])
def test_traced_gradient(row):
    _check_all(traced_gradient_cases(row), check_traced_gradient, row)


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in _ROWS])
def test_graph_def_round_trip(row):
    check_round_trip(row)


def test_every_op_has_a_row():
    ops = set(_core.op_names())
    with_row = {row.op for _, row in runnable_rows()} | ops_with_state() | dataset_ops()
    missing = sorted(ops - with_row - set(WITHOUT_ROW))
    assert not missing, f"neither with a row nor in without_row.py: {' '.join(missing)}"
    stale = sorted((set(WITHOUT_ROW) & with_row) | (set(WITHOUT_ROW) - ops))
    assert not stale, f"in without_row.py for no reason: {' '.join(stale)}"


def test_rows_cover_the_registered_types():
    covered = {}
    for _, row in _ROWS:
        covered.setdefault(row.op, set()).update((*row.types(), *row.more_types))
    wrong = {op: sorted(set(registered_types(op)) - types) for op, types in covered.items()}
    wrong = {op: types for op, types in wrong.items() if types}
    assert not wrong, wrong
