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

/// Writes events to files of a folder, on a thread of its own, so that nobody who has an event waits for a disk. What
/// was added reaches the file within the writer's delay; what comes first after a while, at once. An error of the
/// thread is told, once, by the call that comes next, which still does what it is called for; what could not be written
/// is tried again. Thread-safe. A forked child begins a file of its own; what waits to be written is the parent's.
class EventWriter {
 public:
  /// Bytes that may wait while the thread gets none written; beyond, events are refused.
  static constexpr size_t kMostWaiting = size_t{256} << 20;
  static constexpr std::chrono::milliseconds kForEver = std::chrono::hours(1'000'000);

  EventWriter(std::string folder, std::string suffix, std::chrono::milliseconds delay);
  /// What waits is still written, later.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  /// Makes the file now, with its version, unless events have been added: they make it.
  Status begin_file();
  /// `event` is a serialized Event. ResourceExhausted if too much waits: then it is not taken.
  Status add(std::string_view event);
  /// The event of a serialized Summary, at the time of the call. Of each tag only the first value keeps its metadata.
  /// `sound` says whether it could be read: if not, nothing is added.
  Status add_summary(std::string_view summary, int64_t step, double wall_time, bool* sound);
  /// Waits until all that was added before is in the file, or could not be written. `interrupted` is polled (null:
  /// never) and ends the waiting with Cancelled; so does the time.
  Status flush(const std::function<bool()>& interrupted = nullptr, std::chrono::milliseconds time = kForEver);
  /// flush, then the thread ends, unless the waiting was cut short: then it ends by itself. Whether there was an error
  /// or not, what is added later begins a new file.
  Status close(const std::function<bool()>& interrupted = nullptr, std::chrono::milliseconds time = kForEver);

 private:
  /// What the thread and those who call share. A child leaves the parent's as it was: its locks may be held.
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
