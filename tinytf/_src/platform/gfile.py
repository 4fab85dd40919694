"""`tf.gfile`: files and directories with the names of TensorFlow 1."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.platform.file_io import copy as Copy
from tinytf._src.platform.file_io import create_dir as MkDir
from tinytf._src.platform.file_io import delete_file as Remove
from tinytf._src.platform.file_io import delete_recursively as DeleteRecursively
from tinytf._src.platform.file_io import file_exists as Exists
from tinytf._src.platform.file_io import get_matching_files as Glob
from tinytf._src.platform.file_io import is_directory as IsDirectory
from tinytf._src.platform.file_io import list_directory as ListDirectory
from tinytf._src.platform.file_io import recursive_create_dir as MakeDirs
from tinytf._src.platform.file_io import rename as Rename
from tinytf._src.platform.file_io import stat as Stat
from tinytf._src.platform.file_io import walk as Walk
from tinytf._src.platform.file_stream import FileIO

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]


@tf_export("gfile.GFile", "gfile.Open", "io.gfile.GFile")
class GFile(FileIO):
    """A file, read as str unless the mode contains "b". Opened at the first read or write. Not thread-safe.

    Args:
      name: str, bytes or path; a `file://` prefix is allowed.
      mode: one of "r", "w", "a", "r+", "w+" and "a+", optionally with "b".

    Raises:
      InvalidArgumentError: for other modes.

    Example:
      with tf.gfile.GFile("/tmp/notes.txt", "w") as f:
        f.write("a line")
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        super().__init__(name, mode)


@tf_export("gfile.FastGFile")
class FastGFile(FileIO):
    """The same as `GFile`."""

    def __init__(self, name: Any, mode: str = "r") -> None:
        super().__init__(name, mode)


Open = GFile

tf_export("gfile").namespace(__doc__)
