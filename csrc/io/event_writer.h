#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include "io/event_file.h"
#include "services/fork_renewal.h"
#include "services/native_thread.h"

namespace tinytf {

/// Writes events to files of a folder on its own thread, so that no caller waits for a disk. Events reach the file
/// within the writer's delay; the first one after an idle period, at once. An error of the thread is reported once, by
/// the next call, which still does its work; failed writes are retried. Thread-safe. A forked child begins its own
/// file; pending events stay with the parent.
class EventWriter {
 public:
  /// Maximum number of bytes that may be pending; beyond it, events are rejected.
  static constexpr size_t kMostWaiting = size_t{256} << 20;
  static constexpr std::chrono::milliseconds kForEver = std::chrono::hours(1'000'000);

  EventWriter(std::string folder, std::string suffix, std::chrono::milliseconds delay);
  /// Pending events are still written, later.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// Creates the file now, with its version, unless added events create it anyway.
  Status begin_file();
  /// `event` is a serialized Event. ResourceExhausted if too much is pending: then it is not added.
  Status add(std::string_view event);
  /// Adds the event of a serialized Summary. Of each tag only the first value keeps its metadata. `sound` is false if
  /// the Summary is damaged: then nothing is added.
  Status add_summary(std::string_view summary, int64_t step, double wall_time, bool* sound);
  /// Waits until everything added before is in the file or could not be written. Cancelled if `interrupted`, which is
  /// polled (null: never), returns true or `time` has passed.
  Status flush(const std::function<bool()>& interrupted = nullptr, std::chrono::milliseconds time = kForEver);
  /// Flushes and ends the thread; if the wait is cut short, the thread ends by itself. With or without an error, events
  /// added later begin a new file.
  Status close(const std::function<bool()>& interrupted = nullptr, std::chrono::milliseconds time = kForEver);

 private:
  /// State shared by the thread and callers. A forked child leaves the parent's state untouched: its locks may be held.
  struct Shared;

  Shared& shared();
  Status take(Shared& shared, std::string_view event);
  bool have_thread(Shared& shared);
  bool wait_written(Shared& shared, const std::function<bool()>& interrupted, std::chrono::milliseconds time);

  const std::string folder_, suffix_;
  const std::chrono::milliseconds delay_;
  std::shared_ptr<Shared> shared_;
  ForkRenewal renewal_;
};

}  // namespace tinytf
