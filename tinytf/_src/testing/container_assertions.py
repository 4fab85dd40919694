"""Assertions about containers and the order of values: the part of absl's TestCase that `tf.test.TestCase` offers."""

from __future__ import annotations

import collections.abc
import itertools
import unittest
from collections.abc import Iterable, Sequence
from typing import Any


class ContainerAssertions(unittest.TestCase):
    """Assertions about the elements of containers. `msg` is added to the message of a failure."""

    def _refuse(self, text: str, msg: Any) -> None:
        self.fail(self._formatMessage(msg, text))

    def _check_sized(self, container: Any, msg: Any) -> None:
        if not isinstance(container, collections.abc.Sized):
            self._refuse(f"Expected a Sized object, got: {type(container).__name__!r}", msg)

    def assertEmpty(self, container: Any, msg: Any = None) -> None:
        """Asserts that the container has no elements."""
        self._check_sized(container, msg)
        if len(container):  # len, because an array has no truth value
            self._refuse(f"{container!r} has length of {len(container)}.", msg)

    def assertNotEmpty(self, container: Any, msg: Any = None) -> None:
        """Asserts that the container has at least one element."""
        self._check_sized(container, msg)
        if not len(container):
            self._refuse(f"{container!r} has length of 0.", msg)

    def assertLen(self, container: Any, expected_len: int, msg: Any = None) -> None:
        """Asserts that the container has `expected_len` elements."""
        self._check_sized(container, msg)
        if len(container) != expected_len:
            self._refuse(f"{container!r} has length of {len(container)}, expected {expected_len}.", msg)

    def assertSameElements(self, expected_seq: Iterable[Any], actual_seq: Iterable[Any], msg: Any = None) -> None:
        """Asserts that both sequences have the same set of elements, regardless of counts and order. Fails
        for strings."""
        if isinstance(expected_seq, (str, bytes)) or isinstance(actual_seq, (str, bytes)):
            self.fail(
                "Passing string/bytes to assertSameElements is usually a bug. Did you mean to use assertEqual?\n"
                f"Expected: {expected_seq!r}\nActual: {actual_seq!r}"
            )
        expected, actual = list(expected_seq), list(actual_seq)
        missing, unexpected = _not_in(expected, actual), _not_in(actual, expected)
        text = f"Expected, but missing:\n  {missing!r}\n" if missing else ""
        text += f"Unexpected, but present:\n  {unexpected!r}\n" if unexpected else ""
        if text:
            self.fail(f"{msg}:\n{text}" if msg else text)

    def assertContainsSubset(self, expected_subset: Iterable[Any], actual_set: Iterable[Any], msg: Any = None) -> None:
        """Asserts that every element of `expected_subset` is in `actual_set`. Elements must be hashable."""
        missing = set(expected_subset) - set(actual_set)
        if missing:
            self._refuse(f"Missing elements {missing}\nExpected: {expected_subset}\nActual: {actual_set}", msg)

    def assertNoCommonElements(self, expected_seq: Iterable[Any], actual_seq: Iterable[Any], msg: Any = None) -> None:
        """Asserts that no element is in both. Elements must be hashable."""
        common = set(expected_seq) & set(actual_seq)
        if common:
            self._refuse(f"Common elements {common}\nExpected: {expected_seq}\nActual: {actual_seq}", msg)

    def assertContainsSubsequence(self, container: Iterable[Any], subsequence: Iterable[Any], msg: Any = None) -> None:
        """Asserts that the container has the elements of `subsequence` in this order; other elements may lie between
        them."""
        wanted = list(subsequence)
        found = 0
        for element in container:
            if found < len(wanted) and element == wanted[found]:
                found += 1
        if found < len(wanted):
            self._refuse(f"{wanted} not a subsequence of {container}. First non-matching element: {wanted[found]}", msg)

    def assertContainsExactSubsequence(
        self, container: Iterable[Any], subsequence: Iterable[Any], msg: Any = None
    ) -> None:
        """Asserts that the container has the elements of `subsequence` contiguously and in this order."""
        elements, wanted = list(container), list(subsequence)
        starts = range(len(elements) - len(wanted) + 1)
        longest = max((_common_prefix(elements[i:], wanted) for i in starts), default=0)
        if longest < len(wanted):
            self._refuse(
                f"{wanted} not an exact subsequence of {elements}. Longest matching prefix: {wanted[:longest]}", msg
            )

    def assertSequenceStartsWith(self, prefix: Any, whole: Any, msg: Any = None) -> None:
        """Asserts that `whole` starts with the elements of `prefix`, or with `prefix` itself if that has no length.

        An empty prefix matches an empty sequence only.
        """
        if not isinstance(prefix, collections.abc.Sized):
            prefix = [prefix]
        if isinstance(whole, (collections.abc.Mapping, collections.abc.Set)):
            self._refuse(f"For whole: Mapping or Set objects are not supported, found type: {type(whole)}", msg)
        if not isinstance(whole, collections.abc.Sized):
            self._refuse(f"For whole: len({whole}) is not supported, it appears to be type: {type(whole)}", msg)
        if len(prefix) > len(whole):
            self._refuse(f"Prefix length ({len(prefix)}) is longer than whole length ({len(whole)}).", msg)
        if not len(prefix) and len(whole):
            self._refuse(f"Prefix length is 0 but whole length is {len(whole)}: {whole}", msg)
        if list(prefix) != list(whole[: len(prefix)]):
            self._refuse(f"prefix: {prefix} not found at start of whole: {whole}.", msg)

    def assertSequenceAlmostEqual(
        self,
        expected_seq: Sequence[Any],
        actual_seq: Sequence[Any],
        places: int | None = None,
        msg: Any = None,
        delta: Any = None,
    ) -> None:
        """Asserts that two sequences have equal lengths and pairwise almost equal elements, as in
        `assertAlmostEqual`."""
        if len(expected_seq) != len(actual_seq):
            self._refuse(f"Sequence size mismatch: {len(expected_seq)} vs {len(actual_seq)}", msg)
        problems = []
        for i, (expected, actual) in enumerate(zip(expected_seq, actual_seq)):
            try:
                self.assertAlmostEqual(expected, actual, places=places, delta=delta)
            except self.failureException as e:
                problems.append(f"At index {i}: {e}")
        if problems:
            self._refuse("\n".join(problems[:30]), msg)

    # -- Order -------------------------------------------------------------------------------------------------------

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: Any = None) -> None:
        """Asserts that `minv <= value <= maxv`."""
        text = self._formatMessage(msg, f'"{value!r}" unexpectedly not between "{minv!r}" and "{maxv!r}"')
        self.assertLessEqual(minv, value, text)
        self.assertGreaterEqual(maxv, value, text)

    def assertTotallyOrdered(self, *groups: Iterable[Any], msg: Any = None) -> None:
        """Asserts that all six comparison operators agree with the order of the groups.

        Elements of one group must be equal and have equal hashes; they must be less than the elements of later groups.
        """
        elements = [list(group) for group in groups]
        for group in elements:
            for a, b in itertools.product(group, repeat=2):
                self._check_comparisons(a, b, 0, msg)
                if hash(a) != hash(b):
                    self._refuse(f"hash of {a!r} unexpectedly not equal to hash of {b!r}", msg)
        for small_group, big_group in itertools.combinations(elements, 2):
            for small, big in itertools.product(small_group, big_group):
                self._check_comparisons(small, big, -1, msg)
                self._check_comparisons(big, small, 1, msg)

    def _check_comparisons(self, a: Any, b: Any, order: int, msg: Any) -> None:
        """Checks that all six operators order `a` before `b` (order -1), as equal (0) or after `b` (1)."""
        for text, given, right in (
            ("equal to", a == b, order == 0),
            ("different from", a != b, order != 0),
            ("less than", a < b, order < 0),
            ("less than or equal to", a <= b, order <= 0),
            ("greater than", a > b, order > 0),
            ("greater than or equal to", a >= b, order >= 0),
        ):
            if bool(given) != right:
                self._refuse(f"{a!r} unexpectedly {'' if given else 'not '}{text} {b!r}", msg)

    def assertIsSubclass(self, cls: Any, superclass: Any, msg: Any = None) -> None:
        """Asserts that `cls` is a subclass of `superclass`."""
        if not issubclass(cls, superclass):
            self._refuse(f"{cls!r} is not a subclass of {superclass!r}", msg)

    def assertNotIsSubclass(self, cls: Any, superclass: Any, msg: Any = None) -> None:
        """Asserts that `cls` is not a subclass of `superclass`."""
        if issubclass(cls, superclass):
            self._refuse(f"{cls!r} is a subclass of {superclass!r}", msg)


def _not_in(elements: list[Any], others: list[Any]) -> list[Any]:
    """Returns the elements that are missing in `others`, without duplicates, sorted if they are comparable."""
    left: list[Any] = []
    try:
        known = set(others)
        left.extend(dict.fromkeys(e for e in elements if e not in known))
    except TypeError:  # not hashable
        left.extend(e for i, e in enumerate(elements) if e not in others and e not in elements[:i])
    try:
        return sorted(left)
    except TypeError:
        return left


def _common_prefix(a: list[Any], b: list[Any]) -> int:
    """Returns the length of the longest common prefix."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(a, b)))
