"""Generates random functions of plain Python with jumps out of all kinds of blocks; a seed determines the source."""

import random


class _Writer:
    def __init__(self, seed):
        self._random = random.Random(seed)
        self._lines = ["def function(ask, log):"]
        self._names = 0

    def text(self):
        self._line(1, "v = w = 0")
        self._block(1, 3, loop=False, final=False)
        if self._random.random() < 0.7:
            self._line(1, "return 'end', v, w")
        return "\n".join(self._lines) + "\n"

    def _line(self, depth, text):
        self._lines.append("    " * depth + text)

    def _new(self):
        self._names += 1
        return self._names

    def _condition(self):
        return self._random.choice(
            ("ask()", "not ask()", "ask() and ask()", "ask() or v > 2", "v < 3 < 2 + ask()", "(w := ask())")
        )

    def _block(self, depth, size, loop, final):
        """`loop`: whether a loop encloses the block; `final`: whether a finally block does, which must not be left
        by a jump.
        """
        for _ in range(self._random.randint(1, size)):
            if self._statement(depth, loop, final):
                return

    def _statement(self, depth, loop, final):
        """Writes a statement; returns whether it ends the block."""
        kind = self._random.random()
        if depth > 4 or kind < 0.25:
            self._simple(depth)
        elif kind < 0.45:
            self._if(depth, loop, final)
        elif kind < 0.6:
            self._loop(depth, final)
        elif kind < 0.72:
            self._try(depth, loop, final)
        elif kind < 0.8:
            self._line(depth, f"with log({self._new()}):")
            self._block(depth + 1, 2, loop, final)
        elif kind < 0.84:
            self._match(depth, loop, final)
        elif kind < 0.88:
            self._line(depth, f"raise KeyError({self._new()})")
            return True
        elif loop:
            self._line(depth, self._random.choice(("break", "continue")))
            return True
        elif not final:
            self._line(depth, f"return {self._new()}, v, w")
            return True
        return self._simple(depth)

    def _simple(self, depth):
        n = self._new()
        text = self._random.choice(
            (f"log.add({n})", f"v += {n % 3}", f"w = v + {n % 5}", f"v = [a for a in range({n}) if a][-1:]")
        )
        if text.startswith("v = ["):
            self._line(depth, f"log.add({text[4:]})")
        else:
            self._line(depth, text)

    def _if(self, depth, loop, final):
        self._line(depth, f"if {self._condition()}:")
        self._block(depth + 1, 2, loop, final)
        if self._random.random() < 0.3:
            self._line(depth, f"elif {self._condition()}:")
            self._block(depth + 1, 2, loop, final)
        if self._random.random() < 0.5:
            self._line(depth, "else:")
            self._block(depth + 1, 2, loop, final)

    def _loop(self, depth, final):
        if self._random.random() < 0.6:
            self._line(depth, f"for i{self._new()} in range({self._random.randint(0, 3)}):")
        else:
            self._line(depth, f"while {self._condition()}:")
        self._line(depth + 1, f"log.add({self._new()})")
        self._block(depth + 1, 2, True, final)
        if self._random.random() < 0.4:
            self._line(depth, "else:")
            self._block(depth + 1, 2, False, True)

    def _try(self, depth, loop, final):
        self._line(depth, "try:")
        self._block(depth + 1, 2, loop, final)
        kinds = self._random.choice((("except",), ("finally",), ("except", "else"), ("except", "else", "finally")))
        for kind in kinds:
            self._line(depth, "except KeyError as error:" if kind == "except" else f"{kind}:")
            if kind == "except":
                self._line(depth + 1, "log.add(str(error))")
            jumps = kind != "finally"
            self._block(depth + 1, 2, loop and jumps, final or not jumps)

    def _match(self, depth, loop, final):
        self._line(depth, "match v % 3:")
        for case in self._random.sample(("0", "1 | 2", "n if ask()", "_"), self._random.randint(1, 3)):
            if case != "_":
                self._line(depth + 1, f"case {case}:")
                self._block(depth + 2, 2, loop, final)


def function_text(seed):
    """The source of `function(ask, log)`."""
    while True:
        text = _Writer(seed).text()
        try:
            compile(text, "<random>", "exec")
        except SyntaxError:  # an empty block
            seed += 1_000_003
            continue
        return text
