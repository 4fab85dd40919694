"""Conversion of file names to local paths, and of system errors to TensorFlow's errors.

Names without a scheme and `file://` names are local. Other schemes (`gs://`, `hdfs://`, …) are not supported.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._src.framework.errors import errors_impl

_URI = re.compile(rb"([a-zA-Z][0-9a-zA-Z.]*)://[^/]*")

# System error names by TensorFlow's error code; all others map to UNKNOWN.
_ERRNO_NAMES = {
    errors_impl.INVALID_ARGUMENT: (
        "EINVAL ENAMETOOLONG E2BIG EDESTADDRREQ EDOM EFAULT EILSEQ ENOPROTOOPT ENOSTR ENOTSOCK ENOTTY EPROTOTYPE ESPIPE"
    ),
    errors_impl.DEADLINE_EXCEEDED: "ETIMEDOUT ETIME",
    errors_impl.NOT_FOUND: "ENODEV ENOENT ENXIO ESRCH",
    errors_impl.ALREADY_EXISTS: "EEXIST EADDRNOTAVAIL EALREADY",
    errors_impl.PERMISSION_DENIED: "EPERM EACCES EROFS",
    errors_impl.FAILED_PRECONDITION: (
        "ENOTEMPTY EISDIR ENOTDIR EADDRINUSE EBADF EBUSY ECHILD EISCONN ENOTBLK ENOTCONN EPIPE ESHUTDOWN ETXTBSY"
    ),
    errors_impl.RESOURCE_EXHAUSTED: ("ENOSPC EDQUOT EMFILE EMLINK ENFILE ENOBUFS ENODATA ENOMEM ENOSR EUSERS"),
    errors_impl.OUT_OF_RANGE: "EFBIG EOVERFLOW ERANGE",
    errors_impl.UNIMPLEMENTED: (
        "EOPNOTSUPP ENOPKG ENOSYS ENOTSUP EAFNOSUPPORT EPFNOSUPPORT EPROTONOSUPPORT ESOCKTNOSUPPORT EXDEV"
    ),
    errors_impl.UNAVAILABLE: (
        "EAGAIN ECOMM ECONNREFUSED ECONNABORTED ECONNRESET EINTR EHOSTDOWN EHOSTUNREACH ENETDOWN ENETRESET ENETUNREACH "
        "ENOLCK ENOLINK ENONET"
    ),
    errors_impl.ABORTED: "EDEADLK ESTALE",
    errors_impl.CANCELLED: "ECANCELED",
}
_CODES = {
    getattr(errno, name): code
    for code, names in _ERRNO_NAMES.items()
    for name in names.split()
    if hasattr(errno, name)  # not every system has all of them
}


def encoded(path: Any) -> bytes:
    """The name as bytes. Raises TypeError if it is not str, bytes or a path."""
    if isinstance(path, os.PathLike):
        path = os.fspath(path)
    if isinstance(path, str):
        return path.encode("utf-8", "surrogateescape")
    if isinstance(path, (bytes, bytearray)):
        return bytes(path)
    raise TypeError(f"Expected binary or unicode string, got {path!r}")


def decoded(path: Any) -> str:
    """The name as str; bytes that are not UTF-8 survive a round trip through `encoded`."""
    return path.decode("utf-8", "surrogateescape") if isinstance(path, bytes) else str(path)


def scheme(path: bytes) -> bytes:
    """The scheme of a name, the part before `://`; empty if it has none."""
    match = _URI.match(path)
    return match[1] if match else b""


def local(path: Any) -> bytes:
    """The normalized local path of a name, without `.`, `..` and redundant slashes.

    Raises UnimplementedError for schemes other than `file`, InvalidArgumentError for names with a null byte.
    """
    name = encoded(path)
    match = _URI.match(name)
    if match:
        if match[1] != b"file":
            text = f"File system scheme '{decoded(match[1])}' not implemented (file: '{decoded(name)}')"
            raise errors_impl.UnimplementedError(None, None, text)
        name = name[match.end() :]
    if b"\0" in name:
        raise errors_impl.InvalidArgumentError(None, None, f"{decoded(name)!r}; the name has a null byte")
    if not name:
        return name
    clean = os.path.normpath(name)
    return clean[1:] if clean.startswith(b"//") else clean


def error_of(path: Any, error: OSError) -> errors_impl.OpError:
    """The TensorFlow error for a system error about this file."""
    code = _CODES.get(error.errno or 0, errors_impl.UNKNOWN)
    text = os.strerror(error.errno) if error.errno else str(error)
    return errors_impl.make_specific_exception(None, None, f"{decoded(path)}; {text}", code)


@contextmanager
def errors_about(path: Any) -> Iterator[None]:
    """Context manager that converts system errors of its body to TensorFlow's errors about this file."""
    try:
        yield
    except OSError as error:
        if isinstance(error, errors_impl.OpError):
            raise
        raise error_of(path, error) from None
