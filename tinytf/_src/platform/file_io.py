"""Functions on local files and directories, with TensorFlow's names and errors.

Functions whose names end in `_v2` differ in argument names only. Every file name may begin with `file://`.
"""

from __future__ import annotations

import binascii
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform import file_patterns
from tinytf._src.platform.file_stream import FileIO
from tinytf._src.platform.local_path import decoded, encoded, error_of, errors_about, local, scheme

__all__ = [
    "FileIO",
    "FileStatistics",
    "atomic_write_string_to_file",
    "copy",
    "copy_v2",
    "create_dir",
    "create_dir_v2",
    "delete_file",
    "delete_file_v2",
    "delete_recursively",
    "delete_recursively_v2",
    "file_crc32",
    "file_exists",
    "file_exists_v2",
    "filecmp",
    "get_matching_files",
    "get_matching_files_v2",
    "is_directory",
    "is_directory_v2",
    "list_directory",
    "list_directory_v2",
    "read_file_to_string",
    "recursive_create_dir",
    "recursive_create_dir_v2",
    "rename",
    "rename_v2",
    "stat",
    "stat_v2",
    "walk",
    "walk_v2",
    "write_string_to_file",
]

_FOLDER_MODE = 0o755
_CHUNK = 1 << 20  # bytes
_Listing = tuple[str, list[str], list[str]]


class FileStatistics(NamedTuple):
    """Length in bytes, modification time in nanoseconds (a whole number of seconds), and whether it is a directory."""

    length: int
    mtime_nsec: int
    is_directory: bool


@tf_export("gfile.Exists")
@called_by_users
def file_exists(filename: Any) -> bool:
    """Whether a file or directory of this name exists."""
    return os.access(local(filename), os.F_OK)


@tf_export("io.gfile.exists")
@called_by_users
def file_exists_v2(path: Any) -> bool:
    """Whether a file or directory of this name exists."""
    return file_exists(path)


@tf_export("gfile.Remove")
@called_by_users
def delete_file(filename: Any) -> None:
    """Deletes a file. Raises NotFoundError if it does not exist, FailedPreconditionError if it is a directory."""
    path = local(filename)
    with errors_about(filename):
        os.unlink(path)


@tf_export("io.gfile.remove")
@called_by_users
def delete_file_v2(path: Any) -> None:
    """Deletes a file. Raises NotFoundError if it does not exist, FailedPreconditionError if it is a directory."""
    delete_file(path)


@called_by_users
def read_file_to_string(filename: Any, binary_mode: bool = False) -> Any:
    """The whole content of a file: bytes if `binary_mode`, else str decoded from UTF-8."""
    with FileIO(filename, "rb" if binary_mode else "r") as file:
        return file.read()


@called_by_users
def write_string_to_file(filename: Any, file_content: Any) -> None:
    """Creates or replaces a file with `file_content`, bytes or str (encoded as UTF-8)."""
    with FileIO(filename, "w") as file:
        file.write(file_content)


@called_by_users
def atomic_write_string_to_file(filename: Any, contents: Any, overwrite: bool = True) -> None:
    """Like `write_string_to_file`, but atomic: the file is written under a temporary name and then renamed. Raises
    AlreadyExistsError if the file exists and `overwrite` is False."""
    with new_file_beside(filename) as beside:
        write_string_to_file(beside, contents)
        rename(beside, filename, overwrite)


@contextmanager
def new_file_beside(filename: Any) -> Iterator[str]:
    """Context manager that yields a temporary name beside `filename`, which the body writes and renames; if the body
    fails, the temporary file is deleted."""
    beside = f"{decoded(filename)}.tmp{uuid.uuid4().hex}"
    try:
        yield beside
    except BaseException:
        with suppress(errors_impl.OpError):  # the file is missing or cannot be deleted: the body's error matters more
            delete_file(beside)
        raise


@tf_export("gfile.Glob")
@called_by_users
def get_matching_files(filename: Any) -> list[str]:
    """The names of files that match a pattern (`*`, `?`, `[…]`), or any of a list of patterns. Raises NotFoundError if
    the directory of a pattern does not exist."""
    patterns = [filename] if isinstance(filename, str) else filename
    return [name for pattern in patterns for name in file_patterns.matching(pattern)]


@tf_export("io.gfile.glob")
@called_by_users
def get_matching_files_v2(pattern: Any) -> list[str]:
    """Like `tf.gfile.Glob`: the names of files that match a pattern, or any of a list of patterns."""
    return get_matching_files(pattern)


@tf_export("gfile.MkDir")
@called_by_users
def create_dir(dirname: Any) -> None:
    """Creates a directory; its parent must exist. Does nothing if the name exists already."""
    path = local(dirname)
    if path:
        with errors_about(dirname):
            _make_folder(path)


@tf_export("io.gfile.mkdir")
@called_by_users
def create_dir_v2(path: Any) -> None:
    """Creates a directory; its parent must exist. Does nothing if the name exists already."""
    create_dir(path)


def _make_folder(path: bytes) -> None:
    try:
        os.mkdir(path, _FOLDER_MODE)
    except FileExistsError:
        pass


@tf_export("gfile.MakeDirs")
@called_by_users
def recursive_create_dir(dirname: Any) -> None:
    """Creates a directory and its missing parents."""
    path = local(dirname)
    missing = []
    while path and not os.path.lexists(path):
        missing.append(path)
        path = os.path.dirname(path)
    with errors_about(dirname):
        for folder in reversed(missing):
            _make_folder(folder)


@tf_export("io.gfile.makedirs")
@called_by_users
def recursive_create_dir_v2(path: Any) -> None:
    """Creates a directory and its missing parents."""
    recursive_create_dir(path)


@tf_export("gfile.Copy")
@called_by_users
def copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """Copies a file; copying it onto itself does nothing. Raises AlreadyExistsError if `newpath` exists, unless
    `overwrite`; InvalidArgumentError if `oldpath` is a directory."""
    if not overwrite:
        _check_free(newpath)
    source, target = local(oldpath), local(newpath)
    if os.path.isdir(source):
        raise errors_impl.InvalidArgumentError(None, None, f"{decoded(newpath)}; Invalid argument")
    with errors_about(oldpath):
        reading = open(source, "rb")
    with reading:
        status = os.fstat(reading.fileno())
        if os.path.exists(target) and os.path.samestat(status, os.stat(target)):
            return
        with errors_about(newpath):
            with open(target, "wb", opener=lambda path, flags: os.open(path, flags, status.st_mode & 0o777)) as writing:
                shutil.copyfileobj(reading, writing)


@tf_export("io.gfile.copy")
@called_by_users
def copy_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Like `tf.gfile.Copy`: copies the file `src` to `dst`. Raises AlreadyExistsError if `dst` exists, unless
    `overwrite`."""
    copy(src, dst, overwrite)


def _check_free(path: Any) -> None:
    try:
        taken = file_exists(path)
    except errors_impl.UnimplementedError:
        return  # reported later: errors of the old name come first
    if taken:
        raise errors_impl.AlreadyExistsError(None, None, "file already exists")


@tf_export("gfile.Rename")
@called_by_users
def rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """Renames a file or directory atomically. Raises AlreadyExistsError if `newname` exists, unless `overwrite`;
    UnimplementedError if only one of the names has a `file://` prefix."""
    if not overwrite:
        _check_free(newname)
    source, target = local(oldname), local(newname)
    if scheme(encoded(oldname)) != scheme(encoded(newname)):
        text = f"Renaming {decoded(oldname)} to {decoded(newname)} not implemented"
        raise errors_impl.UnimplementedError(None, None, text)
    with errors_about(oldname):
        os.rename(source, target)


@tf_export("io.gfile.rename")
@called_by_users
def rename_v2(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Like `tf.gfile.Rename`: renames `src` to `dst`. Raises AlreadyExistsError if `dst` exists, unless `overwrite`."""
    rename(src, dst, overwrite)


@tf_export("gfile.DeleteRecursively")
@called_by_users
def delete_recursively(dirname: Any) -> None:
    """Deletes a directory and its contents; symbolic links inside it are deleted, not followed. Raises NotFoundError if
    it does not exist, FailedPreconditionError if it is not a directory."""
    path = local(dirname)
    if not os.path.lexists(path):
        raise errors_impl.NotFoundError(None, None, f"{decoded(dirname)} not found")
    if os.path.islink(path) or not os.path.isdir(path):
        raise errors_impl.FailedPreconditionError(None, None, f"{decoded(dirname)}; Not a directory")
    try:
        shutil.rmtree(path)
    except OSError as error:
        inner = error.filename
        raise error_of(inner if inner and encoded(inner).startswith(path) else dirname, error) from None


@tf_export("io.gfile.rmtree")
@called_by_users
def delete_recursively_v2(path: Any) -> None:
    """Like `tf.gfile.DeleteRecursively`: deletes a directory and its contents without following symbolic links."""
    delete_recursively(path)


@tf_export("gfile.IsDirectory")
@called_by_users
def is_directory(dirname: Any) -> bool:
    """Whether the name is that of a directory; False for names that are not local."""
    try:
        return os.path.isdir(local(dirname))
    except errors_impl.OpError:
        return False


@tf_export("io.gfile.isdir")
@called_by_users
def is_directory_v2(path: Any) -> bool:
    """Whether the name is that of a directory; False for names that are not local."""
    return is_directory(path)


@tf_export("gfile.ListDirectory")
@called_by_users
def list_directory(dirname: Any) -> list[str]:
    """The names of a directory's entries, in no particular order. Raises NotFoundError if there is no such
    directory."""
    if not is_directory(dirname):
        raise errors_impl.NotFoundError(None, None, f"Could not find directory {decoded(dirname)}")
    with errors_about(dirname):
        return [decoded(name) for name in os.listdir(local(dirname))]


@tf_export("io.gfile.listdir")
@called_by_users
def list_directory_v2(path: Any) -> list[str]:
    """The names of a directory's entries, in no particular order. Raises NotFoundError if there is no such
    directory."""
    return list_directory(path)


@tf_export("gfile.Walk")
def walk(top: Any, in_order: bool = True) -> Iterator[_Listing]:
    """Yields (directory, names of its directories, names of its files) for `top` and each directory below it: before
    its subdirectories if `in_order`, else after them. Directories that cannot be listed are skipped."""
    return walk_v2(top, in_order)


@tf_export("io.gfile.walk")
def walk_v2(
    top: Any, topdown: bool = True, onerror: Callable[[errors_impl.NotFoundError], Any] | None = None
) -> Iterator[_Listing]:
    """Like `tf.gfile.Walk`; `onerror`, if given, is called with the NotFoundError of each directory that cannot be
    listed."""
    name = decoded(top)
    try:
        names = list_directory(top)
    except errors_impl.NotFoundError as error:
        if onerror:
            onerror(error)
        return
    folders = [inner for inner in names if is_directory(os.path.join(name, inner))]
    known = set(folders)
    listing = (name, folders, [inner for inner in names if inner not in known])
    if topdown:
        yield listing
    for inner in folders:
        yield from walk_v2(os.path.join(name, inner), topdown, onerror)
    if not topdown:
        yield listing


@tf_export("gfile.Stat")
@called_by_users
def stat(filename: Any) -> FileStatistics:
    """The FileStatistics of a file or directory."""
    path = local(filename)
    with errors_about(filename):
        found = os.stat(path)
    return FileStatistics(found.st_size, int(found.st_mtime) * 10**9, os.path.isdir(path))


@tf_export("io.gfile.stat")
@called_by_users
def stat_v2(path: Any) -> FileStatistics:
    """The FileStatistics of a file or directory."""
    return stat(path)


@called_by_users
def filecmp(filename_a: Any, filename_b: Any) -> bool:
    """Whether two files have the same content."""
    with FileIO(filename_a, "rb") as one, FileIO(filename_b, "rb") as other:
        if one.size() != other.size():
            return False
        while chunk := one.read(_CHUNK):
            if chunk != other.read(_CHUNK):
                return False
    return True


@called_by_users
def file_crc32(filename: Any, block_size: int = 1 << 24) -> str:
    """The CRC-32 of a file as hexadecimal text; the file is read in blocks of `block_size` bytes."""
    crc = 0
    with FileIO(filename, "rb") as file:
        while chunk := file.read(block_size):
            crc = binascii.crc32(chunk, crc)
    return hex(crc)
