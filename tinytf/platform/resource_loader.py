"""`tf.resource_loader`: paths of files that lie beside a program's modules."""

from __future__ import annotations

import os
import sys

from tinytf.exports import tf_export
from tinytf.framework.error_traceback import REPORTED, called_by_users, leave_to_user


def _folder_of_caller() -> str:
    return os.path.dirname(sys._getframe(2).f_code.co_filename)


@tf_export("resource_loader.load_resource")
@called_by_users
def load_resource(path: str) -> bytes:
    """What a file of the package itself holds; `path` is relative to the package."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(package, path), "rb") as file:
        return file.read()


@tf_export("resource_loader.get_data_files_path")
def get_data_files_path() -> str:
    """The folder of the module that calls this."""
    return _folder_of_caller()


@tf_export("resource_loader.get_root_dir_with_all_resources")
def get_root_dir_with_all_resources() -> str:
    """The folder from which all files can be reached: that of this module."""
    return os.path.dirname(__file__)


@tf_export("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path: str) -> str:
    """The path of a file that lies beside the module that calls this."""
    try:
        return os.path.join(_folder_of_caller(), path)
    except REPORTED:
        leave_to_user()
        raise


@tf_export("resource_loader.readahead_file_path")
def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path itself: files are read ahead as the system thinks best."""
    return path


tf_export("resource_loader").namespace(__doc__)
