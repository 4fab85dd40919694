"""`import tinytf` does nothing but define names: no thread, no output, nothing heavy loaded, little time."""

import json
import subprocess
import sys

_PROBE = """
import json, os, sys, time
import numpy
threads = lambda: len(os.listdir("/proc/self/task"))
rss = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE")
threads_before, rss_before, start = threads(), rss(), time.perf_counter()
import tinytf
seconds = time.perf_counter() - start
heavy = [name for name in ("google.protobuf", "scipy", "matplotlib", "tensorflow", "ml_dtypes") if name in sys.modules]
print(json.dumps({"seconds": seconds, "threads": threads() - threads_before, "heavy": heavy,
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


def test_import_costs(tmp_path, record_property):
    """The best of three is printed and recorded, not asserted: a shared machine would make it a coin toss."""
    found = min((json.loads(_probe(tmp_path).stdout) for _ in range(3)), key=lambda probe: probe["seconds"])
    print(f"import over NumPy {found['seconds'] * 1e3:.0f} ms, RSS {found['rss'] / 1e6:.0f} MB")
    for name in ("seconds", "rss"):
        record_property(f"import_{name}", found[name])


def test_exit_is_silent(tmp_path):
    program = "import tinytf as tf; sess = tf.Session(); print(sess.run(tf.constant(2) * 3))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "6\n", "")
