"""Finds the build folders of this Python's extension and of its engine."""

import re
import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]


def extension_folder():
    """The build folder of the extension for this Python; None if it was built elsewhere."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}-"
    return next((path.parent for path in sorted(_ROOT.glob(f"build/{tag}*/CMakeCache.txt"))), None)


def engine_folder():
    """The build folder of that extension's engine, which other Pythons may share; None if it was built elsewhere."""
    build = extension_folder()
    named = re.search(r"^TINYTF_ENGINE:INTERNAL=(.+)$", (build / "CMakeCache.txt").read_text(), re.M) if build else None
    return Path(named.group(1)) if named else build
