"""Deletion of old exports."""

from __future__ import annotations

import os

from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io


def delete_old_exports(folder: str, keep: int) -> None:
    """Deletes all but the `keep` newest exports of a directory. Exports have names of ten digits, a time."""
    names = [name.rstrip("/") for name in file_io.list_directory(folder)]
    exports = sorted((name for name in names if len(name) == 10 and name.isdigit()), key=int)
    for name in exports[:-keep]:
        path = os.path.join(folder, name)
        try:
            file_io.delete_recursively(path)
        except errors_impl.NotFoundError as error:  # another process has deleted it
            tf_logging.warning("Can not delete %s recursively: %s", path, error)
