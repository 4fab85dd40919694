#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "base/status.h"

namespace tinytf {

/// Threads of the process, named "tinytf-N". They start at the first `schedule`, end with `shutdown` (called at
/// interpreter exit), and are absent in a forked child until it schedules something itself. Where the system gives
/// fewer threads than wanted, those that came do all the work; where it gives none, the caller. Thread-safe.
class ThreadPool {
 public:
  /// The process's pool; as many threads as the machine has for this process.
  static ThreadPool& process();

  /// The pool of that name, shared by whoever names it and kept until the process ends; made at its first use.
  /// InvalidArgument if it exists with another size.
  static Result<std::shared_ptr<ThreadPool>> named(const std::string& name, int threads);
  /// Joins the threads of the process's pool and of all named ones; at interpreter exit.
  static void shutdown_all();

  explicit ThreadPool(int threads);
  ~ThreadPool();

  int size() const { return size_; }
  bool started() const;
  /// Runs the work, which must not throw, on a thread of the pool; in place if the pool is shut down, has no threads or
  /// too much to do already.
  void schedule(std::function<void()> work);
  /// As `schedule`, but where that would run the work in place, false and nothing.
  bool try_schedule(std::function<void()> work);
  /// Runs what is queued and joins the threads. Work scheduled later runs in place.
  void shutdown();

 private:
  struct State;
  struct Holder;
  struct Family;
  /// Moves the work into the pool's queue; false if the pool is shut down or has no threads.
  bool hand_over(std::function<void()>& work);
  const int size_;
  std::unique_ptr<Holder> holder_;
};

/// Whether long loops should go on. Asked between pieces of a loop, by every thread that works on it.
class LoopWatch {
 public:
  virtual bool is_over() = 0;

 protected:
  ~LoopWatch() = default;
};

/// What a loop throws, on the thread that called it, when its watch said that it is over: it is not whole then.
class LoopCut final : public std::exception {
 public:
  const char* what() const noexcept override;
};

/// Splits loops over a pool; the caller's thread always takes part, so a loop makes progress even if every pool thread
/// is busy, and nested loops cannot dead-lock. `limit` caps the threads that one loop uses. With a watch, loops that
/// take long look at it every 20 ms or so, also on one thread, however far off their estimates are. What a body throws
/// ends the loop early and is thrown on by `run`, the first of it, when no thread is in the body any more.
class PoolParallel final : public Parallel {
 public:
  PoolParallel(ThreadPool& pool, int limit, LoopWatch* watch = nullptr) : pool_(pool), limit_(limit), watch_(watch) {}
  int threads() const override { return limit_; }
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) override;
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override;

 private:
  ThreadPool& pool_;
  int limit_;
  LoopWatch* watch_;
};

/// CPUs that this process may use.
int cpu_count();

}  // namespace tinytf
