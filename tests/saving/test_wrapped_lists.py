"""Code that reads the storage of a list directly, without its methods, sees the elements of a wrapped list."""

import pytest

import tinytf as tf


def _multiplied(factor):
    def multiply(elements):
        elements *= factor

    return multiply


_CHANGES = {
    "appended": lambda elements: elements.append(4),
    "extended": lambda elements: elements.extend([4, 5]),
    "inserted": lambda elements: elements.insert(0, 4),
    "deleted": lambda elements: elements.__delitem__(0),
    "replaced": lambda elements: elements.__setitem__(1, 4),
    "sorted": lambda elements: elements.sort(),
    "repeated": _multiplied(2),
    "emptied by a factor": _multiplied(0),
    "emptied by a negative factor": _multiplied(-1),
}


@pytest.mark.parametrize("change", _CHANGES)
def test_the_storage_has_the_elements(change):
    module = tf.Module()
    module.elements = [3, 1, 2]
    plain = [3, 1, 2]
    for elements in (module.elements, plain):
        _CHANGES[change](elements)
    assert list.copy(module.elements) == plain == [*module.elements]
