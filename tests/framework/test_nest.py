"""Nested structures: their leaves in order, and the same structure with other leaves."""

import collections

import pytest

from tinytf.framework import nest

Pair = collections.namedtuple("Pair", "left right")
STRUCTURES = [
    (1, [1]),
    ("text", ["text"]),
    ([], []),
    ([1, (2, [3])], [1, 2, 3]),
    ({"b": 1, "a": [2, 3]}, [2, 3, 1]),
    (Pair([1], {"x": 2}), [1, 2]),
    (collections.OrderedDict([("z", 1), ("y", 2)]), [2, 1]),
    (collections.defaultdict(list, {"z": 1, "y": 2}), [2, 1]),
]


@pytest.mark.parametrize(("structure", "leaves"), STRUCTURES)
def test_flatten_and_pack(structure, leaves):
    assert nest.flatten(structure) == leaves
    packed = nest.pack_sequence_as(structure, leaves)
    assert packed == structure and type(packed) is type(structure)
    if isinstance(structure, dict):
        assert list(packed) == list(structure)


def test_map_structure():
    assert nest.map_structure(str, Pair([1], {"x": 2})) == Pair(["1"], {"x": "2"})


def test_wrong_leaves_are_refused():
    with pytest.raises(ValueError, match="Structure had 2 elements, but flat_sequence had 1 elements"):
        nest.pack_sequence_as([1, 2], [1])
    with pytest.raises(ValueError, match="Structure is a scalar but"):
        nest.pack_sequence_as(1, [1, 2])
    with pytest.raises(TypeError, match="must be a sequence"):
        nest.pack_sequence_as([1], 1)
    with pytest.raises(TypeError, match="sortable keys"):
        nest.flatten({1: 1, "a": 2})
