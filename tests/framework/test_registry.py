"""The registry of named objects."""

import pytest

from tinytf._src.framework.registries.registry import Registry


def make_register(registry):
    def register(candidate, name=None):
        registry.register(candidate, name)

    return register


def test_lookup():
    registry = Registry("gradient")
    register = make_register(registry)
    register(int)
    register(str, "text")
    assert registry.lookup("int") is int and registry.lookup(b"text") is str and set(registry.list()) == {"int", "text"}
    with pytest.raises(LookupError, match="^gradient registry has no entry for: float$"):
        registry.lookup("float")


def test_a_name_is_taken_once_and_the_message_says_by_whom():
    registry = Registry("gradient")
    register = make_register(registry)
    register(int, "x")
    with pytest.raises(KeyError) as error:
        register(str, "x")
    assert "Registering two gradient with name 'x'! (Previous registration was in test_a_name_is_taken" in str(
        error.value
    )
    assert f"{__file__}:" in str(error.value)
