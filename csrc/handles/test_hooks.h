#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace tinytf {

inline int64_t steady_now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Places in a core at which tests can hold a thread or observe the state.
enum class TestPoint : uint8_t {
  kDropBeforePush,     ///< dropping thread: the handle's state is set, but it is not in the queue yet
  kTakenBeforeFree,    ///< drain: handles were taken out of the queue, but not freed
  kClosingBeforeJoin,  ///< close: all entries have ended, nothing is freed yet
  kReaperTurn,         ///< reaper: before it looks for work
  kBeforeRest,         ///< reaper: it has announced a rest and found no work
  kInDeleter,          ///< thread that frees a value; may throw std::exception, which counts as a failed deleter
  kTakeHandle,         ///< before memory for a handle is taken; may throw std::bad_alloc to simulate a lack of memory
};

#ifdef TINYTF_TESTING

/// Callbacks of a core at its points. Without hooks, a point costs one load.
class TestHooks {
 public:
  virtual ~TestHooks() = default;
  virtual void at(TestPoint point) = 0;
  /// The reaper was told to stop, so the hooks must not hold it any longer.
  virtual void reaper_told_to_stop() = 0;
  /// Time of a clock that the test controls, which measures how long values are queued; negative: the system's clock.
  virtual int64_t fake_now_ns() = 0;
};

/// The points of one core, and its clock. Thread-safe.
class TestPoints {
 public:
  TestPoints() = default;
  ~TestPoints() { delete hooks_.load(); }
  TestPoints(const TestPoints&) = delete;
  TestPoints& operator=(const TestPoints&) = delete;

  void at(TestPoint point) const {
    if (TestHooks* hooks = this->hooks()) hooks->at(point);
  }
  void reaper_told_to_stop() const {
    if (TestHooks* hooks = this->hooks()) hooks->reaper_told_to_stop();
  }
  int64_t now_ns() const {
    if (TestHooks* hooks = this->hooks()) {
      if (const int64_t now = hooks->fake_now_ns(); now >= 0) return now;
    }
    return steady_now_ns();
  }

  TestHooks* hooks() const { return hooks_.load(std::memory_order_acquire); }
  /// Installs hooks for the life of the core, unless it has some. Returns the installed ones.
  TestHooks& keep(std::unique_ptr<TestHooks> made) {
    TestHooks* hooks = nullptr;
    if (hooks_.compare_exchange_strong(hooks, made.get(), std::memory_order_acq_rel)) hooks = made.release();
    return *hooks;
  }

 private:
  std::atomic<TestHooks*> hooks_{nullptr};
};

#else

/// In a release build the points do nothing, and the clock is the system's.
class TestPoints {
 public:
  void at(TestPoint) const {}
  void reaper_told_to_stop() const {}
  int64_t now_ns() const { return steady_now_ns(); }
};

#endif

}  // namespace tinytf
