"""Programs with multi-device iterators. Run by an interpreter with TensorFlow 1.15, it prints `dealt_out.json`."""

from raw_datasets_parallel import count_up, failing_at, int64, main, numbers, outcome, plain, pulled, slices

__all__ = ["outcome", "programs"]


class Shards:
    """An iterator for several devices, and the next elements of each."""

    def __init__(self, tf, dataset, devices=2, most=2):
        self.tf, of = tf, numbers(tf)
        names = ["/cpu:0"] * devices
        self.handle = tf.raw_ops.MultiDeviceIterator(devices=names, shared_name="shards", container="", **of)
        self.start = tf.raw_ops.MultiDeviceIteratorInit(
            dataset=dataset, multi_device_iterator=self.handle, max_buffer_size=int64(tf, most)
        )
        self.number = tf.placeholder(tf.int64, [])
        self.next = [self.next_of(self.handle, shard) for shard in range(devices)]

    def next_of(self, handle, shard):
        return self.tf.raw_ops.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=handle,
            shard_num=self.tf.constant(shard),
            incarnation_id=self.number,
            **numbers(self.tf),
        )

    def outcome(self, session, shard, number=1):
        return pulled(self.tf, lambda: session.run(self.next[shard], {self.number: number}))


def programs(tf):
    def in_turn(order):
        shards = Shards(tf, count_up(tf, 5))
        with tf.Session() as session:
            return [int(session.run(shards.start)), *[shards.outcome(session, shard) for shard in order]]

    def with_errors():
        shards = Shards(tf, failing_at(tf, count_up(tf, 6), [2, 3]), devices=3)
        with tf.Session() as session:
            session.run(shards.start)
            return [shards.outcome(session, shard) for shard in (0, 1, 2, 0, 1, 2, 0, 1, 2)]

    def started_twice():
        shards = Shards(tf, count_up(tf, 5))
        with tf.Session() as session:
            found = [int(session.run(shards.start)), shards.outcome(session, 0), int(session.run(shards.start))]
            return found + [shards.outcome(session, 0, number) for number in (1, 2, 3)]

    def of_other_type():
        shards = Shards(tf, slices(tf, [1.0], "float32"))
        with tf.Session() as session:
            return pulled(tf, lambda: session.run(shards.start))

    def by_text(text=None):
        shards = Shards(tf, count_up(tf, 5))
        handle = tf.raw_ops.MultiDeviceIteratorToStringHandle(multi_device_iterator=shards.handle)
        fed = tf.placeholder(tf.string, [])
        again = tf.raw_ops.MultiDeviceIteratorFromStringHandle(string_handle=fed, **numbers(tf))
        element = shards.next_of(again, 1)
        with tf.Session() as session:
            session.run(shards.start)
            known = session.run(handle) if text is None else text
            return pulled(tf, lambda: session.run(element, {fed: known, shards.number: 1}))

    def more_than_one_at_a_time():
        shards = Shards(tf, count_up(tf, 4))
        with tf.Session() as session:
            session.run(shards.start)
            both = [session.run(shards.next, {shards.number: 1}) for _ in range(2)]
        return [[plain(a[0]), plain(b[0])] for a, b in both]

    return {
        "in turn": lambda: in_turn([0, 1, 0, 1, 0, 1, 0, 1]),
        "one ahead": lambda: in_turn([0, 0, 1, 1, 0, 1, 0]),
        "with errors": with_errors,
        "started twice": started_twice,
        "of other type": of_other_type,
        "by text": by_text,
        "by wrong text": lambda: by_text("no handle"),
        "two at a time": more_than_one_at_a_time,
    }


if __name__ == "__main__":
    main(programs)
