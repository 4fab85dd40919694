"""Glob patterns with TensorFlow's rules: `*` and `?` also match a leading dot, and a backslash escapes the next
character."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator

from tinytf._src.platform.local_path import decoded, encoded, errors_about, local

_SPECIAL = re.compile(r"[*?\[\\]")
_BRACKET = re.compile(  # an unmatched `[` is a literal character
    r"\[(?:([!^])|(?![!^]))((?:\]|(?!\]))(?:\[:\w+:\]|\\.|(?!\[:\w+:\])[^\]\\])*)\]", re.DOTALL
)
_NOTHING = "(?!)"  # matches no string
_ITEM = re.compile(r"\[:(\w+):\]|(\\.|[^\\])(?:-(\\.|[^\\]))?", re.DOTALL)
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


def matching(pattern: str | bytes) -> list[str]:
    """The names of the files that match; directories are spelled as in the pattern, relative names begin with `./`.

    Raises NotFoundError if the directory in front of the first special character does not exist.
    """
    text = decoded(encoded(pattern))
    local(text)  # rejects names that are not local
    special = _SPECIAL.search(text)
    folder = _folder_of(text[: special.start()] if special else text)
    if not folder:
        folder, text = ".", f"./{text}"
    rest = text[len(folder) :] if folder.endswith("/") else text[len(folder) + 1 :]
    parts = rest.split("/")
    children = _children(folder)  # also checks that the directory exists
    if "" in parts:
        return []
    return list(_below(folder, children, [_compiled(part) for part in parts]))


def _folder_of(path: str) -> str:
    """The path without its last component, as written: `/` for an entry of the root directory, also after `file://`."""
    scheme = re.match(r"[a-zA-Z][0-9a-zA-Z.]*://[^/]*", path)
    start = scheme.end() if scheme else 0
    slash = path.rfind("/", start)
    if slash < 0:
        return path[:start]
    return path[: max(slash, start + 1)]


def _children(folder: str) -> list[str]:
    path = local(folder)
    with errors_about(folder):
        return [decoded(name) for name in os.listdir(path)]


def _below(folder: str, children: list[str], parts: list[re.Pattern[str]]) -> Iterator[str]:
    for child in children:
        if not parts[0].fullmatch(child):
            continue
        path = f"{folder}{child}" if folder.endswith("/") else f"{folder}/{child}"
        if len(parts) == 1:
            yield path
        elif os.path.isdir(local(path)):
            yield from _below(path, _children(path), parts[1:])


@functools.lru_cache(maxsize=256)
def _compiled(part: str) -> re.Pattern[str]:
    """The regular expression of one path component of a pattern. Each literal between two stars is matched at its first
    occurrence only, which suffices and keeps the time independent of the number of stars."""
    first, *others = _pieces(part)
    if not others:
        return re.compile(first, re.DOTALL)
    *between, end = others
    found = "".join(f"(?=(?P<g{i}>.*?{piece}))(?P=g{i})" for i, piece in enumerate(between) if piece)
    return re.compile(f"{first}{found}.*{end}", re.DOTALL)


def _pieces(part: str) -> list[str]:
    """The regular expressions of the parts before, between and after the stars."""
    made, i = [""], 0
    while i < len(part):
        char = part[i]
        bracket = _BRACKET.match(part, i) if char == "[" else None
        i = bracket.end() if bracket else i + 1
        if bracket:
            made[-1] += _bracket(bracket[1], bracket[2])
        elif char == "*":
            made.append("")
        elif char == "\\":
            made[-1] += re.escape(part[i]) if i < len(part) else _NOTHING
            i += 1
        else:
            made[-1] += "." if char == "?" else re.escape(char)
    return made


def _bracket(negated: str | None, body: str) -> str:
    """A character class; reversed ranges are empty."""
    items = ""
    for match in _ITEM.finditer(body):
        name, first, last = match.groups()
        if name is not None:
            items += _CLASSES.get(name, "")
            continue
        low, high = first[-1], (last or first)[-1]
        if low <= high:
            items += f"{re.escape(low)}-{re.escape(high)}"
    if not items:
        return "." if negated else _NOTHING
    return f"[{'^' if negated else ''}{items}]"
