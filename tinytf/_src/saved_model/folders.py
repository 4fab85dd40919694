"""The layout of a SavedModel's directory."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.platform import compat, file_io
from tinytf._src.saved_model import constants


def folder_name(export_dir: Any) -> str:
    """Returns the name of a model's directory as str. TypeError for other types than paths."""
    return os.fsdecode(export_dir) if isinstance(export_dir, os.PathLike) else compat.as_text(export_dir)


def model_files(export_dir: str) -> tuple[str, str]:
    """Returns the paths of the model's binary and text files, of which one exists."""
    return (
        os.path.join(export_dir, constants.SAVED_MODEL_FILENAME_PB),
        os.path.join(export_dir, constants.SAVED_MODEL_FILENAME_PBTXT),
    )


@tf_export(
    "saved_model.contains_saved_model",
    "saved_model.maybe_saved_model_directory",
    "saved_model.loader.maybe_saved_model_directory",
)
@called_by_users
def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Returns whether a directory contains a SavedModel; `export_dir`: path of the directory."""
    return any(map(file_io.file_exists, model_files(folder_name(export_dir))))


def variables_path(export_dir: str) -> str:
    """Returns the path prefix of a model's checkpoint."""
    return os.path.join(export_dir, constants.VARIABLES_DIRECTORY, constants.VARIABLES_FILENAME)


def assets_folder(export_dir: str) -> str:
    """Returns the directory of a model's assets."""
    return os.path.join(export_dir, constants.ASSETS_DIRECTORY)
