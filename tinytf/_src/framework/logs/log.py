"""The package's logger. `logging` is imported at the first message, to keep the import of the package fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tinytf._src.exports import tf_export

if TYPE_CHECKING:
    import logging


@tf_export("get_logger")
def logger() -> logging.Logger:
    """The package's logger, a `logging.Logger` named "tinytf" ("tensorflow" in programs that import tinytf under that
    name)."""
    import logging

    return logging.getLogger("tinytf")
