"""Assertions about texts, messages of errors and output of commands: a part of absl's TestCase."""

from __future__ import annotations

import re
import subprocess
import unittest
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any


class TextAssertions(unittest.TestCase):
    """Assertions about texts (str or bytes). `msg` joins the message of a failure."""

    def assertStartsWith(self, actual: Any, expected_start: Any, msg: Any = None) -> None:
        """The text starts with the given one."""
        if not actual.startswith(expected_start):
            self.fail(self._formatMessage(msg, f"{actual!r} does not start with {expected_start!r}"))

    def assertNotStartsWith(self, actual: Any, unexpected_start: Any, msg: Any = None) -> None:
        """The text does not start with the given one."""
        if actual.startswith(unexpected_start):
            self.fail(self._formatMessage(msg, f"{actual!r} does start with {unexpected_start!r}"))

    def assertEndsWith(self, actual: Any, expected_end: Any, msg: Any = None) -> None:
        """The text ends with the given one."""
        if not actual.endswith(expected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does not end with {expected_end!r}"))

    def assertNotEndsWith(self, actual: Any, unexpected_end: Any, msg: Any = None) -> None:
        """The text does not end with the given one."""
        if actual.endswith(unexpected_end):
            self.fail(self._formatMessage(msg, f"{actual!r} does end with {unexpected_end!r}"))

    def assertContainsInOrder(self, strings: Any, target: str, msg: Any = None) -> None:
        """The text contains these (one string or several) one after the other."""
        position, last = 0, None
        for string in (strings,) if isinstance(strings, (str, bytes)) else strings:
            found = target.find(str(string), position)
            if found < 0:
                after = f" after {last!r}" if position else ""
                self.fail(self._formatMessage(msg, f"Did not find {string!r}{after} in {target!r}"))
            position, last = found, string

    def assertRegexMatch(self, actual_str: Any, regexes: Sequence[Any], message: Any = None) -> None:
        """At least one of the patterns, all str or all bytes, matches somewhere; "^" and "$" mean ends of lines.

        No pattern matches nothing. A text of the other kind than the patterns counts as UTF-8.
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
        """The call, or the body of the `with` statement if no callable is given, raises an error of the type whose text is
        exactly this."""
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
        """A command, a list or a line for the shell, ends with status 0 and its output matches a pattern.

        It gets the environment `env`, an empty one when None.
        """
        status, output, text = _run(command, env, close_fds)
        self.assertEqual(status, 0, self._formatMessage(msg, text))
        self.assertRegexMatch(output, _encoded(regexes), self._formatMessage(msg, text))

    def assertCommandFails(
        self, command: Any, regexes: Sequence[Any], env: Any = None, close_fds: bool = True, msg: Any = None
    ) -> None:
        """A command ends with another status than 0 and its output matches a pattern; see assertCommandSucceeds."""
        status, output, text = _run(command, env, close_fds)
        self.assertNotEqual(status, 0, self._formatMessage(msg, text))
        self.assertRegexMatch(output, _encoded(regexes), self._formatMessage(msg, text))


def _as_kind_of(text: Any, pattern: Any) -> Any:
    """The pattern as str or bytes, as the text is."""
    if isinstance(text, str):
        return pattern.decode() if isinstance(pattern, bytes) else pattern
    return pattern.encode() if isinstance(pattern, str) else pattern


def _encoded(regexes: Sequence[Any]) -> list[bytes]:
    return [_as_kind_of(b"", regex) for regex in regexes]


def _run(command: Any, env: Any, close_fds: bool) -> tuple[int, bytes, str]:
    """Status and output, that of errors included, and a sentence about both."""
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
    return done.returncode, done.stdout, f"Command {command!r} ended with {done.returncode} and printed\n{output}"
