"""Every op is documented, has shape inference, and has a gradient or declares that it has none."""

from tinytf import _core
from tinytf._src.gradients import load_all, registry

_OPS = {name: _core.op_def(name) for name in sorted(_core.op_names())}


def test_there_are_ops():
    assert len(_OPS) > 100


def test_ops_are_documented():
    silent = [name for name, op in _OPS.items() if not op["doc"].rstrip().endswith(".")]
    assert not silent, silent


def test_ops_have_a_shape_function():
    shapeless = [name for name, op in _OPS.items() if not op["has_shape_fn"]]
    assert not shapeless, shapeless


def test_ops_have_a_gradient_or_say_that_they_have_none():
    """`.not_differentiable()` or `.no_gradient()` declares that; ops without inputs need neither."""
    load_all()
    registered = {*registry._gradients.list(), *registry._of_free_names}
    silent = [name for name, op in _OPS.items() if op["gradient"] == "registered" and op["inputs"]]
    missing = sorted(set(silent) - registered)
    assert not missing, missing


def test_gradients_belong_to_ops():
    """Every gradient of the package is registered for an existing op; tests may register others."""
    load_all()
    strange = {
        name
        for name in {*registry._gradients.list(), *registry._of_free_names} - set(_OPS)
        if registry.find_gradient_function(name).__module__.startswith("tinytf.")
    }
    assert not strange, strange
