"""Paths in the working tree and in the installed package."""

import functools
import importlib.util
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
CSRC = ROOT / "csrc"
PACKAGE = ROOT / "tinytf"
IMPLEMENTATION = PACKAGE / "_src"


def cpp_files(folder=CSRC):
    """All C++ files under `folder`, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix in {".h", ".cc"})


def python_files(folder=PACKAGE):
    """All Python files under `folder`, sorted; stubs are not among them."""
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


@functools.cache
def installed_package():
    """The folder that `import tinytf` loads."""
    spec = importlib.util.find_spec("tinytf")
    assert spec and spec.origin, "tinytf is not installed"
    return Path(spec.origin).parent


@functools.cache
def tracked_files():
    """Paths (relative to ROOT) of tracked and untracked, not ignored files; None outside a git checkout."""
    if not (ROOT / ".git").exists():
        return None
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return [Path(name) for name in listed if name and (ROOT / name).is_file()]
