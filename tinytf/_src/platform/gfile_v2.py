"""`tf.io.gfile`: files and directories with function names in Python's style."""

from tinytf._src.exports import tf_export
from tinytf._src.platform.file_io import copy_v2 as copy
from tinytf._src.platform.file_io import create_dir_v2 as mkdir
from tinytf._src.platform.file_io import delete_file_v2 as remove
from tinytf._src.platform.file_io import delete_recursively_v2 as rmtree
from tinytf._src.platform.file_io import file_exists_v2 as exists
from tinytf._src.platform.file_io import get_matching_files_v2 as glob
from tinytf._src.platform.file_io import is_directory_v2 as isdir
from tinytf._src.platform.file_io import list_directory_v2 as listdir
from tinytf._src.platform.file_io import recursive_create_dir_v2 as makedirs
from tinytf._src.platform.file_io import rename_v2 as rename
from tinytf._src.platform.file_io import stat_v2 as stat
from tinytf._src.platform.file_io import walk_v2 as walk
from tinytf._src.platform.gfile import GFile

__all__ = [
    "GFile",
    "copy",
    "exists",
    "glob",
    "isdir",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "stat",
    "walk",
]

tf_export("io.gfile").namespace(__doc__)
