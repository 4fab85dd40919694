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
# # Training that survives
#
# A monitored session saves a training, shows how it goes, and makes itself anew when what it ran on is lost. This notebook loses
# sessions on purpose, and looks at what becomes of the training.
#
# Every point has its reference in `docs/usage/monitored_sessions.md`.

# %%
import io

import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

FOLDER = "survives"
tf.logging.set_verbosity(tf.logging.ERROR)

# %% [markdown]
# ## A model
#
# A line through points. All that a training changes is in variables, the *global step*, which counts its steps, among them.

# %%
points = np.linspace(-1.0, 1.0, 64, dtype=np.float32)
x, y = tf.constant(points), tf.constant(3.0 * points - 1.0)
slope = tf.get_variable("slope", initializer=0.0)
offset = tf.get_variable("offset", initializer=0.0)
loss = tf.reduce_mean(tf.square(slope * x + offset - y), name="loss")
step = tf.train.get_or_create_global_step()
now = step + 0  # as the run finds it
with tf.control_dependencies([loss, now]):
    train = tf.train.GradientDescentOptimizer(0.02).minimize(loss, global_step=step)

# %% [markdown]
# ## Something that fails
#
# A *hook* is called around each step. This one says, before some steps, what a cluster says when one of its machines is gone:
# the session is lost, with the values of all variables.


# %%
class LosesSessions(tf.train.SessionRunHook):
    def __init__(self, at_runs):
        self.at_runs = list(at_runs)
        self.runs = 0

    def before_run(self, run_context):
        self.runs += 1
        if self.at_runs and self.runs == self.at_runs[0]:
            self.at_runs.pop(0)
            raise tf.errors.UnavailableError(None, None, f"the machine is gone at run {self.runs}")


class Notes(tf.train.SessionRunHook):
    """Notes the step and the loss of each run, and where sessions begin."""

    def __init__(self):
        self.seen, self.begins = [], []

    def after_create_session(self, session, coord):
        self.begins.append((len(self.seen), session.run(step)))

    def before_run(self, run_context):
        return tf.train.SessionRunArgs([now, loss])

    def after_run(self, run_context, run_values):
        self.seen.append(run_values.results)


# %% [markdown]
# ## The training
#
# Checkpoints are written each 20 steps. `ProgressHook` shows how far it is: on a terminal as a line that changes, by tqdm if that
# is there. Here it writes to a text, each time that a step comes to it.

# %%
shown = io.StringIO()
notes = Notes()
hooks = [
    notes,
    LosesSessions([35, 75, 90]),
    tf.train.StopAtStepHook(last_step=100),
    tf.experimental.ProgressHook(last_step=100, tensors={"loss": loss}, stream=shown),
]
with tf.train.MonitoredTrainingSession(
    checkpoint_dir=FOLDER, save_checkpoint_steps=20, save_summaries_steps=None, log_step_count_steps=None, hooks=hooks
) as sess:
    while not sess.should_stop():
        sess.run(train)
print(shown.getvalue().splitlines()[0])
print(shown.getvalue().splitlines()[-1].split("   ")[0])

# %% [markdown]
# The loop knows nothing of what has happened: each lost session was made anew, the newest checkpoint was restored, and the step
# ran again.

# %%
report = sess.report()
print(report.sessions_created, "sessions")
for cause in report.causes:
    print(cause)
print(report.last_checkpoint)

# %% [markdown]
# ## What it has cost
#
# The loss by runs: at each loss of the session the training falls back to its checkpoint, and computes those steps again, to
# the same values.

# %%
losses = [value for _, value in notes.seen]
figure, axes = plt.subplots(figsize=(6, 3))
axes.plot(losses)
for run, at in notes.begins[1:]:
    axes.axvline(run, color="tab:red", linestyle=":")
    axes.annotate(f"back to step {at}", (run, losses[run]), xytext=(4, 20), textcoords="offset points")
axes.set(xlabel="run", ylabel="loss", yscale="log")
plt.show()

# %%
by_step = {}
for at, value in notes.seen:
    assert by_step.setdefault(int(at), value) == value
print(len(notes.seen), "runs for", len(by_step), "steps")

# %% [markdown]
# ## Stop and go on
#
# The same folder again: a later program goes on from there. Ctrl-C and SIGTERM end a training in this way, too: the step comes
# to its end, what was reached is saved, and the next program has it.

# %%
with tf.train.MonitoredTrainingSession(
    checkpoint_dir=FOLDER, hooks=[tf.train.StopAtStepHook(num_steps=50)], log_step_count_steps=None
) as sess:
    print("goes on from step", sess.run(step, hooks=False))
    while not sess.should_stop():
        sess.run(train)
print(tf.train.latest_checkpoint(FOLDER), sess.stop_reason)
tf.summary.FileWriterCache.clear()
