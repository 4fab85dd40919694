"""Steps of the functions that make whole pipelines of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf._src.data.experimental.interleaving import parallel_interleave
from tinytf._src.data.experimental.shuffles import shuffle_and_repeat
from tinytf._src.data.function_methods import AUTOTUNE
from tinytf._src.data.options.options import Options


def interleaved(dataset: Any, reader: Callable[[Any], Any], parallel_reads: Any, sloppy: bool) -> Any:
    """Returns the dataset of the elements of the files whose names a dataset yields.

    Args:
      dataset: dataset of names.
      reader: callable that takes a name and returns the dataset of the file's elements.
      parallel_reads: int or int64 tensor, how many files are read at once; AUTOTUNE lets the engine choose.
      sloppy: bool, whether the order may vary in favour of speed.
    """
    if parallel_reads != AUTOTUNE:
        return dataset.apply(parallel_interleave(reader, cycle_length=parallel_reads, sloppy=sloppy))
    options = Options()
    options.experimental_deterministic = not sloppy
    return dataset.interleave(reader, num_parallel_calls=parallel_reads).with_options(options)


def shuffled_and_repeated(dataset: Any, num_epochs: Any, shuffle: bool, buffer_size: Any, seed: Any) -> Any:
    """Returns the elements `num_epochs` times, without end if that is None; with `shuffle` in random order."""
    if not shuffle:
        return dataset if num_epochs == 1 else dataset.repeat(num_epochs)
    if num_epochs == 1:
        return dataset.shuffle(buffer_size, seed)
    return dataset.apply(shuffle_and_repeat(buffer_size, num_epochs, seed))
