"""`tf.app`: the run of a program with flags."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tinytf.exports import tf_export


@tf_export("app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Reads the flags from `argv`, or `sys.argv`, and ends the process with what `main` returns as its exit status.

    `main` gets the program's name and what is no flag that the program defines: unknown flags do not hurt. Without it,
    `main` of the module `__main__` runs.
    """
    from absl import app

    main = main or sys.modules["__main__"].main
    app.run(main=main, argv=argv, flags_parser=_read_known)


def _read_known(argv: list[str] | None) -> list[str]:
    from tinytf.platform.flags import FLAGS

    return FLAGS(sys.argv if argv is None else argv, known_only=True)
