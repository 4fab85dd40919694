"""`tf.app`: runs a program with command-line flags."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tinytf._src.exports import tf_export


@tf_export("app.run")
def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> None:
    """Parses the flags, calls `main`, and exits the process with its return value as status.

    Args:
      main: callable that takes a list of str: the program's name and the arguments that are not flags of the program.
        None means `main` of the module `__main__`. Unknown flags are passed through.
      argv: list of str, the command line with the program's name; None means `sys.argv`.

    Example:
      def main(argv):
        print(tf.flags.FLAGS.steps)

      if __name__ == "__main__":
        tf.app.run()
    """
    from absl import app

    main = main or sys.modules["__main__"].main
    app.run(main=main, argv=argv, flags_parser=_read_known)


def _read_known(argv: list[str] | None) -> list[str]:
    from tinytf._src.platform.flags import FLAGS

    return FLAGS(sys.argv if argv is None else argv, known_only=True)
