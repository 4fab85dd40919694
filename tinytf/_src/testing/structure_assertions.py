"""Assertions about dicts, nested containers, JSON and URLs: part of absl's `TestCase`."""

from __future__ import annotations

import collections.abc
import json
import unittest
from collections.abc import Iterator
from typing import Any
from unittest.util import safe_repr
from urllib import parse


class StructureAssertions(unittest.TestCase):
    """Assertions whose messages show where two structures differ. `msg` is added to the message of a failure."""

    def assertDictEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Asserts that two dicts are equal, `a` being the expected one; a failure lists the entries that differ."""
        for name, value in (("a", a), ("b", b)):
            self.assertIsInstance(value, dict, f"{name} should be a dict, found type: {type(value).__name__}")
        if a == b:
            return
        lines = [f"{_dict_text(a)} != {_dict_text(b)}{f' ({msg})' if msg else ''}"]
        for title, entries in (
            ("Unexpected, but present entries", [f"{safe_repr(k)}: {safe_repr(b[k])}" for k in b if k not in a]),
            (
                "repr() of differing entries",
                [f"{safe_repr(k)}: {safe_repr(a[k])} != {safe_repr(b[k])}" for k in a if k in b and a[k] != b[k]],
            ),
            ("Missing entries", [f"{safe_repr(k)}: {safe_repr(a[k])}" for k in a if k not in b]),
        ):
            if entries:
                lines += [f"{title}:", *sorted(entries), ""]
        self.fail("\n".join(lines))

    def assertSameStructure(self, a: Any, b: Any, aname: str = "a", bname: str = "b", msg: Any = None) -> None:
        """Asserts that nested mappings, sequences and sets are equal; a failure lists the paths where they differ.

        A list may equal a tuple, and an int a bool, but an int never equals a float. `aname` and `bname` are the names
        of the two structures in messages.
        """
        problems = list(self._problems(a, b, aname, bname))
        if self.maxDiff is not None and len(problems) > self.maxDiff // 80:
            problems = [*problems[: self.maxDiff // 80 - 1], "..."]
        if problems:
            self.fail(self._formatMessage(msg, "; ".join(problems)))

    def _problems(self, a: Any, b: Any, aname: str, bname: str) -> Iterator[str]:
        if type(a) is not type(b) and (_kind(a) is None or _kind(a) is not _kind(b)):
            yield f"{aname} is a {type(a)!r} but {bname} is a {type(b)!r}"
        elif isinstance(a, collections.abc.Set):
            yield from (f"{aname} has {item!r} but {bname} does not" for item in a if item not in b)
            yield from (f"{aname} lacks {item!r} but {bname} has it" for item in b if item not in a)
        elif isinstance(a, collections.abc.Mapping):
            for key in a:
                if key in b:
                    yield from self._problems(a[key], b[key], f"{aname}[{key!r}]", f"{bname}[{key!r}]")
                else:
                    yield f"{aname} has [{key!r}] with value {a[key]!r} but it's missing in {bname}"
            for key in b:
                if key not in a:
                    yield f"{aname} lacks [{key!r}] but {bname} has it with value {b[key]!r}"
        elif _kind(a) is collections.abc.Sequence:
            for i, (x, y) in enumerate(zip(a, b)):
                yield from self._problems(x, y, f"{aname}[{i}]", f"{bname}[{i}]")
            for i in range(len(b), len(a)):
                yield f"{aname} has [{i}] with value {a[i]!r} but {bname} does not"
            for i in range(len(a), len(b)):
                yield f"{aname} lacks [{i}] but {bname} has it with value {b[i]!r}"
        else:
            try:
                self.assertEqual(a, b)
            except self.failureException:
                yield f"{aname} is {a!r} but {bname} is {b!r}"

    def assertJsonEqual(self, first: Any, second: Any, msg: Any = None) -> None:
        """Asserts that two strings encode equal JSON values. Raises ValueError if one of them is not JSON."""
        a, b = self._decoded("first", first, msg), self._decoded("second", second, msg)
        self.assertSameStructure(a, b, aname="first", bname="second", msg=msg)

    def _decoded(self, name: str, text: Any, msg: Any) -> Any:
        try:
            return json.loads(text)
        except ValueError as e:
            raise ValueError(self._formatMessage(msg, f"could not decode {name} JSON value {text}: {e}")) from e

    def assertUrlEqual(self, a: str, b: str, msg: Any = None) -> None:
        """Asserts that two URLs are equal, ignoring the order of parameters."""
        one, two = parse.urlparse(a), parse.urlparse(b)
        for part in ("scheme", "netloc", "path", "fragment"):
            self.assertEqual(getattr(one, part), getattr(two, part), msg)
        self.assertCountEqual(one.params.split(";"), two.params.split(";"), msg)
        self.assertDictEqual(
            parse.parse_qs(one.query, keep_blank_values=True), parse.parse_qs(two.query, keep_blank_values=True), msg
        )


def _kind(value: Any) -> Any:
    """Returns the abstract type within which values of different types are comparable, or None if there is none."""
    if isinstance(value, (str, bytes)):
        return None
    kinds = (int, collections.abc.Sequence, collections.abc.Set, collections.abc.Mapping)
    return next((kind for kind in kinds if isinstance(value, kind)), None)


def _dict_text(value: dict[Any, Any]) -> str:
    entries = sorted((safe_repr(k), safe_repr(v)) for k, v in value.items())
    return "{" + ", ".join(f"{k}: {v}" for k, v in entries) + "}"
