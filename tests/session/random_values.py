"""Random values of branches and loops over fed numbers, and partial runs of them."""

import tinytf as tf


class RandomValues:
    """Builds random values from `numbers` and `predicates`, which are fed."""

    def __init__(self, choose):
        self._choose = choose
        self.numbers = [tf.placeholder(tf.float32, [], name=f"x{i}") for i in range(choose.randint(1, 4))]
        self.predicates = [tf.placeholder(tf.bool, [], name=f"p{i}") for i in range(choose.randint(1, 3))]
        self.feeds = [*self.numbers, *self.predicates]
        if choose.random() < 0.3:  # known, because it is not fed
            self.predicates.append(tf.placeholder_with_default(choose.random() < 0.5, []))

    def value(self, depth, inner=()):
        """A random value of the fed numbers, of the numbers `inner` of an enclosing body, and of operations on them."""
        kind = self._choose.randrange(6 if depth > 0 else 2)
        if kind == 0:
            return self._choose.choice([*self.numbers, *inner, tf.constant(0.5)])
        if kind == 1:
            one, other = (self._choose.choice([*self.numbers, *inner]) for _ in range(2))
            return self._choose.choice([tf.add, tf.multiply, tf.minimum])(one, other) * 0.5
        if kind == 2:
            return tf.sin(self.value(depth - 1, inner)) + self.value(depth - 1, inner)
        if kind < 5:
            return tf.cond(
                self.predicate(depth, inner), lambda: self.value(depth - 1, inner), lambda: self.value(depth - 1, inner)
            )
        return self._loop(depth, inner)

    def predicate(self, depth, inner):
        if self._choose.random() < 0.6:
            return self._choose.choice(self.predicates)
        return self.value(depth - 1, inner) < self.value(depth - 1, inner)

    def _loop(self, depth, inner):
        count = self._choose.randrange(4)

        def body(i, one, other):
            return i + 1, self.value(depth - 1, (*inner, one, other)), self._choose.choice([one, other])

        start = [0, self.value(depth - 1, inner), self.value(depth - 1, inner)]
        return tf.while_loop(lambda i, *_: i < count, body, start)[self._choose.choice([1, 2])]


def in_parts(session, choose, fetches, feed):
    """Runs the program in parts: some feeds at a time in random order; each fetch as soon as it is available, or
    later.
    """
    handle = session.partial_run_setup(fetches, list(feed))
    waiting, left, found = list(range(len(fetches))), list(feed), {}
    choose.shuffle(left)
    while left or waiting:
        given = {tensor: feed[tensor] for tensor in left[: choose.randint(1, 2)]}
        left = left[len(given) :]
        wanted = choose.sample(waiting, choose.randint(0, len(waiting))) if left else waiting
        try:
            values = session.partial_run(handle, [fetches[i] for i in wanted], given)
        except tf.errors.InvalidArgumentError as error:
            assert "can't be computed from the feeds that have been fed so far" in str(error), error
            assert left
            wanted, values = [], session.partial_run(handle, [], given)
        found.update(zip(wanted, values, strict=True))
        waiting = [i for i in waiting if i not in found]
    return [found[i] for i in range(len(fetches))]
