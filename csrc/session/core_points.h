#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace tinytf {

inline int64_t steady_now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Places in a core where tests can hold a thread or look.
enum class CorePoint : uint8_t {
  kDropBeforePush,     ///< a dropper: the handle is queued by its state, but not in the queue
  kTakenBeforeFree,    ///< a drain: handles are out of the queue, but not freed
  kClosingBeforeJoin,  ///< close: nobody is inside any more, nothing is freed yet
  kReaperTurn,         ///< the reaper, before it looks for work
  kBeforeRest,         ///< the reaper: it has announced a rest and found nothing
  kInDeleter,          ///< whoever frees a value; may throw std::exception, which counts as a failed deleter
  kTakeHandle,         ///< a maker, before it takes memory for a handle; std::bad_alloc says that there is none
};

#ifdef TINYTF_TESTING

/// What a core calls at its points; where a test has set none, a point costs one load.
class CoreHooks {
 public:
  virtual ~CoreHooks() = default;
  virtual void at(CorePoint point) = 0;
  /// It must not be held any more.
  virtual void reaper_told_to_stop() = 0;
  /// Of a clock that the test moves, for how long values are queued; below 0: the system's.
  virtual int64_t fake_now_ns() = 0;
};

/// The points of one core, and its clock. Thread-safe.
class CorePoints {
 public:
  CorePoints() = default;
  ~CorePoints() { delete hooks_.load(); }
  CorePoints(const CorePoints&) = delete;
  CorePoints& operator=(const CorePoints&) = delete;

  void at(CorePoint point) const {
    if (CoreHooks* hooks = this->hooks()) hooks->at(point);
  }
  void reaper_told_to_stop() const {
    if (CoreHooks* hooks = this->hooks()) hooks->reaper_told_to_stop();
  }
  int64_t now_ns() const {
    if (CoreHooks* hooks = this->hooks()) {
      if (const int64_t now = hooks->fake_now_ns(); now >= 0) return now;
    }
    return steady_now_ns();
  }

  CoreHooks* hooks() const { return hooks_.load(std::memory_order_acquire); }
  /// Hooks that stay until the core goes: the first that are given. Those that are there now.
  CoreHooks& keep(std::unique_ptr<CoreHooks> made) {
    CoreHooks* hooks = nullptr;
    if (hooks_.compare_exchange_strong(hooks, made.get(), std::memory_order_acq_rel)) hooks = made.release();
    return *hooks;
  }

 private:
  std::atomic<CoreHooks*> hooks_{nullptr};
};

#else

/// What is released has no points but the clock's.
class CorePoints {
 public:
  void at(CorePoint) const {}
  void reaper_told_to_stop() const {}
  int64_t now_ns() const { return steady_now_ns(); }
};

#endif

}  // namespace tinytf
