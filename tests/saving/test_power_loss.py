"""If the power fails while checkpoints are saved with `durable`, every completed save is on the disk; without,
whatever can be restored is a checkpoint as it was saved. An exported model is complete or absent.
"""

from pathlib import Path

import pytest
from programs import run_python

_PROGRAM = str(Path(__file__).with_name("saves_without_power.py"))
_DURABLE = [
    "plain there",
    "plain again there",
    "plain made",
    "plain eager made",
    "sharded there",
    "sharded again there",
    "early there",
    "early again there",
    "plain async made",
    "plain async again there",
    "plain async eager again made",
    "sharded async there",
    "early async sharded there",
    "monitored deep",
    "monitored async deep",
    "objects deep",
    "objects again there",
    "objects eager again deep",
    "manager deep",
    "manager eager deep",
    "models deep",
    "models simple there",
    "models async text there",
]
_OTHERS = ["plain there", "sharded again there", "plain async there", "objects there"]


def _looked_at(folder, way):
    """The numbers of checked moments, checked states, and refused states."""
    done = run_python(_PROGRAM, str(folder / "disk"), *way.split(), timeout=300)
    assert done.returncode == 0, done.stderr
    return map(int, done.stdout.split())


@pytest.mark.hooks
@pytest.mark.parametrize("way", _DURABLE)
def test_what_was_saved_is_there(memory_path, way):
    moments, states, refused = _looked_at(memory_path, f"{way} durable")
    assert moments > 40 and states > 10
    assert not refused


@pytest.mark.hooks
@pytest.mark.parametrize("way", _OTHERS)
def test_nothing_else_is_restored(memory_path, way):
    moments, states, refused = _looked_at(memory_path, way)
    assert moments > 40 and states > moments
    assert refused
