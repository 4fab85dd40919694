"""Mutations of checkpoints in both formats that keep the checksums valid, and changes that the checksums must
detect.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from byte_mutations import flipped, mutated_bytes, number
from table_files import Entry, masked, masked_crc, table_entries, table_of
from wire_mutations import BYTES, FIXED32, VARINT, Field, fields_of, message_of, mutated_message, take_varint, varint

from tinytf import _core

INDEX, DATA = "c.index", "c.data-00000-of-00001"
_DTYPE, _OFFSET, _SIZE, _CRC = 1, 4, 5, 6  # field numbers of a BundleEntryProto
_STRING, _VARIANT = 7, 21
_PARTS = ("block", "block", "index", "handle", "handle", "footer", "metaindex", "compressed", "compressed", "kind")
Files = dict[str, bytes]

_entries = lru_cache(64)(table_entries)


def mutated_table(rng: Random, entries: list[Entry]) -> bytes:
    """A table of these entries, split into random blocks, with at most one damaged part."""
    part = rng.choice(_PARTS) if rng.random() < 0.7 else None
    wanted = rng.randrange(3)

    def damage(here: str, data: bytes) -> bytes:
        nonlocal wanted
        if here != part or (wanted := wanted - 1) >= 0:
            return data
        if here == "handle":
            return varint(number(rng, 64) if rng.random() < 0.5 else data[0]) + varint(number(rng, 64))
        return mutated_bytes(rng, data)

    compressed = part == "compressed" or rng.random() < 0.3
    return table_of(
        entries,
        per_block=rng.choice((1, 2, 3, 1000)),
        interval=rng.choice((1, 2, 16)),
        compressed=compressed,
        damage=damage,
    )


def mutated_entries(rng: Random, entries: list[Entry]) -> list[Entry]:
    """The entries with one value or key changed, or in another order or number."""
    changed = list(entries)
    i = rng.randrange(len(changed))
    key, value = changed[i]
    kind = rng.random()
    if kind < 0.7:
        changed[i] = (key, mutated_message(rng, value))
    elif kind < 0.8:
        changed[i] = (mutated_bytes(rng, key), value)
    elif kind < 0.85:
        changed[i] = (changed[rng.randrange(len(changed))][0], value)
    elif kind < 0.9:
        del changed[i]
    elif kind < 0.95:
        changed.insert(rng.randrange(len(changed) + 1), changed[i])
    else:
        rng.shuffle(changed)
    return changed if rng.random() < 0.1 else sorted(changed)


def string_bytes(lengths: list[int], contents: bytes) -> tuple[bytes, int]:
    """Strings in the format of a data file, with arbitrary lengths in the header, and the checksum."""
    counted = b"".join(n.to_bytes(4 if n < 2**32 else 8, "little") for n in lengths)
    stored = masked_crc(counted)
    return b"".join(map(varint, lengths)) + stored + contents, _core.crc32c(counted + stored + contents)


def variant_bytes(elements: list[bytes]) -> tuple[bytes, int]:
    """Variants in the format of a data file, and the checksum."""
    out, summed = b"", b""
    for element in elements:
        summed += len(element).to_bytes(8, "little") + element
        stored = masked_crc(summed)
        summed += stored
        out += varint(len(element)) + element + stored
    return out, _core.crc32c(summed)


def _strings(data: bytes, count: int) -> list[bytes]:
    lengths, at = [], 0
    for _ in range(count):
        length, at = take_varint(data, at)
        lengths.append(length)
    at += 4
    found = []
    for length in lengths:
        found.append(data[at : at + length])
        at += length
    return found


def _variants(data: bytes) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        length, at = take_varint(data, at)
        found.append(data[at : at + length])
        at += length + 4
    return found


def _number_of_elements(shape: bytes) -> int:
    count = 1
    for dim in fields_of(shape) or ():
        sizes = [int(field.value) for field in fields_of(bytes(dim.value)) or ()]  # type: ignore[arg-type]
        count *= sizes[0] if sizes else 0
    return count


def with_value(files: Files, key: bytes, data: bytes, crc: int) -> Files:
    """The checkpoint with other bytes for one tensor and a matching checksum."""
    entries = []
    for name, value in _entries(files[INDEX]):
        if name == key:
            kept = [field for field in fields_of(value) or () if field.number not in (_OFFSET, _SIZE, _CRC)]
            kept += [Field(_OFFSET, VARINT, len(files[DATA])), Field(_SIZE, VARINT, len(data))]
            value = message_of([*kept, Field(_CRC, FIXED32, masked(crc))])
        entries.append((name, value))
    table = table_of(entries, damage=lambda _, part: part)
    return {**files, INDEX: table, DATA: files[DATA] + data}


def _mutated_value(rng: Random, files: Files) -> Files:
    """The checkpoint with another, possibly invalid, value of one tensor and a matching checksum."""
    key, value = rng.choice(_entries(files[INDEX])[1:])
    found = {field.number: field.value for field in fields_of(value) or ()}
    begin, size = int(found.get(_OFFSET, 0)), int(found.get(_SIZE, 0))
    data, dtype = files[DATA][begin : begin + size], found.get(_DTYPE)
    if dtype == _STRING:
        texts = _strings(data, _number_of_elements(bytes(found[2])))  # type: ignore[arg-type]
        lengths, contents = list(map(len, texts)), b"".join(texts)
        if rng.random() < 0.5 and lengths:
            lengths[rng.randrange(len(lengths))] = number(rng, 64)
        else:
            contents = mutated_bytes(rng, contents)
        return with_value(files, key, *string_bytes(lengths, contents))
    if dtype == _VARIANT:
        elements = _variants(data)
        i = rng.randrange(len(elements))
        elements[i] = mutated_message(rng, elements[i])
        return with_value(files, key, *variant_bytes(elements))
    other = mutated_bytes(rng, data)
    return with_value(files, key, other, _core.crc32c(other))


def mutated_bundle(rng: Random, files: Files) -> Files:
    """A mutated checkpoint, mostly with valid checksums."""
    kind = rng.random()
    if kind < 0.1:
        name = rng.choice((INDEX, DATA))
        return {**files, name: mutated_bytes(rng, files[name])}
    if kind < 0.4:
        return _mutated_value(rng, files)
    entries = _entries(files[INDEX])
    for _ in range(rng.choice((0, 1, 1, 2))):
        entries = mutated_entries(rng, entries)
    return {**files, INDEX: mutated_table(rng, entries)}


def mutated_early(rng: Random, files: Files) -> Files:
    """A mutated checkpoint of the early format, mostly with valid checksums."""
    if rng.random() < 0.1:
        return {"c": mutated_bytes(rng, files["c"])}
    entries = _entries(files["c"])
    for _ in range(rng.choice((0, 1, 1, 2))):
        entries = mutated_entries(rng, entries)
    return {"c": mutated_table(rng, entries)}


def mutated_objects(rng: Random, files: Files) -> Files:
    """An object-based checkpoint with a mutated object graph."""
    key = b"_CHECKPOINTABLE_OBJECT_GRAPH"
    value = dict(_entries(files[INDEX]))[key]
    found = {field.number: field.value for field in fields_of(value) or ()}
    begin, size = int(found.get(_OFFSET, 0)), int(found[_SIZE])
    [graph] = _strings(files[DATA][begin : begin + size], 1)
    for _ in range(rng.choice((1, 1, 2, 3))):
        graph = mutated_message(rng, graph)
    return with_value(files, key, *string_bytes([len(graph)], graph))


def flipped_files(rng: Random, files: Files) -> Files:
    """The files with a few bytes of one file changed."""
    name = rng.choice(sorted(files))
    return {**files, name: flipped(rng, files[name])}


__all__ = ["BYTES", "Files", "flipped_files", "mutated_bundle", "mutated_early", "mutated_objects"]
