"""Test hooks are in the module that `make` installs for tests, and in no released module."""

import re

import pytest
from build_folders import extension_folder
from repository import CSRC, ROOT, cpp_files

from tinytf import _core


def test_the_module_has_hooks_where_it_was_built_with_them():
    folder = extension_folder()
    if folder is None:  # an installed wheel
        assert not hasattr(_core, "testing")
        return
    (asked,) = re.findall(r"^TINYTF_TESTING:\w+=(\w+)$", (folder / "CMakeCache.txt").read_text(), re.MULTILINE)
    assert hasattr(_core, "testing") == (asked == "ON")


def test_builds_have_none_unless_they_are_asked():
    assert re.search(r'^cmake\.define\.TINYTF_TESTING = "OFF"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert "option(TINYTF_TESTING " in (ROOT / "CMakeLists.txt").read_text()
    for path in (ROOT / ".ci/matrix.py", ROOT / ".github/workflows/release.yml"):
        assert "TINYTF_TESTING" not in path.read_text()


def _unguarded(name, text):
    """Includes of `testing` folders from outside of them, except under TINYTF_TESTING, as sentences."""
    if "/testing/" in name:
        return []
    plain = re.sub(r"^#ifdef TINYTF_TESTING$.*?^#(else|endif)", "", text, flags=re.MULTILINE | re.DOTALL)
    return [f"{name} includes {target}" for target in re.findall(r'#include "([^"]*/testing/[^"]*)"', plain)]


def test_hooks_are_included_by_hooks_alone():
    wrong = [text for path in cpp_files() for text in _unguarded(path.relative_to(CSRC).as_posix(), path.read_text())]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('#include "handles/testing/core_testing.h"\n', 1),
        ('#ifdef TINYTF_TESTING\n#include "handles/testing/core_testing.h"\n#endif\n', 0),
        ('#ifdef TINYTF_TESTING\n#else\n#include "handles/testing/core_testing.h"\n#endif\n', 1),
    ],
)
def test_the_check_itself_finds(text, count):
    assert len(_unguarded("handles/life.cc", text)) == count
    assert not _unguarded("handles/testing/core_testing.cc", text)
