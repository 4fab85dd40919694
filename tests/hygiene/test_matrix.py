"""The rows of `make matrix`, the versions that a release builds and tests, and pyproject.toml agree."""

import importlib.util
import re

from repository import ROOT

_PROJECT = (ROOT / "pyproject.toml").read_text()


def _matrix():
    spec = importlib.util.spec_from_file_location("matrix", ROOT / ".ci/matrix.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _setting(name):
    found = re.search(rf'^{name} = ("""(?:.|\n)*?"""|.*$)', _PROJECT, re.MULTILINE)
    assert found, name
    return found.group(1)


def test_wheels_are_released_of_what_the_matrix_tries():
    matrix = _matrix()
    released = {f"3.{minor}" for minor in re.findall(r"cp3(\d+)-", _setting("build"))}
    named = set(re.findall(r"Python :: (3\.\d+)", _PROJECT))
    assert named and named <= released <= set(matrix.PYTHONS)
    assert released <= set(matrix.OLDEST_NUMPY)


def test_released_wheels_run_the_tests_of_the_matrix():
    tried = re.findall(r"\{project\}/(\S+?)[\s\"]", _setting("test-command"))
    assert tried == _matrix().SMOKE
    assert all((ROOT / path).exists() for path in tried)


def test_the_oldest_libraries_are_those_that_are_allowed():
    matrix = _matrix()
    least = dict(re.findall(r'"([\w-]+)>=([\d.]+)"', _setting("dependencies")))
    tried = dict(requirement.split("==") for requirement in matrix.OLDEST)
    tried["protobuf"] = min(matrix.OLDEST_PROTOBUF.values(), key=lambda version: [int(n) for n in version.split(".")])
    tried["numpy"] = matrix.OLDEST_NUMPY[min(matrix.OLDEST_NUMPY, key=lambda name: int(name.split(".")[1]))]
    assert {name: version.removesuffix(".0") for name, version in tried.items()} == least
