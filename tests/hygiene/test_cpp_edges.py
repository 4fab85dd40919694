"""Includes between folders of the engine go in one direction only."""

import re

import pytest
from python_imports import circles
from repository import CSRC, cpp_files

_BELOW_OPS = {"base", "tensor", "services", "io", "op", "data", "kernels"}
_BELOW_GRAPH = {"base", "tensor", "services", "io", "op"}
_BELOW_RUNTIME = _BELOW_GRAPH | {"graph", "graph/passes"}
_RUNTIME = {
    "runtime/plan",
    "runtime/step",
    "runtime/observe",
    "runtime/functions",
    "runtime/session",
    "runtime/eager",
}
ALLOWED = {
    "base": set(),
    "tensor": {"base"},
    "services": {"base", "tensor"},
    "handles": {"base", "tensor", "services"},
    "io": {"base", "tensor", "services"},
    "op": {"base", "tensor", "services"},
    "data": {"base", "tensor", "services", "op"},
    "graph": _BELOW_GRAPH,
    "graph/passes": _BELOW_GRAPH | {"graph"},
    "runtime/plan": _BELOW_RUNTIME,
    "runtime/step": _BELOW_RUNTIME | {"runtime/plan"},
    "runtime/observe": _BELOW_RUNTIME | {"runtime/plan"},
    "runtime/functions": _BELOW_RUNTIME | {"runtime/plan", "runtime/step"},
    "runtime/session": _BELOW_RUNTIME | {"handles", "runtime/plan", "runtime/step", "runtime/functions"},
    "runtime/eager": _BELOW_RUNTIME | {"handles", "runtime/step", "runtime/functions"},
    "kernels": {"base"},
    "ops": _BELOW_OPS,
    "python": (_BELOW_OPS - {"data"}) | _BELOW_RUNTIME | _RUNTIME | {"handles", "ops"},
}
# The only use of Eigen outside the kernels: the work-stealing queue of the thread pool.
EIGEN_ELSEWHERE = {"services/thread_pool.cc"}

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def _includes(path):
    """The (quoted, target) pairs of a file."""
    return [(mark == '"', target) for mark, target in _INCLUDE.findall(path.read_text())]


def _room(name):
    """The room of csrc/`name`: its folder or the parent of that."""
    folder = name.rsplit("/", 1)[0]
    return folder if folder in ALLOWED else folder.split("/")[0]


def _bad_edges(name, includes):
    """The violations among the includes of csrc/`name`, as sentences."""
    room = _room(name)
    for quoted, target in includes:
        if quoted:
            other = _room(target)
            if "/" not in target or ".." in target or other not in ALLOWED:
                yield f'{name} includes "{target}": write the path from csrc/ on, and <> for headers of others'
            elif other != room and other not in ALLOWED[room]:
                yield f"{name} includes {target}: {room}/ may not see {other}/"
        elif re.match(r"(unsupported/)?Eigen/", target):
            if room != "kernels" and name not in EIGEN_ELSEWHERE:
                yield f"{name} includes {target}: Eigen belongs into kernels/"
        elif target.startswith("pybind11/") or target == "Python.h":
            if room != "python":
                yield f"{name} includes {target}: the Python API belongs into python/"
        elif target == "iostream" and name.endswith(".h"):
            yield f"{name} includes <iostream>: a header does not drag it in"


def test_rooms_are_known():
    assert {_room(path.relative_to(CSRC).as_posix()) for path in cpp_files()} <= set(ALLOWED)


def test_includes_run_one_way():
    wrong = []
    for path in cpp_files():
        wrong += _bad_edges(path.relative_to(CSRC).as_posix(), _includes(path))
    assert not wrong, "\n".join(wrong)


def _successors(part_of):
    """The parts of the engine that each part includes. `part_of` maps the path of a file below csrc/ to its part, or to
    None for files that do not count.
    """
    graph = {}
    for path in cpp_files():
        part = part_of(path.relative_to(CSRC).as_posix())
        others = {part_of(target) for quoted, target in _includes(path) if quoted}
        graph.setdefault(part, set()).update(others - {part, None})
    graph.pop(None, None)
    return graph


def test_files_include_each_other_one_way():
    """A header and the source file beside it are one node."""
    assert not circles(_successors(lambda name: name.rsplit(".", 1)[0]))


def test_families_of_ops_include_each_other_one_way():
    assert not circles(_successors(lambda name: name.split("/")[1] if name.startswith("ops/") else None))


def test_own_header_comes_first():
    wrong = []
    for path in cpp_files():
        header = path.with_suffix(".h")
        if path.suffix == ".cc" and header.exists():
            own = header.relative_to(CSRC).as_posix()
            quoted = [target for _, target in _includes(path)]
            if quoted[:1] != [own]:
                wrong.append(f"{path.relative_to(CSRC)} must include {own} first")
    assert not wrong, "\n".join(wrong)


def test_headers_are_guarded():
    wrong = [str(p) for p in cpp_files() if p.suffix == ".h" and "#pragma once" not in p.read_text()]
    assert not wrong, wrong
    leaks = [str(p) for p in cpp_files() if p.suffix == ".h" and re.search(r"^using namespace", p.read_text(), re.M)]
    assert not leaks, leaks


@pytest.mark.parametrize(
    ("name", "target", "quoted"),
    [
        ("base/a.h", "tensor/shape.h", True),
        ("kernels/a.cc", "tensor/tensor.h", True),
        ("ops/math/a.cc", "graph/graph.h", True),
        ("services/a.h", "handles/session_core.h", True),
        ("op/a.h", "handles/async_value.h", True),
        ("ops/data_flow/a.cc", "handles/session_core.h", True),
        ("data/a.cc", "ops/state/variable.h", True),
        ("runtime/step/a.cc", "data/iterator.h", True),
        ("runtime/plan/a.cc", "python/convert.h", True),
        ("runtime/plan/a.cc", "runtime/step/execute.h", True),
        ("graph/a.cc", "graph/passes/fold.h", True),
        ("tensor/a.cc", "Eigen/Core", False),
        ("op/a.h", "pybind11/pybind11.h", False),
        ("op/a.cc", "kernel.h", True),
    ],
)
def test_the_check_itself_finds(name, target, quoted):
    assert list(_bad_edges(name, [(quoted, target)]))
