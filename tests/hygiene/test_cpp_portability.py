"""Code that depends on compilers, libraries or systems stays in the few files listed for it."""

import re

from repository import CSRC, ROOT, cpp_files

# Libraries differ in the reals they accept and in errors for denormals; integers are parsed with std::from_chars.
_READS_REALS = re.compile(r"\b(istringstream|stringstream|sscanf|atof|strto(?:f|d|ld)|std::sto(?:f|d|ld))\b")
_SYSTEM = re.compile(
    r"\b(__linux__|__APPLE__|__GLIBC__|__x86_64__|__SSE2__|__aarch64__|MADV_HUGEPAGE|__clang__|__GNUC__)\b"
)


def _places_that_differ():
    """The files in the table of platform differences in docs/internals/architecture.md."""
    text = (ROOT / "docs/internals/architecture.md").read_text()
    table = re.search(r"^\| place \| what differs \|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table
    return {name for row in table.group(1).splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])}


def _users(pattern):
    return {path.relative_to(CSRC).as_posix() for path in cpp_files() if pattern.search(path.read_text())}


def test_real_numbers_are_read_in_one_file():
    assert _users(_READS_REALS) == {"base/number_text.cc"}


def test_what_differs_between_systems_is_in_the_table():
    places = _places_that_differ()
    assert not [name for name in places if "*" not in name and not ((CSRC / name).exists() or (ROOT / name).exists())]
    folders = tuple(name.removesuffix("*") for name in places if name.endswith("/*"))
    assert not [name for name in _users(_SYSTEM) - places if not name.startswith(folders)]
