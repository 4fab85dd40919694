#include "handles/testing/core_testing.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace tinytf {

/// Owned by the core, because its threads may be in here at any time.
class CoreTesting::Hold final : public TestHooks {
 public:
  explicit Hold(SessionCore& core) : core_(core) {}

  static Hold& of(SessionCore& core) {
    TestHooks* hooks = core.points_.hooks();
    return static_cast<Hold&>(hooks != nullptr ? *hooks : core.points_.keep(std::make_unique<Hold>(core)));
  }

  void at(TestPoint point) override {
    std::unique_lock lock(mutex_);
    if (point == TestPoint::kReaperTurn) hold_reaper(lock);
    if (point == TestPoint::kBeforeRest) {
      idle_ = true;
      changed_.notify_all();
      if (paused_) core_.reaper_.notify_urgent();  // goes on to its next turn
    }
    if (point == TestPoint::kTakeHandle && fail_handles_ > 0) {
      --fail_handles_;
      throw std::bad_alloc();
    }
    const auto found = actions_.find(point);
    if (found == actions_.end()) return;
    const std::shared_ptr<const std::function<void()>> action = found->second;
    lock.unlock();
    (*action)();
  }
  void reaper_told_to_stop() override {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  int64_t fake_now_ns() override {
    std::lock_guard lock(mutex_);
    return fake_now_ns_;
  }

 private:
  friend class CoreTesting;

  void hold_reaper(std::unique_lock<std::mutex>& lock) {
    idle_ = false;
    if (!paused_) return;
    held_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !paused_ || steps_ > 0 || stopping_; });
    held_ = false;
    if (steps_ > 0) --steps_;
  }

  SessionCore& core_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool paused_ = false;
  bool held_ = false;      // the reaper is held here
  bool idle_ = false;      // the reaper is about to rest
  bool stopping_ = false;  // the reaper
  int steps_ = 0;
  int fail_handles_ = 0;
  int64_t fake_now_ns_ = -1;
  std::map<TestPoint, std::shared_ptr<const std::function<void()>>> actions_;
};

CoreTesting::CoreTesting(SessionCore& core) : core_(core), hold_(Hold::of(core)) {}

CoreTesting::~CoreTesting() {
  fail_allocations(false);
  std::lock_guard lock(hold_.mutex_);
  hold_.paused_ = false;
  hold_.fail_handles_ = 0;
  hold_.fake_now_ns_ = -1;
  hold_.actions_.clear();
  hold_.changed_.notify_all();
}

void CoreTesting::pause_reaper() {
  std::unique_lock lock(hold_.mutex_);
  hold_.paused_ = true;
  lock.unlock();
  core_.reaper_.notify_urgent();
  lock.lock();
  hold_.changed_.wait(lock, [this] { return hold_.held_ || !has_reaper(); });
}

void CoreTesting::resume() {
  std::lock_guard lock(hold_.mutex_);
  hold_.paused_ = false;
  hold_.changed_.notify_all();
}

void CoreTesting::step(int turns) {
  std::unique_lock lock(hold_.mutex_);
  hold_.steps_ += turns;
  hold_.changed_.notify_all();
  hold_.changed_.wait(lock, [this] { return (hold_.held_ && hold_.steps_ == 0) || !has_reaper(); });
}

void CoreTesting::wait_idle() {
  for (bool idle = false; !idle && has_reaper(); idle = core_.reclaim_.nothing_queued()) {
    std::unique_lock lock(hold_.mutex_);
    hold_.idle_ = false;
    lock.unlock();
    core_.reaper_.notify_urgent();
    lock.lock();
    hold_.changed_.wait(lock, [this] { return hold_.idle_ || !has_reaper(); });
  }
}

void CoreTesting::set_failpoint(TestPoint point, std::function<void()> action) {
  std::lock_guard lock(hold_.mutex_);
  if (action) {
    hold_.actions_[point] = std::make_shared<const std::function<void()>>(std::move(action));
  } else {
    hold_.actions_.erase(point);
  }
}

void CoreTesting::fail_next_handles(int count) {
  std::lock_guard lock(hold_.mutex_);
  hold_.fail_handles_ = count;
}

void CoreTesting::fail_allocations(bool fail) {
  core_.allocator().set_limit(fail ? 1 : core_.options_.memory_limit_bytes);
}

void CoreTesting::set_fake_now_ns(int64_t now) {
  std::lock_guard lock(hold_.mutex_);
  hold_.fake_now_ns_ = now;
}

CoreTesting::Count CoreTesting::recount() const {
  Count count;
  core_.handles_.for_each([&](TensorHandle& handle) {
    const int64_t bytes = handle.charged_bytes();
    switch (handle.state()) {
      case TensorHandle::State::kVacant: ++count.vacant; break;
      case TensorHandle::State::kClosed: ++count.closed; break;
      case TensorHandle::State::kInvalidated: ++count.invalidated; break;
      case TensorHandle::State::kLive: ++count.live, count.live_bytes += bytes; break;
      case TensorHandle::State::kQueued: ++count.queued, count.queued_bytes += bytes; break;
      case TensorHandle::State::kRetained: ++count.retained, count.retained_bytes += bytes; break;
    }
  });
  return count;
}

}  // namespace tinytf
