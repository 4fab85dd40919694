"""The values of `warm_start_from`."""

from __future__ import annotations

import os
from typing import Any

from tinytf._src.checkpoint.warm_starting import WarmStartSettings, warm_start
from tinytf._src.framework.logs import tf_logging
from tinytf._src.platform import file_io
from tinytf._src.platform.compat import as_str
from tinytf._src.saved_model.folders import variables_path


def warm_start_settings(warm_start_from: Any) -> WarmStartSettings | None:
    """Returns settings unchanged; makes settings for a checkpoint, a directory of checkpoints, or a SavedModel.
    ValueError for other types."""
    if warm_start_from is None or isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, (str, bytes)):
        raise ValueError(
            f"warm_start_from must be a string or a WarmStartSettings, instead got {type(warm_start_from)}"
        )
    variables = variables_path(as_str(warm_start_from))
    if file_io.file_exists(f"{variables}.index"):
        tf_logging.info("Warm-starting from a SavedModel")
        return WarmStartSettings(ckpt_to_initialize_from=variables)
    return WarmStartSettings(ckpt_to_initialize_from=os.fsdecode(warm_start_from))


def start_warm(settings: WarmStartSettings) -> None:
    """Makes the variables of the default graph start with the values in the settings."""
    tf_logging.info("Warm-starting with WarmStartSettings: %s", settings)
    warm_start(*settings)
