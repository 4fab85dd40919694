#include "data/blocking_iterator.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "data/pipeline_end.h"
#include "services/fork_gate.h"

namespace tinytf::data {

class BlockingIterator::Wait final : public Waker {
 public:
  void wake() override {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
    woken_.notify_all();
  }
  /// Waits until the waker was called, or the step is over. If no thread runs the tasks of the pipeline, because all
  /// threads of the pool wait like this one, it runs them.
  Status wait(const IteratorContext& ctx) {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      if (wait_for(std::chrono::milliseconds(runs_tasks_ ? 0 : 20))) return Status();
      runs_tasks_ = ctx.tasks.work().run_queued();
    }
  }

 private:
  bool wait_for(std::chrono::milliseconds time) {
    const ForkGate::Outside outside;
    std::unique_lock lock(mutex_);
    return woken_.wait_for(lock, time, [this] { return is_woken_; }) && std::exchange(is_woken_, false);
  }

  bool runs_tasks_ = false;  // Of the waiting thread: a task had to wait for it.
  std::mutex mutex_;         // Guards the members below. Held briefly, and together with no other lock.
  std::condition_variable woken_;
  bool is_woken_ = false;
};

BlockingIterator::BlockingIterator(const KernelServices& step)
    : tasks_(make_ref<PipelineTasks>()), wait_(make_ref<Wait>()), ctx_{{step, *tasks_}, *wait_} {
  tasks_->set_host(step.background);
}

BlockingIterator::~BlockingIterator() {
  iterator_ = nullptr;
  tasks_->work().stop();
}

Status BlockingIterator::start(const Dataset& dataset) {
  TINYTF_ASSIGN_OR_RETURN(iterator_, make_last_iterator(ctx_, dataset));
  return Status();
}

Result<bool> BlockingIterator::next(Element& element) {
  for (;;) {
    TINYTF_RETURN_IF_ERROR(ctx_.check());
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, iterator_->next(ctx_, element));
    tell_tuner(*tasks_, pulled);
    if (pulled != Pulled::kPending) return pulled == Pulled::kElement;
    TINYTF_RETURN_IF_ERROR(wait_->wait(ctx_));
  }
}

}  // namespace tinytf::data
