"""Every op is documented, and has a gradient or says that it has none."""

import pytest

from tinytf import _core


@pytest.fixture(scope="module")
def op_defs():
    return {op.name: op for op in _core.op_defs()}
