"""Every notebook runs from top to bottom, shows its stored outputs, and agrees with its text file."""

import jupytext
import nbformat
import pytest
from notebook_outputs import FOLDER, NOTEBOOKS, executed, shown

_TEXTS = sorted(FOLDER.glob("*.py"))


def test_each_notebook_has_its_text():
    assert NOTEBOOKS
    assert [path.stem for path in NOTEBOOKS] == [path.stem for path in _TEXTS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_text_and_notebook_agree(path):
    notebook, text = jupytext.read(path), jupytext.read(path.with_suffix(".py"))
    cells = [(cell.cell_type, cell.source) for cell in notebook.cells]
    assert cells == [(cell.cell_type, cell.source) for cell in text.cells], f"run `jupytext --sync {path.name}`"


@pytest.mark.keeps_state  # nbclient keeps its event loop
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_what_is_stored(path, tmp_path):
    """An exception in any cell fails the test and is shown with its cell. `make notebooks` stores the current
    outputs.
    """
    assert shown(executed(path, tmp_path)) == shown(nbformat.read(path, as_version=4))
