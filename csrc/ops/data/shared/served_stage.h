#pragma once

#include <condition_variable>
#include <new>
#include <utility>

#include "data/background_stage.h"
#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {

/// A background stage with one consumer, which takes what the stage has made. Derived classes lock mutex_ around calls
/// of the protected functions whose comments say so.
class ServedStage : public data::BackgroundStage {
 public:
  /// The consumer goes: nothing more is to be made.
  void abandon() {
    renew_if_forked();
    RefPtr<data::Waker> consumer;  // Released after the lock.
    const std::lock_guard lock(mutex_);
    is_abandoned_ = true;
    std::swap(consumer, consumer_);
  }

 protected:
  explicit ServedStage(const IteratorContext& ctx)
      : BackgroundStage(RefPtr<data::PipelineTasks>::share(&ctx.tasks), ctx.nesting) {
    share_statistics(ctx);
  }
  /// Of the same pipeline, at the same nesting.
  explicit ServedStage(const ServedStage& maker)
      : BackgroundStage(RefPtr<data::PipelineTasks>::share(&maker.tasks()), maker.nesting()) {
    share_statistics(maker);
  }

  bool is_abandoned() const { return is_abandoned_; }
  /// With the lock: why nothing can be taken; an error that end() or end_by_exception() reported is taken by this call.
  Status take_failure() {
    if (!broken_.ok()) return broken_;
    return std::exchange(failure_, Status());
  }
  /// With the lock: whether there is such an error. Nothing is made until it is taken, because it comes first.
  bool has_failed() const { return !failure_.ok(); }
  /// With the lock: the error takes the place of an element.
  void keep_failure(const Status& error) { failure_ = error; }
  /// With the lock: the consumer has to wait.
  Pulled wait(PullContext& ctx) {
    consumer_ = RefPtr<data::Waker>::share(&ctx.waker);
    return Pulled::kPending;
  }
  /// Without the lock: there may be something for the consumer.
  void wake_consumer() {
    RefPtr<data::Waker> consumer;
    {
      const std::lock_guard lock(mutex_);
      consumer = std::exchange(consumer_, nullptr);
    }
    if (consumer) consumer->wake();
  }

  // With the lock: calls that run outside work().
  void begin_call() { ++calls_; }
  void end_call() {
    if (--calls_ == 0) idle_.notify_all();
  }
  bool has_calls() const { return calls_ > 0; }
  int64_t calls() const { return calls_; }
  /// Without the lock, while work() is paused: waits until no call runs.
  Status wait_for_calls(const IteratorContext& ctx);

  /// Without a consumer that waits, its next request starts the work again, or gets the error.
  void end(const Status& error) override {
    {
      const std::lock_guard lock(mutex_);
      if (consumer_) failure_ = error;
    }
    wake_consumer();
  }
  void end_by_exception(const Status& error) override {
    {
      const std::lock_guard lock(mutex_);
      failure_ = error;
    }
    wake_consumer();
  }
  void renew(bool was_working) override {
    (void)consumer_.release();  // Of the parent.
    new (&idle_) std::condition_variable;
    if (was_working || calls_ > 0) broken_ = data::interrupted_by_fork();
    calls_ = 0;
  }

 private:
  RefPtr<data::Waker> consumer_;
  Status failure_, broken_;
  bool is_abandoned_ = false;
  int64_t calls_ = 0;
  std::condition_variable idle_;
};

}  // namespace tinytf::ops
