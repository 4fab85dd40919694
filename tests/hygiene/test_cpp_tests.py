"""Every header of the engine has a C++ test file with a matching name."""

import re

import pytest
from repository import CSRC, ROOT

_TESTS = ROOT / "tests/cpp"
_ROOMS = ("base", "tensor", "services", "handles", "io", "op", "data", "graph", "runtime")
# Headers without a test file of their own: the test files that cover them, and the reason.
_EXCEPTIONS = {
    "base/crc32c_way.h": (("test_crc32c.cc", "test_crc32c_x86.cc"), "one type"),
    "graph/function_body.h": (("test_instantiate.cc", "test_function_def_of.cc"), "plain data"),
    "graph/passes/guards.h": (("test_find_guards.cc", "test_switch_predicates.cc"), "filled by find_guards only"),
    "op/all_ops.h": (("test_op_registry.cc",), "one function, which the build generates"),
    "graph/node_def.h": (("test_graph_def.cc", "test_function_def_of.cc"), "parts of the messages that those write"),
    "graph/node.h": (("test_graph.cc", "test_constant_value.cc"), "plain data, filled and changed by Graph only"),
    "handles/core_options.h": (("test_session_core.cc", "test_reclaim.cc"), "plain data"),
    "handles/core_stats.h": (("test_session_core.cc", "test_core_testing.cc"), "plain data"),
    "tensor/block_access.h": (("test_allocator.cc", "test_allocator_idle.cc"), "nothing but for a sanitizer"),
    "op/value_graph.h": (("test_dataset.cc",), "the interface of one codec, which programs of tests/data run"),
    "runtime/functions/value_graph.h": (
        ("test_function_runtime.cc",),
        "one function, which programs of tests/data run",
    ),
    "runtime/functions/source_in_graph.h": (("test_function_runtime.cc",), "FunctionRuntime::source makes it"),
    "runtime/plan/write_bytecode.h": (("test_bytecode.cc",), "one function, which build_bytecode calls"),
    "data/dataset_graph.h": (("test_dataset.cc",), "two calls of the codec, which programs of tests/data run"),
    "data/shared_state.h": (("test_pipeline_tasks.cc",), "one interface"),
    "data/statistics.h": (("test_background_stage.cc",), "one interface"),
    "op/registration.h": (("test_op_registry.cc",), "one macro, which every file under ops/ goes through"),
}
# Test files for a part of a header whose own test file would be too long.
_PARTS = {
    "allocator_idle": "allocator",
    "subgraph_cse": "subgraph",
    "subgraph_drop_unread": "subgraph",
    "subgraph_fold": "subgraph",
    "scheduler_threads": "scheduler",
}
_CASE = re.compile(r"^TINYTF_TEST\((\w+)\)", re.MULTILINE)


def _headers():
    """The headers of the rooms, as include paths."""
    return sorted(path.relative_to(CSRC).as_posix() for room in _ROOMS for path in (CSRC / room).glob("**/*.h"))


def _lacks(header, file):
    """The reason why tests/cpp/`file` is not a test of `header`, as a sentence; None if it is."""
    path = _TESTS / file
    if not path.is_file():
        return f"{header} has no tests: write tests/cpp/{file}"
    text = path.read_text()
    first = re.search(r'^#include "([^"]+)"', text, re.MULTILINE)
    if not first or first[1] != header:
        return f"tests/cpp/{file} must include {header} first"
    return None if _CASE.search(text) else f"tests/cpp/{file} has no case"


@pytest.mark.parametrize("header", _headers())
def test_header_has_tests(header):
    if header not in _EXCEPTIONS:
        name = header.rsplit("/", 1)[1].removesuffix(".h")
        wanted = [f"test_{part}.cc" for part in (name, *(part for part, whole in _PARTS.items() if whole == name))]
        assert not [text for text in (_lacks(header, file) for file in wanted) if text]


def test_exceptions_are_needed_and_true():
    headers = set(_headers())
    for header, (covering, reason) in _EXCEPTIONS.items():
        assert header in headers, f"{header} is no header any more"
        own = "test_" + header.rsplit("/", 1)[1].replace(".h", ".cc")
        assert not (_TESTS / own).exists(), f"{header} has {own}: it is no exception any more"
        assert reason
        assert all((_TESTS / file).is_file() for file in covering)


def test_case_names_are_unique():
    """The test binary selects cases by name."""
    names = [name for path in sorted(_TESTS.glob("*.cc")) for name in _CASE.findall(path.read_text())]
    assert sorted(set(names)) == sorted(names)


def test_the_check_itself_finds():
    assert "has no tests" in _lacks("base/no_such.h", "test_no_such.cc")
    assert "must include" in _lacks("base/dtype.h", "test_half.cc")
