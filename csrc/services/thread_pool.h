#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "base/status.h"

namespace tinytf {

/// A pool of threads named "tinytf-N". They start at the first `schedule` and end with `shutdown` (called at
/// interpreter exit); a forked child has none until it schedules work itself. If the system provides fewer threads than
/// wanted, these do all the work; if it provides none, the caller does it. Thread-safe.
class ThreadPool {
 public:
  /// The process's pool, with one thread per CPU that the process may use.
  static ThreadPool& process();

  /// The pool of that name, shared by all its users. It is made at its first use and kept until the process ends.
  /// InvalidArgument if it exists with another size.
  static Result<std::shared_ptr<ThreadPool>> named(const std::string& name, int threads);
  /// Joins the threads of the process's pool and of all named ones. Called at interpreter exit.
  static void shutdown_all();

  explicit ThreadPool(int threads);
  ~ThreadPool();

  int size() const { return size_; }
  bool started() const;
  /// Runs the work, which must not throw, on a thread of the pool, or on the calling thread if the pool is shut down,
  /// has no threads or its queue is full.
  void schedule(std::function<void()> work);
  /// As `schedule`, but drops the work and returns false instead of running it on the calling thread.
  bool try_schedule(std::function<void()> work);
  /// As `try_schedule`, but keeps the work if the queue is full. Returns false if the pool is shut down or has no
  /// threads.
  bool enqueue(std::function<void()> work);
  /// Runs all queued work and joins the threads. Work that is scheduled later runs on the calling thread.
  void shutdown();

 private:
  struct State;
  struct Holder;
  struct Family;
  /// Moves the work into the pool's queue; false if the pool is shut down or has no threads.
  bool hand_over(std::function<void()>& work);
  /// Calls use(state) while the state lives; false if the pool is shut down or has no threads.
  template <class Use>
  bool with_state(Use use);
  const int size_;
  std::unique_ptr<Holder> holder_;
};

/// Stops long loops. `is_over` is called between pieces of a loop, concurrently by all threads that run it.
class LoopStopCheck {
 public:
  virtual bool is_over() = 0;

 protected:
  ~LoopStopCheck() = default;
};

/// Thrown by a loop, on the thread that called it, if the stop check stopped it. The loop is then incomplete.
class LoopCut final : public std::exception {
 public:
  const char* what() const noexcept override;
};

/// Splits loops over a pool. The caller's thread always takes part, so a loop makes progress even if every pool thread
/// is busy, and nested loops cannot deadlock. `limit` caps the number of threads per loop. With a stop check, loops
/// with an estimate of 5 ms and more call it about every 20 ms of measured time, even on one thread. An exception of a
/// body, of whatever class, ends the loop early; `run` rethrows the first one when no thread is in the body any more.
class PoolParallel final : public Parallel {
 public:
  PoolParallel(ThreadPool& pool, int limit, LoopStopCheck* stop_check = nullptr)
      : pool_(pool), limit_(limit), stop_check_(stop_check) {}
  int threads() const override { return limit_; }
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override;

 private:
  ThreadPool& pool_;
  int limit_;
  LoopStopCheck* stop_check_;
};

/// Number of CPUs that this process may use.
int cpu_count();

}  // namespace tinytf
