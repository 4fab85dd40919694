"""Mutations of one field, at any depth, of protobuf messages, which mostly stay valid messages."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import NamedTuple

from byte_mutations import mutated_bytes, number

VARINT, FIXED64, BYTES, BEGIN, END, FIXED32 = range(6)


class Field(NamedTuple):
    """An encoded field."""

    number: int
    kind: int
    value: int | bytes  # bytes for BYTES, FIXED64 and FIXED32


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def take_varint(data: bytes, at: int) -> tuple[int, int]:
    """A number and the position after it; IndexError if it is truncated."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields_of(data: bytes) -> list[Field] | None:
    """The fields of a message; None if it is invalid or has groups."""
    found, at = [], 0
    try:
        while at < len(data):
            tag, at = take_varint(data, at)
            kind = tag & 7
            if kind == VARINT:
                value: int | bytes
                value, at = take_varint(data, at)
            else:
                size = {FIXED64: 8, FIXED32: 4}.get(kind)
                if kind == BYTES:
                    size, at = take_varint(data, at)
                if size is None or tag >> 3 == 0 or at + size > len(data):
                    return None
                value, at = data[at : at + size], at + size
            found.append(Field(tag >> 3, kind, value))
    except IndexError:
        return None
    return found


def field_bytes(field: Field) -> bytes:
    tag = varint(field.number << 3 | field.kind)
    if isinstance(field.value, int):
        return tag + varint(field.value)
    return tag + (varint(len(field.value)) if field.kind == BYTES else b"") + field.value


def message_of(fields: Iterable[Field]) -> bytes:
    return b"".join(map(field_bytes, fields))


def _other_value(rng: Random, field: Field) -> Field:
    if field.kind == VARINT:
        return field._replace(value=number(rng, 64))
    if field.kind == BYTES:
        return field._replace(value=mutated_bytes(rng, bytes(field.value)))
    size = 8 if field.kind == FIXED64 else 4
    return field._replace(value=number(rng, 8 * size).to_bytes(size, "little"))


def _other_kind(rng: Random, field: Field) -> Field:
    kind = rng.choice((VARINT, FIXED64, BYTES, FIXED32))
    return _other_value(rng, Field(field.number, kind, 0 if kind == VARINT else b"\x01\x02\x03"))


def _nested(rng: Random, field: Field) -> bytes:
    """The field nested inside itself so deeply that a recursive parser might overflow its stack."""
    inner = field_bytes(field)
    for _ in range(rng.choice((2, 30, 120, 2000))):
        inner = field_bytes(Field(field.number, BYTES, inner))
    return inner


def _groups(rng: Random, field: Field) -> bytes:
    depth = rng.choice((1, 2, 100, 101, 3000))
    begin, end = varint(field.number << 3 | BEGIN), varint(field.number << 3 | END)
    return begin * depth + end * (depth - rng.choice((0, 0, 0, 1)))


def mutated_message(rng: Random, data: bytes) -> bytes:
    """The message with one mutated field, at any depth."""
    fields = fields_of(data)
    if not fields:
        return mutated_bytes(rng, data)
    i = rng.randrange(len(fields))
    field = fields[i]
    if field.kind == BYTES and field.value and rng.random() < 0.75:
        fields[i] = field._replace(value=mutated_message(rng, bytes(field.value)))
        return message_of(fields)
    before, behind = message_of(fields[:i]), message_of(fields[i + 1 :])
    change = rng.randrange(12)
    if change < 4:
        here = field_bytes(_other_value(rng, field))
    elif change == 4:
        here = field_bytes(_other_kind(rng, field))
    elif change == 5:
        here = b""
    elif change == 6:
        here = field_bytes(field) * rng.choice((2, 3, 200))
    elif change == 7:
        here = field_bytes(field._replace(number=rng.choice((1, 2, 3, 4, 5, 8, 15, 16, 100, 2**29 - 1))))
    elif change == 8:
        here = field_bytes(fields[rng.randrange(len(fields))])  # duplicates another field in place of this one
    elif change == 9 and field.kind == BYTES:  # a wrong length
        here = varint(field.number << 3 | BYTES) + varint(number(rng, 64)) + bytes(field.value)
    elif change == 10:
        here = _nested(rng, field)
    else:
        here = _groups(rng, field)
    return before + here + behind
