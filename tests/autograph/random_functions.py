"""Generates random functions of ints whose conditions may be tensors; a seed determines the source."""

import random

_NAMES = ("a", "b", "c", "d['k']")
_MANAGERS = ("scope('s')", "on('/cpu:0')", "after([x])", "tape() as w", "own(y) as v")
_INNER = """
    def pick(p, q):
        if p > q:
            if q > b:
                return p - q
            p += 1
        return q % 7 if p < a and q > 0 else p
""".split("\n")[1:-1]


class _Writer:
    def __init__(self, seed):
        self._random = random.Random(seed)
        self._lines = ["def function(x, y):", "    a, b, c, d = x, y, x - y, {'k': x}", *_INNER]
        self._loops = 0

    def text(self):
        self._block(1, 3, loop=None, may_return=True)
        if self._random.random() < 0.8:
            self._line(1, f"return {self._result()}")
        else:
            self._line(1, "if a > b:")
            self._line(2, f"return {self._result()}")
            self._line(1, "else:")
            self._line(2, f"return {self._result()}")
        return "\n".join(self._lines) + "\n"

    def _result(self):
        return "a, b, c, d['k']"

    def _line(self, depth, text):
        self._lines.append("    " * depth + text)

    def _pick(self, *choices):
        return self._random.choice(choices)

    def _number(self):
        return self._pick(*_NAMES, str(self._random.randint(-5, 9)))

    def _expression(self, depth=2):
        if depth == 0 or self._random.random() < 0.3:
            return self._number()
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        kind = self._random.random()
        if kind < 0.75:
            return f"({left} {self._pick('+', '-', '*')} {right}) % 97"
        if kind < 0.9:
            return f"({left} if {self._condition(depth - 1)} else {right} + a - a)"
        if kind < 0.95:
            return f"pick({left}, {right} + a - a)"
        return f"abs({left} - a)"

    def _condition(self, depth=2):
        kind = self._random.random()
        if depth == 0 or kind < 0.6:
            return f"{self._pick(*_NAMES)} {self._pick('<', '>', '<=', '>=')} {self._expression(0)}"
        if kind < 0.75:
            return f"({self._condition(depth - 1)} {self._pick('and', 'or')} {self._condition(depth - 1)})"
        if kind < 0.85:
            return f"not {self._condition(depth - 1)}"
        return f"{self._number()} < {self._pick(*_NAMES)} <= {self._number()}"

    def _block(self, depth, size, loop, may_return):
        """`loop` is None, "tensor" or "python": the kind of the enclosing loop."""
        for _ in range(self._random.randint(1, size)):
            if self._statement(depth, loop, may_return):
                return

    def _statement(self, depth, loop, may_return):
        """Writes a statement; returns whether it ends the block."""
        kind = self._random.random()
        if kind < 0.3 or depth > 4:
            self._assignment(depth)
        elif kind < 0.4:
            self._with(depth, loop, may_return)
        elif kind < 0.65:
            self._if(depth, loop, may_return)
        elif kind < 0.75:
            self._while(depth)
        elif kind < 0.87:
            self._for(depth, may_return)
        elif loop is not None and kind < 0.95:
            jump = self._pick("break", "continue") if loop == "tensor" else "continue"
            self._line(depth, f"if {self._condition()}:")
            self._line(depth + 1, jump)
        elif may_return and depth > 1:
            self._line(depth, f"return {self._result()}")
            return True
        else:
            self._assignment(depth)
        return False

    def _assignment(self, depth):
        target = self._pick(*_NAMES)
        if self._random.random() < 0.2:
            self._line(depth, f"t = {self._expression()}")
            self._line(depth, f"{target} = (t * {self._number()}) % 89")
        elif self._random.random() < 0.3:
            self._line(depth, f"{target} {self._pick('+=', '-=')} {self._number()}")
        else:
            self._line(depth, f"{target} = {self._expression()} + {target} - {target}")

    def _if(self, depth, loop, may_return):
        self._line(depth, f"if {self._condition()}:")
        self._block(depth + 1, 2, loop, may_return)
        if self._random.random() < 0.3:
            self._line(depth, f"elif {self._condition()}:")
            self._block(depth + 1, 2, loop, may_return)
        if self._random.random() < 0.5:
            self._line(depth, "else:")
            self._block(depth + 1, 2, loop, may_return)

    def _with(self, depth, loop, may_return):
        """A value assigned in the block is read after it, unless a statement can jump out of it."""
        self._line(depth, f"with {', '.join(self._random.sample(_MANAGERS, self._pick(1, 1, 2)))}:")
        if self._random.random() < 0.2:
            return self._block(depth + 1, 2, loop, may_return)
        self._block(depth + 1, 2, None, may_return=False)
        name = self._pick("t", "u")
        self._line(depth + 1, f"{name} = {self._expression()}")
        return self._line(depth, f"{self._pick(*_NAMES)} = ({name} * {self._number()}) % 89")

    def _while(self, depth):
        self._loops += 1
        counter = f"n{self._loops}"
        self._line(depth, f"{counter} = x - x")
        self._line(depth, f"while {counter} < {self._random.randint(0, 4)} and {self._condition(1)}:")
        self._line(depth + 1, f"{counter} += 1")
        self._block(depth + 1, 2, "tensor", may_return=False)
        self._else_of_loop(depth)

    def _for(self, depth, may_return):
        self._loops += 1
        index = f"i{self._loops}"
        kind = self._random.random()
        if kind < 0.3:
            self._line(depth, f"for {index} in range({self._random.randint(0, 3)}):")
            self._line(depth + 1, f"a = (a + {index}) % 97")
            self._block(depth + 1, 2, "python", may_return=False)
            return
        rows = f"range(abs({self._pick(*_NAMES)}) % 4)" if kind < 0.7 else "rows(x, y)"
        self._line(depth, f"for {index} in {rows}:")
        self._line(depth + 1, f"b = (b - {index}) % 97")
        self._block(depth + 1, 2, "tensor", may_return=False)
        self._else_of_loop(depth)

    def _else_of_loop(self, depth):
        if self._random.random() < 0.2:
            self._line(depth, "else:")
            self._assignment(depth + 1)


def function_text(seed):
    """The source of `function(x, y)`, which takes ints and expects `rows` and the context managers as globals."""
    return _Writer(seed).text()
