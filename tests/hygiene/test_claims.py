"""Checkable statements of the pages are true: missing features, numbers of pages and notebooks, packages, compilers."""

import re

import pytest
from repository import IMPLEMENTATION, PACKAGE, ROOT

import tinytf as tf
from tinytf._gen.namespaces import NAMESPACES
from tinytf._gen.public_names import PLACES

_USAGE = sorted((ROOT / "docs" / "usage").glob("*.md"))
_NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_TEXTS = [ROOT / "README.md", ROOT / "pyproject.toml", *sorted((ROOT / "docs").rglob("*.md"))]
_ABSENT = re.compile(r"(?:does|do) not exist(?: here)? yet|(?:is|are) not there yet")
# Plain words of the pages for public names.
_WORDS = {
    "control flow": "while_loop",
    "saver": "train.Saver",
    "summaries": "summary.scalar",
    "summary": "summary.scalar",
    "monitored session": "train.MonitoredSession",
    "estimator": "estimator.Estimator",
    "metric": "metrics.mean",
    "queue": "queue.FIFOQueue",
    "reader": "TextLineReader",
    "optimizer": "train.AdamOptimizer",
    "eager execution": "enable_eager_execution",
    "checkpoint": "train.Checkpoint",
    "notebook": "",
}
_NUMBERS = dict(zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13)))


def absences(text):
    """Sentences that say that something does not exist yet. If a list follows, also the start of each item, up to
    the end of a sentence or a colon, after which the alternative is described.
    """
    flat = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for match in _ABSENT.finditer(flat):
        begin = max(flat.rfind(end, 0, match.start()) for end in ("\n\n", ". ", ".\n", "\n- ", '"""\n'))
        told = re.compile(r"\.\s|\.$|\n\n").search(flat, match.end())
        yield flat[begin + 1 : told.end() if told else len(flat)].strip()
        behind = re.match(r"[^.\n]*:\n\n((?:- .*\n(?:  .*\n)*)+)", flat[match.end() :])
        for item in re.findall(r"- (.*\n(?:  .*\n)*)", behind[1]) if behind else ():
            yield re.split(r"[.:]\s", item)[0].strip()


def existing(sentence):
    """The things named in a sentence that do exist here: public names in backquotes, and features in plain words."""
    for name in re.findall(r"`tf\.([\w.]+)`", sentence):
        if name in PLACES or (name in NAMESPACES and any(place.startswith(f"{name}.") for place in PLACES)):
            yield f"tf.{name}"
    for word, name in _WORDS.items():
        if re.search(rf"\b{word}s?\b", re.sub(r"`[^`]*`|\(.*?\)|see \[.*?\]", "", sentence)) and (
            not name or name in PLACES
        ):
            yield word


@pytest.mark.parametrize("path", _TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_said_not_to_exist_does_not(path):
    untrue = {sentence: found for sentence in absences(path.read_text()) if (found := list(existing(sentence)))}
    assert not untrue, untrue


def test_untrue_absences_are_found():
    items = "- `tf.keras`, `tf.cond`: queues\n- a\n"
    text = f"It is young: savers do not exist yet.\n\nWhat does not exist yet ([x](y)):\n\n{items}\nEnd.\n"
    found = [list(existing(sentence)) for sentence in absences(text)]
    assert found == [["saver"], [], ["tf.cond"], []]


def test_the_readme_lists_all_pages_and_notebooks():
    linked = set(re.findall(r"\]\(((?:docs/usage|notebooks)/[^)]+)\)", (ROOT / "README.md").read_text()))
    assert linked == {str(path.relative_to(ROOT)) for path in [*_USAGE, *_NOTEBOOKS]}


@pytest.mark.parametrize("path", _TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_numbers_of_pages_and_notebooks_are_right(path):
    for number, what in re.findall(r"\b(\d+|[a-z]+)\s+(notebooks|pages on how to use)", path.read_text().lower()):
        said = int(number) if number.isdigit() else _NUMBERS.get(number)
        assert said in (None, len(_NOTEBOOKS) if what == "notebooks" else len(_USAGE)), f"{number} {what}"


def test_every_room_has_its_row():
    page = (ROOT / "docs" / "internals" / "architecture.md").read_text()
    rows = {
        name for row in re.findall(r"^\| (`[^|]*`) \|", page, re.MULTILINE) for name in re.findall(r"`([\w/]+)`", row)
    }
    rooms = {path.parent.name for folder in (PACKAGE, IMPLEMENTATION) for path in folder.glob("*/__init__.py")}
    rooms -= {"_gen", "_src", "compat"}
    assert rooms <= rows, rooms - rows
    folders = {path.name for path in (ROOT / "csrc").iterdir() if path.is_dir()}
    assert folders <= {row.partition("/")[0] for row in rows}


def test_one_oldest_compiler_is_told():
    told = [
        re.findall(r"g\+\+ (\d+) or (?:newer or )?clang (\d+)", (ROOT / page).read_text())
        for page in ("README.md", "docs/contributing.md")
    ]
    assert told[0] == told[1] and len(told[0]) == 1


def test_the_key_of_an_output_is_what_the_stub_of_the_engine_says():
    x, y = tf.unstack(tf.constant([1.0, 2.0]))
    said = re.search(r"outputs by key \(`(.*)`\)", (PACKAGE / "_core.pyi").read_text())
    assert [eval(said[1], {"id": out.op._id, "index": out._value_index}) for out in (x, y)] == [x._key, y._key]
