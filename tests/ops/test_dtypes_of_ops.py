"""Every op has kernels for the dtypes that TensorFlow 1.15 has kernels for (`dtypes_of_ops.txt`)."""

from pathlib import Path

import pytest

from tinytf import _core
from tinytf._src.framework.values import dtypes


def _groups():
    """Maps each list of dtypes in the file to its [(op, attr)]."""
    groups, places = {}, []
    for line in Path(__file__).with_name("dtypes_of_ops.txt").read_text().splitlines():
        if line.startswith("  "):
            places += [tuple(word.split(".")) for word in line.split()]
        elif line and not line.startswith("#"):
            places = groups[line.rstrip(":")] = []
    return groups


def _registered(op, attr):
    """The enum values of the dtypes with a kernel of the op; None for every dtype."""
    definition = _core.op_def(op)
    declared = next(a[4] for a in definition["attrs"] if a[0] == attr)
    found = set()
    for kernel in definition["kernels"]:
        if attr not in kernel and not declared:
            return None
        found.update(kernel.get(attr, declared))
    return found


@pytest.mark.parametrize(("types", "places"), [pytest.param(*group, id=group[0]) for group in _groups().items()])
def test_kernels(types, places):
    wanted = {dtypes.as_dtype(name).as_datatype_enum for name in types.split()}
    missing = {}
    for op, attr in places:
        found = _registered(op, attr)
        if found is not None and not wanted <= found:
            missing[op] = [dtypes.as_dtype(number).name for number in sorted(wanted - found)]
    assert not missing
