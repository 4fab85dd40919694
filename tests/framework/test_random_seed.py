"""The combination of graph and op seeds."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from tinytf._src.framework.apply import random_seed

M = 2**31 - 1


@pytest.fixture
def graph(monkeypatch):
    """A fake default graph with the members that seeds need."""
    graph = SimpleNamespace(seed=None, _last_id=0)
    module = ModuleType("tinytf._src.framework.graph.default_graph")
    module.get_default_graph = lambda: graph
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return graph


@pytest.mark.parametrize(
    "graph_seed, op_seed, last_id, seeds",
    [
        (None, None, 7, (None, None)),
        (None, 5, 7, (87654321, 5)),
        (None, M + 3, 7, (87654321, 3)),
        (4, None, 7, (4, 7)),
        (4, 5, 7, (4, 5)),
        (0, 0, 7, (0, M)),
        (M, M, 7, (0, M)),
        (-1, 0, 7, (M - 1, 0)),
        (0, None, 0, (0, M)),
    ],
)
def test_get_seed(graph, graph_seed, op_seed, last_id, seeds):
    random_seed.set_random_seed(graph_seed)
    graph._last_id = last_id
    assert random_seed.get_seed(op_seed) == seeds
