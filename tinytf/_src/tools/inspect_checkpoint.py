"""`python -m tinytf inspect-checkpoint NAME`: prints the tensors of a checkpoint, or of a folder's latest
checkpoint."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from tinytf._src.checkpoint.checkpoint_reader import checkpoint_of, load_checkpoint


def main(arguments: list[str]) -> int:
    """Parses the command line and prints the description."""
    parser = argparse.ArgumentParser(prog="python -m tinytf inspect-checkpoint", description=__doc__)
    parser.add_argument("checkpoint", help="name of the checkpoint, without .index, or a directory")
    parser.add_argument("--values", action="store_true", help="also print the values")
    parser.add_argument(
        "--only", default="", metavar="PATTERN", help="print only tensors with names that match this regular expression"
    )
    options = parser.parse_args(arguments)
    print("\n".join(described(options.checkpoint, options.only, options.values)))
    return 0


def described(checkpoint: str, only: str = "", values: bool = False) -> Iterator[str]:
    """Yields the lines: the checkpoint, then one line per tensor, followed by its values if `values`."""
    reader = load_checkpoint(checkpoint)
    shapes, types = reader.get_variable_to_shape_map(), reader.get_variable_to_dtype_map()
    names = [name for name in sorted(shapes) if re.search(only, name)]
    sizes = {name: _count(shapes[name]) for name in names}
    yield f"{checkpoint_of(checkpoint)}: {len(names)} tensors, {sum(sizes.values()):,} numbers"
    for name in names:
        yield f"{name}  {types[name].name}  {shapes[name]}"
        if values:
            yield str(reader.get_tensor(name))


def _count(shape: list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count
