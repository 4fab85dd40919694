"""Programs made of blocks of statements, run by Python or built as graphs of branches and loops.

A statement is ("if", condition, block, block), ("for", count, block), ("while", condition, block, limit) or of a kind
that `simple` handles; `holds` evaluates a condition.
"""

import tinytf as tf


class PlainBlocks:
    """Runs blocks in Python."""

    def run(self, block, state):
        for kind, *parts in block:
            if kind == "if":
                state = self.run(parts[1] if self.holds(parts[0], state) else parts[2], state)
            elif kind == "for":
                for _ in range(parts[0]):
                    state = self.run(parts[1], state)
            elif kind == "while":
                for _ in range(parts[2]):
                    if not self.holds(parts[0], state):
                        break
                    state = self.run(parts[1], state)
            else:
                state = self.simple(kind, parts, state)
        return state


class StagedBlocks:
    """Builds blocks as graphs."""

    def run(self, block, state):
        for kind, *parts in block:
            if kind == "if":
                here = state
                on, off = (lambda block=block, here=here: self.run(block, here) for block in parts[1:])
                state = tf.cond(self.holds(parts[0], here), on, off)
            elif kind == "for":
                _, *state = tf.while_loop(
                    lambda i, *s, count=parts[0]: i < count,
                    lambda i, *s, block=parts[1]: [i + 1, *self.run(block, list(s))],
                    [0, *state],
                )
            elif kind == "while":
                state = tf.while_loop(
                    lambda *s, condition=parts[0]: self.holds(condition, list(s)),
                    lambda *s, block=parts[1]: self.run(block, list(s)),
                    state,
                    maximum_iterations=parts[2],
                )
            else:
                state = self.simple(kind, parts, state)
        return list(state)
