"""The package's logger. `logging` is imported at the first message: importing the package must stay quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tinytf.exports import tf_export

if TYPE_CHECKING:
    import logging


@tf_export("get_logger")
def logger() -> logging.Logger:
    """The logger `tinytf`; its warnings and errors reach the user through logging's last resort."""
    import logging

    return logging.getLogger("tinytf")
