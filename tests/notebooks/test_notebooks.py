"""Every notebook runs from top to bottom, and says the same as the text file that it is paired with."""

from pathlib import Path

import jupytext
import pytest
from nbclient import NotebookClient

_FOLDER = Path(__file__).parents[2] / "notebooks"
_NOTEBOOKS = sorted(_FOLDER.glob("*.ipynb"))
_TEXTS = sorted(_FOLDER.glob("*.py"))


def test_each_notebook_has_its_text():
    assert _NOTEBOOKS
    assert [path.stem for path in _NOTEBOOKS] == [path.stem for path in _TEXTS]


@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.stem)
def test_text_and_notebook_agree(path):
    notebook, text = jupytext.read(path), jupytext.read(path.with_suffix(".py"))
    cells = [(cell.cell_type, cell.source) for cell in notebook.cells]
    assert cells == [(cell.cell_type, cell.source) for cell in text.cells], f"run `jupytext --sync {path.name}`"


@pytest.mark.keeps_state  # nbclient keeps its event loop
@pytest.mark.parametrize("path", _NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path):
    """An exception in any cell fails the test and is shown with its cell."""
    notebook = jupytext.read(path)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
