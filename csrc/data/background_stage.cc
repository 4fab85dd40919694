#include "data/background_stage.h"

#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "op/guarded.h"

namespace tinytf::data {

Status interrupted_by_fork() {
  return Status(Code::kAborted,
                "The process was forked while this iterator was in use, so its position is unknown. Make a new one.");
}

void BackgroundStage::renew_if_forked() noexcept {
  renewal_.run_if_due([this] {
    new (&mutex_) std::mutex;
    new (&returned_) std::condition_variable;
    pauses_.store(0);
    renew(state_.exchange(kIdle) != kIdle);
  });
}

void BackgroundStage::wake() {
  renew_if_forked();
  int state = state_.load();
  while (state != kWorkingWoken && state != kPausedWoken) {
    const int next = state == kIdle ? kWorking : state == kWorking ? kWorkingWoken : kPausedWoken;
    if (!state_.compare_exchange_weak(state, next)) continue;
    if (state == kIdle) start();
    return;
  }
}

void BackgroundStage::start() {
  const auto self = RefPtr<BackgroundStage>::share(this);
  const RefPtr<BackgroundHost> host = tasks_->host();
  const auto task = [self](const KernelServices& step) {
    self->run(step);
    return Status();
  };
  // A task that has begun has left by itself.
  const auto done = [self, host](const Status& status) {
    if (!status.ok()) self->leave(status, host.get());
  };
  const Status started =
      guarded([&] { return host ? tasks_->work().start(*host, task, done) : iteration_cancelled(); });
  if (!started.ok()) leave(started, host.get());
}

void BackgroundStage::run(const KernelServices& step) {
  PullContext ctx{{step, *tasks_, nesting_, statistics_.get()}, *this};
  for (;;) {
    const Status status = guarded([&] {
      const AtStage measured(ctx, stage());
      work(ctx);
      if (ctx.frame != nullptr) ctx.frame->stage->add_time(measured.own(), 0);
      return Status();
    });
    if (const Status over = ctx.check(); !over.ok()) return leave(over, step.background);
    if (!status.ok()) end_by_exception(status);
    if (is_pausing()) was_cut_ = true;
    int state = kWorking;
    if (state_.compare_exchange_strong(state, kIdle)) break;
    state_.store(kWorking);  // It was woken meanwhile.
  }
  const std::lock_guard lock(mutex_);
  returned_.notify_all();
}

/// A task on `host` has ended, or could not start. A session that has used the pipeline since takes the work over.
void BackgroundStage::leave(const Status& error, const BackgroundHost* host) {
  state_.store(kIdle);
  {
    const std::lock_guard lock(mutex_);
    returned_.notify_all();
  }
  tasks_->host().get() != host ? wake() : end(error);
}

Status BackgroundStage::Pause::begin(const IteratorContext& ctx) {
  stage_.renew_if_forked();
  stage_.pauses_.fetch_add(1);
  for (;;) {
    int state = kIdle;
    if (stage_.state_.compare_exchange_strong(state, kPaused)) break;
    if (const Status status = ctx.check(); !status.ok()) {
      stage_.pauses_.fetch_sub(1);
      stage_.wake();  // It may have been cut.
      return status;
    }
    const ForkGate::Outside outside;
    std::unique_lock lock(stage_.mutex_);
    stage_.returned_.wait_for(lock, std::chrono::milliseconds(5));
  }
  has_begun_ = true;
  return Status();
}

Status BackgroundStage::pause_until_saved(const IteratorContext& ctx) {
  struct Held {
    explicit Held(BackgroundStage& stage) : stage(RefPtr<BackgroundStage>::share(&stage)), pause(stage) {}
    const RefPtr<BackgroundStage> stage;
    Pause pause;  // Ends before the stage.
  };
  auto held = std::make_shared<Held>(*this);
  TINYTF_RETURN_IF_ERROR(held->pause.begin(ctx));
  tasks_->hold(std::move(held));
  return Status();
}

BackgroundStage::Pause::~Pause() {
  if (has_begun_) stage_.resume();
}

void BackgroundStage::resume() {
  pauses_.fetch_sub(1);
  const bool was_cut = was_cut_.exchange(false);
  if (state_.exchange(kIdle) == kPausedWoken || was_cut) wake();
}

}  // namespace tinytf::data
