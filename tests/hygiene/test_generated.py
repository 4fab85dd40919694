"""Generated stubs and pages are up to date, and the hand-written stub matches the extension."""

import ast
import subprocess
import sys
from pathlib import Path

from repository import IMPLEMENTATION, PACKAGE, ROOT

from tinytf import _core
from tinytf._gen import public_names
from tinytf._src.tools import reference

# The folder with files written by the build.
_WRITTEN = Path(public_names.__file__).parent


def test_stubs_are_fresh():
    command = [sys.executable, "-m", "tinytf._src.tools.stubs", "--check"]
    done = subprocess.run(command, cwd=PACKAGE.parent / "tests", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_build_writes_is_no_source():
    written = {path.name for path in _WRITTEN.glob("*.py")}
    sources = {path.name for path in (PACKAGE / "_gen").glob("*.py")} - {"__init__.py"}
    assert sources == {"gen_ops.py", "raw_ops.py"}
    assert written >= {"math_ops.py", "op_functions.py", "public_names.py", "namespaces.py"}


def test_the_build_needs_no_more_than_it_asks_for(tmp_path):
    """The generator loads only the engine and parts of the package, without the package's own requirements."""
    program = (
        "import sys, runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')\n"
        "print(*{name.partition('.')[0] for name in sys.modules} & {'absl', 'google', 'ml_dtypes'})"
    )
    command = [sys.executable, "-c", program, IMPLEMENTATION / "tools/build.py", _core.__file__, tmp_path]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
    for path in tmp_path.iterdir():
        assert path.read_text() == (_WRITTEN / path.name).read_text(), path.name


def test_reference_pages_are_fresh():
    stale = [path.name for path, text in reference.generate(ROOT).items() if path.read_text() != text]
    assert not stale, f"run python tinytf/_src/tools/reference.py: {', '.join(stale)}"


def _stub_names(body):
    """Yields public names defined in a stub, with class members as `Class.member`."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield node.name
            yield from (f"{node.name}.{name}" for name in _stub_names(node.body))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _is_public(name):
    return not name.rsplit(".", 1)[-1].startswith("_")


def _module_names():
    """Yields public names of the extension and the members its classes define themselves."""
    for name, value in vars(_core).items():
        if name.startswith("_") or name == "testing":  # released builds do not have `testing`
            continue
        yield name
        if isinstance(value, type) and value.__module__ == _core.__name__:
            yield from (f"{name}.{member}" for member in vars(value) if not member.startswith("_"))


def test_stub_matches_the_extension():
    stub = ast.parse((PACKAGE / "_core.pyi").read_text())
    stubbed = {name for name in _stub_names(stub.body) if _is_public(name)}
    real = set(_module_names())
    assert not real - stubbed, f"missing in _core.pyi: {sorted(real - stubbed)}"
    assert not stubbed - real, f"in _core.pyi, not in the extension: {sorted(stubbed - real)}"
