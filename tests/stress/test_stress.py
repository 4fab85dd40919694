"""Runs every case of the C++ stress tests as a separate test.

The environment variable TINYTF_STRESS multiplies the rounds; `make asan` and `make tsan` run the same cases under
sanitizers.
"""

import cpp_cases
import pytest


@pytest.mark.parametrize("case", cpp_cases.cases("tinytf_stress"))
def test_stress(case):
    cpp_cases.run("tinytf_stress", case)
