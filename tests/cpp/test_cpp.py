"""Runs every case of the C++ unit tests as a separate test."""

import cpp_cases
import pytest


@pytest.mark.parametrize("case", cpp_cases.cases("tinytf_cpp_tests"))
def test_cpp(case):
    cpp_cases.run("tinytf_cpp_tests", case)
