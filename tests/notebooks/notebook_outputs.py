"""Executes notebooks and stores the outputs of their cells: `python tests/notebooks/notebook_outputs.py` does so
for all.
"""

import re
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
_IN_KERNEL = re.compile(r"/[^\s'\"]*/ipykernel_\d+/")
_IN_PACKAGE = re.compile(r"/[^\s'\"]*/site-packages/")
_NUMBER = re.compile(r"0x[0-9a-f]+|\d[\d.,]*(?:e[+-]?\d+,?)?")  # with a comma behind it, however it is written


def executed(path, folder):
    """The notebook after a run in the folder, without parts that differ between runs or machines."""
    notebook = jupytext.read(path)
    resources = {"metadata": {"path": folder}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", coalesce_streams=True, resources=resources).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            for key in ("text", "traceback", "evalue"):
                if key in output:
                    output[key] = _placeless(output[key], folder)
            for kind, value in output.get("data", {}).items():
                if kind.startswith("text/"):
                    output["data"][kind] = _placeless(value, folder)
    return notebook


def _placeless(text, folder):
    if isinstance(text, list):
        return [_placeless(line, folder) for line in text]
    return _IN_PACKAGE.sub("", _IN_KERNEL.sub("", text.replace(f"{folder}/", "").replace(str(folder), "")))


def shown(notebook):
    """The output of each code cell, without numbers, which may be times: kinds of outputs and texts."""
    return [[_described(output) for output in cell.outputs] for cell in notebook.cells if cell.cell_type == "code"]


def _described(output):
    data = output.get("data", {})
    # An output with HTML is compared by its kinds only: its text has all values, which depend on the moment.
    texts = output.get("text") or ("" if "text/html" in data else data.get("text/plain")) or ""
    return output.output_type, sorted(data), _NUMBER.sub("#", texts)


if __name__ == "__main__":
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(executed(path, Path(folder)), path)
            print(path.name)
