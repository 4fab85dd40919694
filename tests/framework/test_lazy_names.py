"""Names that are loaded when they are first asked for: listed beforehand, there afterwards."""

import pytest

import tinytf as tf
from tinytf.api import lazy
from tinytf.api.building import namespace


def test_the_root_knows_the_namespaces_that_it_can_load():
    assert tf._LATER == set(lazy.ROOT)
    assert tf._LATER <= set(dir(tf))


def test_a_name_is_loaded_once():
    calls = []
    module = namespace("lazy_example", "An example.", {"there": 1})
    lazy.load_when_used(module, {"later": lambda: calls.append(1) or object()})
    assert [name for name in dir(module) if name[0] != "_"] == ["later", "there"] and not calls
    assert module.later is module.later and calls == [1]
    with pytest.raises(AttributeError, match="module 'tinytf.lazy_example' has no attribute 'never'"):
        module.never  # noqa: B018
