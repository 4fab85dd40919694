"""Programs in docs/usage run and print the documented output; links of all pages are valid.

The ```python blocks of a page form one program. In a block, `# prints: text` gives the next line of its output; `…` in
it matches any text. A block prints nothing else.
"""

import contextlib
import gc
import io
import linecache
import re

import pytest
from repository import ROOT

import tinytf as tf

PAGES = sorted((ROOT / "docs" / "usage").glob("*.md"))
ALL_PAGES = sorted((ROOT / "docs").rglob("*.md"))
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PRINTS = re.compile(r"# prints:(?: (.*))?$", re.MULTILINE)


def blocks(page):
    """(number of its first line, text) of each block in a page's text."""
    return [(page[: match.start(1)].count("\n") + 1, match[1]) for match in _BLOCK.finditer(page)]


def run(page, file, names):
    """Runs a page's blocks; returns mismatches of the output as (line of the block, expected, printed)."""
    wrong = []
    program = ["\n"] * page.count("\n")
    for line, block in blocks(page):
        program[line - 1 : line - 1 + block.count("\n")] = block.splitlines(keepends=True)
    linecache.cache[file] = (len(page), None, program, file)  # makes the source of the page's functions available
    for line, block in blocks(page):
        code = compile("\n" * (line - 1) + block, file, "exec")  # tracebacks then show the line numbers of the page
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(code, names)
        expected, printed = _PRINTS.findall(block), out.getvalue().splitlines()
        if not _agrees(expected, printed):
            wrong.append((line, expected, printed))
    return wrong


def _agrees(expected, printed):
    patterns = [".*".join(map(re.escape, text.rstrip().split("…"))) for text in expected]
    return len(patterns) == len(printed) and all(
        re.fullmatch(pattern, text.rstrip()) for pattern, text in zip(patterns, printed, strict=True)
    )


@pytest.fixture
def fresh_process():
    """Resets global modes before and after a page, because pages may change them."""
    tf.reset_default_graph()
    verbosity = tf.logging.get_verbosity()
    yield
    tf.logging.set_verbosity(verbosity)
    tf.disable_eager_execution()
    gc.collect()
    tf.test.reset_default_session()


@pytest.mark.usefixtures("fresh_process", "what_programs_leave")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_programs_print_what_is_shown(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = run(path.read_text(), str(path), {"__name__": "__main__"})
    assert not wrong, "\n".join(
        f"{path.name}:{line}: shown {shown}\nprinted {printed}" for line, shown, printed in wrong
    )


@pytest.mark.parametrize("path", ALL_PAGES, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    links = [link.partition("#") for link in re.findall(r"\]\(([^)]+)\)", path.read_text()) if "://" not in link]
    for file, _, section in links:
        target = (path.parent / file) if file else path
        assert target.exists(), file
        headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE) if section else []
        assert not section or section in map(_anchor, headings), section


def _anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize(
    ("block", "is_right"),
    [
        ("print(1)  # prints: 1\n", True),
        ("print(1)  # prints: 2\n", False),
        ("print(1)\n", False),
        ("x = 1  # prints: 1\n", False),
        ("print('a1b')\nprint(2)\n# prints: a…b\n# prints: 2\n", True),
    ],
)
def test_the_check_itself(block, is_right):
    assert (not run(f"Text.\n\n```python\n{block}```\n", "page", {})) == is_right
