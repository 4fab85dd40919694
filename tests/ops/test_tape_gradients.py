"""Every row of the op table with a gradient gives the same gradient on a tape as `tf.gradients`."""

import pytest
from op_table import all_rows, is_executable
from row_gradients import gradient_cases
from tape_gradients import check_tape

_ROWS = [(name, row) for name, row in all_rows() if is_executable(row) and any(gradient_cases(row))]


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in _ROWS])
def test_gradients(row):
    wrong = []
    for dtype, shapes in gradient_cases(row):
        try:
            check_tape(row, dtype, shapes)
        except Exception as e:  # every exception belongs in the list, with its case
            wrong.append(f"{dtype} {shapes}: {type(e).__name__}: {e}")
    if wrong:
        pytest.fail(f"{len(wrong)} cases of {row.op}:\n" + "\n".join(wrong[:6]), pytrace=False)
