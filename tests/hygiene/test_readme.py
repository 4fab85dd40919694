"""The commands in README.md exist and its example prints the documented output."""

import re
import subprocess
import sys

from repository import ROOT

_README = (ROOT / "README.md").read_text()


def test_make_commands_exist():
    promised = set(re.findall(r"^    make ([\w-]+)", _README, re.MULTILINE))
    assert {"demo", "test", "dev"} <= promised
    makefile = (ROOT / "Makefile").read_text()
    targets = {name for line in re.findall(r"^([\w -]+):(?!=)", makefile, re.MULTILINE) for name in line.split()}
    assert promised <= targets, promised - targets


def test_links_lead_somewhere():
    local = [link for link in re.findall(r"\]\(([^)]+)\)", _README) if "://" not in link]
    assert local
    missing = [link for link in local if not (ROOT / link).exists()]
    assert not missing, missing


def test_example_prints_what_is_shown(tmp_path):
    code = re.search(r"```python\n(.*?)```", _README, re.DOTALL)
    shown = re.search(r"```\n\n((?:    .*\n)+)", _README)
    assert code and shown
    done = subprocess.run(
        [sys.executable, "-c", code.group(1)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "".join(line[4:] for line in shown.group(1).splitlines(keepends=True))
    assert not done.stderr
