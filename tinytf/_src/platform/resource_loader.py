"""`tf.resource_loader`: paths of data files that are installed beside a program's modules."""

from __future__ import annotations

import os
import sys

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user


def _folder_of_caller() -> str:
    return os.path.dirname(sys._getframe(2).f_code.co_filename)


@tf_export("resource_loader.load_resource")
@called_by_users
def load_resource(path: str) -> bytes:
    """Reads a file of the tinytf package.

    Args:
      path: str, relative to the package's directory.

    Returns:
      bytes, the content of the file.
    """
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(package, path), "rb") as file:
        return file.read()


@tf_export("resource_loader.get_data_files_path")
def get_data_files_path() -> str:
    """The directory of the calling module, as str."""
    return _folder_of_caller()


@tf_export("resource_loader.get_root_dir_with_all_resources")
def get_root_dir_with_all_resources() -> str:
    """The directory of the module `tinytf._src.platform.resource_loader`, as str."""
    return os.path.dirname(__file__)


@tf_export("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path: str) -> str:
    """The path of a data file that lies beside the calling module.

    Args:
      path: str, relative to the calling module's directory.

    Returns:
      str.
    """
    try:
        return os.path.join(_folder_of_caller(), path)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("resource_loader.readahead_file_path")
def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """Returns the path unchanged: the operating system decides about reading ahead.

    Args:
      path: str.
      readahead: ignored.

    Returns:
      str.
    """
    return path


tf_export("resource_loader").namespace(__doc__)
