"""`import tinytf` only defines names: it starts no thread, prints nothing, loads nothing heavy and is fast."""

import json
import os
import shutil
import subprocess
import sys

from repository import PACKAGE

from tinytf import _core

_PROBE = """
import json, os, sys, time, traceback  # which loads more in some Pythons
import numpy
threads = lambda: len(os.listdir("/proc/self/task"))
rss = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
threads_before, rss_before, loaded, start = threads(), rss(), set(sys.modules), time.perf_counter()
import tinytf
seconds = time.perf_counter() - start
heavy = [name for name in ("google.protobuf", "scipy", "matplotlib", "tensorflow", "ml_dtypes") if name in sys.modules]
slow = [name for name in ("asyncio", "dataclasses", "difflib", "hashlib", "pprint", "unittest")
        if name in sys.modules and name not in loaded]
print(json.dumps({"slow": slow, "seconds": seconds, "threads": threads() - threads_before, "heavy": heavy,
                  "rss": rss(), "rss_over_numpy": rss() - rss_before}))
"""


def _probe(tmp_path):
    done = subprocess.run([sys.executable, "-c", _PROBE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_import_does_no_work(tmp_path):
    done = _probe(tmp_path)
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(done.stdout.splitlines()) == 1 and done.stderr == ""
    assert found["threads"] == 0
    assert not set(found["heavy"]) - {"ml_dtypes"}, found["heavy"]
    assert not found["slow"], "import these where they are used"


def test_import_costs(tmp_path, record_property):
    """The best of three measurements is reported but not asserted, because timing on a shared machine is unreliable."""
    found = min((json.loads(_probe(tmp_path).stdout) for _ in range(3)), key=lambda probe: probe["seconds"])
    print(f"import over NumPy {found['seconds'] * 1e3:.0f} ms, RSS {found['rss'] / 1e6:.0f} MB")
    for name in ("seconds", "rss"):
        record_property(f"import_{name}", found[name])


def test_exit_is_silent(tmp_path):
    program = "import tinytf as tf; sess = tf.Session(); print(sess.run(tf.constant(2) * 3))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "6\n", "")


def test_a_package_without_engine_says_what_to_do(tmp_path):
    folder = tmp_path / "tinytf"
    (folder / "_src").mkdir(parents=True)
    for name in ("__init__.py", "_src/__init__.py", "_src/_main_interpreter.py"):
        shutil.copy(PACKAGE / name, folder / name)
    command = [sys.executable, "-S", "-c", "import tinytf"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: There is no engine compiled for this Python in {folder}. ")
    assert "pip install ." in last and "make dev" in last and "circular" not in done.stderr


def _with_level(level, tmp_path):
    program = "import tinytf as tf; from tinytf import _core; tf.Session().run(tf.zeros([2]) + 1); print(_core.isa())"
    command = [sys.executable, "-W", "ignore", "-c", program]
    environment = {**os.environ, "TINYTF_ISA": level}
    return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_the_environment_chooses_a_level(tmp_path):
    for level in ("generic", "avx2", "avx512"):
        if _core.has_isa(level):
            done = _with_level(level, tmp_path)
            assert (done.returncode, done.stdout) == (0, f"{level}\n"), done.stderr


def test_a_level_that_does_not_exist_is_an_error(tmp_path):
    done = _with_level("nonsense", tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    error = done.stderr.splitlines()[-1]
    assert error.startswith("ImportError: The environment sets TINYTF_ISA to 'nonsense'") and "generic" in error
