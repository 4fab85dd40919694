"""Assertions about strings, error messages and the output of commands: part of absl's `TestCase`."""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any


class TextAssertions(unittest.TestCase):
    """Assertions about text (str or bytes). `msg` is added to the message of a failure."""

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: Any = None) -> None:
        """Asserts that the text starts with `expected_start`."""
        if not actual.startswith(expected_start):
            self.fail(self._formatMessage(msg, f"{actual!r} does not start with {expected_start!r}"))

    def assertNotStartsWith(self, actual: Any, unexpected_start: Any, msg: Any = None) -> None:
        """Asserts that the text does not start with `unexpected_start`."""
        if actual.startswith(unexpected_start):
            self.fail(self._formatMessage(msg, f"{actual!r} does start with {unexpected_start!r}"))

    def assertEndsWith(self, actual: Any, expected_end: Any, msg: Any = None) -> None:
        """Asserts that the text ends with `expected_end`."""
        if not actual.endswith(expected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does not end with {expected_end!r}"))

    def assertNotEndsWith(self, actual: Any, unexpected_end: Any, msg: Any = None) -> None:
        """Asserts that the text does not end with `unexpected_end`."""
        if actual.endswith(unexpected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does end with {unexpected_end!r}"))

    def assertContainsInOrder(self, strings: Any, target: str, msg: Any = None) -> None:
        """Asserts that `target` contains all `strings` (one string or several) in this order."""
        position, last = 0, None
        for string in (strings,) if isinstance(strings, (str, bytes)) else strings:
            found = target.find(str(string), position)
            if found < 0:
                after = f" after {last!r}" if position else ""
                self.fail(self._formatMessage(msg, f"Did not find {string!r}{after} in {target!r}"))
            position, last = found, string

    def assertRegexMatch(self, actual_str: Any, regexes: Sequence[Any], message: Any = None) -> None:
        """Asserts that at least one of the patterns is found in the text; "^" and "$" match at line boundaries.

        Args:
          actual_str: str or bytes. If its type differs from the patterns', they are converted, assuming UTF-8.
          regexes: non-empty list of patterns, all str or all bytes; anything else fails the test.
          message: added to the message of a failure.
        """
        if isinstance(regexes, (str, bytes)):
            self.fail(self._formatMessage(message, "regexes is string or bytes; use assertRegex instead."))
        if not regexes:
            self.fail(self._formatMessage(message, "No regexes specified."))
        if len({type(regex) for regex in regexes}) > 1:
            self.fail(self._formatMessage(message, "regexes list must all be the same type."))
        if not isinstance(regexes[0], (str, bytes)):
            self.fail(self._formatMessage(message, "Only know how to deal with unicode str or bytes regexes."))
        patterns = [_as_kind_of(actual_str, regex) for regex in regexes]
        if not any(re.search(pattern, actual_str, re.MULTILINE) for pattern in patterns):
            text = f'"{actual_str}" does not contain any of these regexes: {patterns}.'
            self.fail(self._formatMessage(message, text))

    # -- Errors and commands -----------------------------------------------------------------------------------------

    def assertRaisesWithLiteralMatch(
        self,
        expected_exception: Any,
        expected_exception_message: str,
        callable_obj: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> AbstractContextManager[None] | None:
        """Asserts that an exception of the given type is raised whose text is exactly `expected_exception_message`.

        Args:
          expected_exception: an exception class or a tuple of them.
          expected_exception_message: string, compared with `str(exception)`.
          callable_obj: called with the remaining arguments; if None, a context manager is returned that checks its
            body.

        Returns:
          None, or the context manager.
        """
        raised = self._raises_text(expected_exception, expected_exception_message)
        if callable_obj is None:
            return raised
        with raised:
            callable_obj(*args, **kwargs)
        return None

    @contextmanager
    def _raises_text(self, expected_exception: Any, expected: str) -> Iterator[None]:
        try:
            yield
        except expected_exception as e:
            if str(e) != expected:
                self.fail(f"Exception message does not match.\nExpected: {expected!r}\nActual: {str(e)!r}")
        else:
            self.fail(f"{getattr(expected_exception, '__name__', expected_exception)} not raised")

    def assertCommandSucceeds(
        self, command: Any, regexes: Sequence[Any] = (b"",), env: Any = None, close_fds: bool = True, msg: Any = None
    ) -> None:
        """Asserts that a command exits with status 0 and that its output matches a pattern.

        Args:
          command: list of arguments, or a string for the shell.
          regexes: patterns as for `assertRegexMatch`, matched against standard output and standard error together.
          env: dict, the environment of the command; empty if None.
          close_fds: bool, whether file descriptors other than 0, 1 and 2 are closed in the command.
          msg: added to the message of a failure.
        """
        status, output, text = _run(command, env, close_fds)
        self.assertEqual(status, 0, self._formatMessage(msg, text))
        self.assertRegexMatch(output, _encoded(regexes), self._formatMessage(msg, text))

    def assertCommandFails(
        self, command: Any, regexes: Sequence[Any], env: Any = None, close_fds: bool = True, msg: Any = None
    ) -> None:
        """Asserts that a command exits with a nonzero status and that its output matches a pattern.

        Takes the arguments of `assertCommandSucceeds`.
        """
        status, output, text = _run(command, env, close_fds)
        self.assertNotEqual(status, 0, self._formatMessage(msg, text))
        self.assertRegexMatch(output, _encoded(regexes), self._formatMessage(msg, text))


def _as_kind_of(text: Any, pattern: Any) -> Any:
    """Returns the pattern converted to the type of the text, str or bytes."""
    if isinstance(text, str):
        return pattern.decode() if isinstance(pattern, bytes) else pattern
    return pattern.encode() if isinstance(pattern, str) else pattern


def _encoded(regexes: Sequence[Any]) -> list[bytes]:
    return [_as_kind_of(b"", regex) for regex in regexes]


def _run(command: Any, env: Any, close_fds: bool) -> tuple[int, bytes, str]:
    """Runs a command; returns its status, its output (standard error included) and a sentence that shows both."""
    done = subprocess.run(
        command,
        env=env or {},
        close_fds=close_fds,
        shell=isinstance(command, str),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output = done.stdout.decode(errors="replace")
    return (
        done.returncode,
        done.stdout,
        f"Command {command!r} exited with status {done.returncode} and printed\n{output}",
    )
