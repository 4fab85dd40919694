"""Every op that draws random numbers has the right moments and range, and sequences that only the seed determines."""

import pytest
from op_table import random_rows
from random_table import check_numbers, check_sequences

_CASES = [pytest.param(row, dtype, id=f"{name}-{dtype}") for name, row in random_rows() for dtype in row.types()]


@pytest.mark.parametrize(("row", "dtype"), _CASES)
def test_numbers(row, dtype):
    check_numbers(row, dtype)
    check_sequences(row, dtype)
