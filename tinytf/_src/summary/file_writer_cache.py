"""Shares one `FileWriter` for each directory."""

from __future__ import annotations

import os
import threading
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.summary.file_writer import FileWriter


@tf_export("summary.FileWriterCache")
class FileWriterCache:
    """A process-wide cache of `FileWriter`s by directory. Thread-safe."""

    _cache: dict[Any, FileWriter] = {}  # shared by the whole process
    _lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)

    @staticmethod
    def clear() -> None:
        """Closes all writers and empties the cache."""
        with FileWriterCache._lock:
            writers = list(FileWriterCache._cache.values())
            FileWriterCache._cache.clear()
            for writer in writers:
                writer.close()

    @staticmethod
    def get(logdir: Any) -> FileWriter:
        """Returns the `FileWriter` of a directory; a new one writes the default graph first."""
        with FileWriterCache._lock:
            writer = FileWriterCache._cache.get(logdir)
            if writer is None:
                from tinytf._src.framework.graph.default_graph import get_default_graph

                writer = FileWriterCache._cache[logdir] = FileWriter(logdir, graph=get_default_graph())
            return writer
