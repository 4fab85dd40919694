#pragma once

#include <functional>
#include <memory>

#include "base/function_ref.h"
#include "op/kernel.h"

namespace tinytf {

/// A session as the place of work outside steps. Lent to kernels by KernelServices::background; a resource may keep a
/// reference, which does not keep the session open. Thread-safe.
class BackgroundHost : public RefCounted {
 public:
  /// Calls `work` on the calling thread, inside the session, with the services of a step of its own. Both
  /// `cancellation` and the close of the session end that step. Returns false, without calling `work`, once the session
  /// is closing or gone.
  virtual bool run(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) = 0;
};

/// The tasks of a resource on the process's pool of threads, such as the prefetching of an iterator. Each runs outside
/// steps, but has what a step has: it is inside a session and the ForkGate, can be cancelled, and has step resources.
/// In a forked child, tasks of the parent do not exist, and new ones can be started. Thread-safe.
class BackgroundWork {
 public:
  /// Runs with the services of its host. While it waits, it occupies a thread of the pool. An exception becomes a
  /// Status.
  using Task = std::function<Status(const KernelServices&)>;
  /// Gets the status of a task, or Cancelled if the task did not begin. It may be called with any lock held, so it runs
  /// no node.
  using Done = std::function<void(const Status&)>;

  BackgroundWork();
  /// Cancels the work, but does not wait for tasks that run, because a value may be destroyed under locks and with the
  /// lock of the host language, which those tasks may need. Therefore tasks must own all that they use.
  ~BackgroundWork();
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  /// Starts a task; then `done` is called exactly once, at the end of the task or instead of it. On an error it calls
  /// neither: Cancelled if the work was cancelled, ResourceExhausted without memory or a thread for the task.
  Status start(BackgroundHost& host, Task task, Done done) noexcept;
  /// Runs a task that has not begun on this thread; false if there is none. For a thread that waits for the work, so
  /// that the work goes on if all threads of the pool wait in this way.
  bool run_queued();
  /// Whether the calling thread runs a task, of any work.
  static bool runs_task();
  /// Cancels all tasks, now and later. Those that have not begun end at once, on this thread.
  void cancel();
  /// Cancels all tasks and waits until none is running. On a thread that runs one of them it does not wait.
  void stop();

  /// Cancels the work of the process, now and later, so that no thread of the pool waits. Called at the exit.
  static void cancel_all_at_exit();

 private:
  struct All;
  struct State;
  /// Made when the module is loaded, not on first use; see module.cc. Leaked: work may outlive every static object.
  static All* const all_;
  const std::shared_ptr<State> state_;  // Shared with the pool.
};

}  // namespace tinytf
