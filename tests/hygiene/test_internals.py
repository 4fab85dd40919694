"""Files named in docs/internals exist, and the pages mention every mutex of the engine."""

import re

import pytest
from repository import CSRC, ROOT, cpp_files

_INTERNALS = ROOT / "docs" / "internals"
_FILE = re.compile(r"`((?:\.?\w+/)+[\w.]+\.\w+)`")
_MUTEX = re.compile(r"^\s*(?:mutable )?(?:static )?std::\w*mutex (\w+);", re.MULTILINE)
PAGES = ["threads_and_forks.md", "glossary.md"]


def missing_files(text):
    """Files named by a page that exist neither below csrc/ nor below the root."""
    return [name for name in _FILE.findall(text) if not ((CSRC / name).is_file() or (ROOT / name).is_file())]


def mutexes(source):
    """Names of the mutexes in a file of the engine."""
    return set(_MUTEX.findall(source))


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page):
    text = (_INTERNALS / page).read_text()
    assert len(_FILE.findall(text)) > 20
    assert not missing_files(text)


def test_each_word_names_a_file():
    rows = re.findall(r"^\| (?!word|---)(.*)\|$", (_INTERNALS / "glossary.md").read_text(), re.MULTILINE)
    assert len(rows) > 50
    without = [row for row in rows if not _FILE.search(row.rsplit("|", 1)[1])]
    assert not without, without


def test_every_mutex_is_in_the_page():
    text = (_INTERNALS / "threads_and_forks.md").read_text()
    files = {path.relative_to(CSRC).as_posix() for path in cpp_files() if mutexes(path.read_text())}
    assert len(files) > 20
    left_out = sorted(name for name in files if f"`{name}`" not in text)
    assert not left_out, left_out


def test_the_checks_themselves():
    assert missing_files("`runtime/plan/plan.h`, `runtime/no_such_file.h`") == ["runtime/no_such_file.h"]
    assert mutexes(
        "  mutable std::mutex mutex_;\nstd::recursive_mutex other;\n  std::unique_lock<std::mutex> lock;"
    ) == {
        "mutex_",
        "other",
    }
