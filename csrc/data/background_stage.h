#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "data/iterator.h"
#include "services/fork_renewal.h"

namespace tinytf::data {

/// The part of a stage that works in the background: it pulls an input, or serves waiting steps. It is the waker of
/// what it pulls. Owned by the stage and by its tasks, so it may outlive the stage: it owns all that it uses.
class BackgroundStage : public Waker {
 public:
  /// Makes work() run soon on a thread of the pool, and once more if it is running already. Never blocks.
  void wake() final;

  /// Reports to the same statistics as the maker of the stage. Call it before the first wake().
  void share_statistics(const IteratorContext& ctx) { statistics_ = RefPtr<Statistics>::share(ctx.statistics); }
  void share_statistics(const BackgroundStage& other) {
    statistics_ = other.statistics_;
    stage_.store(other.stage_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }

  /// While this lives, work() does not run. Waits until it has returned.
  class Pause {
   public:
    explicit Pause(BackgroundStage& stage) : stage_(stage) {}
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    /// Call it once, without a lock. Fails if the step is over before work() has returned.
    Status begin(const IteratorContext& ctx);

   private:
    BackgroundStage& stage_;
    bool has_begun_ = false;
  };

 protected:
  /// `nesting` is that of the context in which the stage is made.
  explicit BackgroundStage(RefPtr<PipelineTasks> tasks, int nesting = 0)
      : tasks_(std::move(tasks)), nesting_(nesting) {}

  /// Does what can be done now. On one thread at a time, without a lock, inside a session. Returns soon after
  /// is_pausing() is true, or the context's check() fails.
  virtual void work(PullContext& ctx) = 0;
  /// From now on, work() is measured as a part of the stage that uses the context, if its pipeline is measured.
  void measure_with(const IteratorContext& ctx) {
    if (ctx.frame != nullptr) stage_.store(ctx.frame->stage, std::memory_order_relaxed);
  }
  /// That stage; null if it is not measured.
  StageProfile* stage() const { return stage_.load(std::memory_order_relaxed); }
  bool is_pausing() const { return pauses_.load(std::memory_order_relaxed) > 0; }
  /// Called if work() cannot be called: with Cancelled if the pipeline has ended, or the session in which it ran,
  /// unless a step of another session has used the pipeline since. On any thread, without a lock. All that waits for
  /// the stage gets this error.
  virtual void end(const Status& error) = 0;
  /// Called if work() has thrown, as work() is. An element may be lost, so a stage whose consumer does not wait keeps
  /// the error for it.
  virtual void end_by_exception(const Status& error) { end(error); }
  /// Whether a pull in work() has failed because work() is to return. This error is not one of the sequence.
  static bool was_cut(const IteratorContext& ctx, const Result<Pulled>& pulled) {
    return !pulled.ok() && pulled.status().code() == Code::kCancelled && !ctx.check().ok();
  }
  /// Renews in a forked child what refers to threads of the parent. `was_working`: the parent was inside work(), so the
  /// state that work() changes without the lock is undefined.
  virtual void renew(bool was_working) = 0;

  /// Call it before the lock is taken.
  void renew_if_forked() noexcept;
  PipelineTasks& tasks() const { return *tasks_; }
  /// Begins a pause that lasts until the position of the whole pipeline is saved, so that its parts belong together.
  /// Fails as Pause::begin.
  Status pause_until_saved(const IteratorContext& ctx);
  int nesting() const { return nesting_; }

  mutable std::mutex mutex_;  ///< Guards members of the derived class. Held briefly, and together with no other lock.

 private:
  /// Woken: work() is to be called (again) afterwards.
  enum State : int { kIdle, kWorking, kWorkingWoken, kPaused, kPausedWoken };

  void start();
  void run(const KernelServices& step);
  void leave(const Status& error, const BackgroundHost* host);
  void resume();

  const RefPtr<PipelineTasks> tasks_;
  const int nesting_;
  RefPtr<Statistics> statistics_;
  std::atomic<StageProfile*> stage_{nullptr};  // Lives as long as tasks_.
  std::atomic<int> state_{kIdle};
  std::atomic<int> pauses_{0};
  std::atomic<bool> was_cut_{false};  // work() has returned during a pause, so there may be more to do.
  std::condition_variable returned_;  // work() has returned, with mutex_.
  ForkRenewal renewal_;
};

/// The error of a stage whose state is undefined in a forked child.
Status interrupted_by_fork();

}  // namespace tinytf::data
