# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Eager sessions
#
# In an eager session an operation is executed when it is called, and the session owns what it yields. *When* the memory of a
# dropped value is freed is the session's clean-up strategy. This notebook shows the three of them at work.
#
# Every point has its reference in `docs/usage/eager_sessions.md`.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

Strategy = tf.EagerSession.ResourceCleanupStrategy

# %% [markdown]
# ## Operations have values
#
# No graph, no `run`: inside the block a tensor has its value.

# %%
with tf.EagerSession() as session:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    print(x @ x + 1.0)
    inverse = np.linalg.inv(x)
    print((x @ inverse).numpy().round(6))

try:
    x.numpy()
except tf.eager.SessionClosedError as error:
    print(error)

# %% [markdown]
# ## Three strategies, one program
#
# The program makes 200 values of 1 MiB, one after the other, and refers to the last five only. After each step we ask the
# session what it holds, dropped values included. `IN_BACKGROUND` frees them from a thread of its own, `ON_SAFE_POINTS` at the
# next operation, `ON_SESSION_CLOSE` not before the end.


# %%
def memory_over_time(strategy):
    held = []
    with tf.EagerSession(resource_cleanup_strategy=strategy) as session:
        window = []
        for step in range(200):
            window = [*window[-4:], tf.fill([256, 1024], float(step))]
            stats = session.stats()
            held.append(stats.live_bytes + stats.queued_bytes + stats.retained_bytes)
        peak = session.stats().peak_bytes
    held.append(session.stats().live_bytes)
    return held, peak


MIB = 1 << 20
figure, axes = plt.subplots(1, 3, figsize=(10, 2.8), sharex=True)
peaks = {}
for axis, strategy in zip(axes, Strategy, strict=True):
    held, peaks[strategy] = memory_over_time(strategy)
    axis.plot([n / MIB for n in held])
    axis.set_title(strategy.name, fontsize=9)
    axis.set_xlabel("step")
    axis.set_ylim(bottom=0)
    assert held[-1] == 0  # close frees everything, whatever the strategy
axes[0].set_ylabel("MiB held")
figure.tight_layout()

for strategy, peak in peaks.items():
    print(f"{strategy.name:16} peak {peak / MIB:6.1f} MiB")

assert peaks[Strategy.ON_SAFE_POINTS] <= 7 * MIB
assert peaks[Strategy.ON_SESSION_CLOSE] >= 200 * MIB

# %% [markdown]
# ## What is it that holds the memory?
#
# With `track_sites` a session knows the line that made each value.

# %%
with tf.EagerSession(track_sites=True) as session:
    weights = [tf.ones([64, 64]) for _ in range(10)]
    bias = tf.zeros([64])
    for site, holding in session.live_tensors(by="op").items():
        print(site, holding)
    del weights, bias

# %% [markdown]
# ## Scopes
#
# A scope frees what was made in it; `detach()` takes a value out of its session altogether.

# %%
with tf.EagerSession() as session:
    data = tf.range(10)
    with session.scope():
        squares = data * data
        total = tf.reduce_sum(squares).detach()
    print(squares)

print(total)  # the session is closed

# %% [markdown]
# ## Arrays stay
#
# `numpy()` shares the tensor's memory without a copy, read-only. The array holds the memory, whatever becomes of the session;
# the figures call it *exported*.

# %%
with tf.EagerSession() as session:
    array = (tf.ones([1000]) * 2.0).numpy()

print(array.sum(), session.stats().exported_bytes)
del array
print(session.stats().exported_bytes)
