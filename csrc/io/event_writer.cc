#include "io/event_writer.h"

#include <algorithm>
#include <utility>

#include "io/record_format.h"
#include "io/summary_fields.h"
#include "io/wire.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kPoll{20};
constexpr size_t kMuch = size_t{1} << 20;  // Pending bytes that are written without further delay.
constexpr size_t kStackBytes = size_t{256} << 10;

}  // namespace

struct EventWriter::Shared {
  Shared(const std::string& folder, const std::string& suffix, milliseconds delay)
      : delay(delay), file(folder, suffix) {}

  const milliseconds delay;
  std::mutex mutex;
  std::condition_variable work;   // For the thread.
  std::condition_variable ended;  // For callers that wait for the end of a round or of the thread.
  NativeThread thread;
  EventFile file;  // Used only by the thread while it runs.

  std::string waiting;    // Pending records.
  uint64_t added = 0;     // Bytes of records added.
  uint64_t written = 0;   // Bytes of these that were written.
  uint64_t failures = 0;  // Number of failed rounds.
  Status error;           // Error of a round, until a call reports it.
  bool failed = false;    // The last round failed; the next one starts with the next call.
  bool asleep = false;    // The thread sleeps until there is work.
  bool napping = false;   // The thread waits until the next round is due or it should hurry.
  bool hurry = false;     // The thread should not wait for more records.
  bool stop = false;      // The thread should end.
  bool has_ended = false;
  std::unordered_set<std::string> tags;  // Tags with a value that was written.

  void run();
  void write(std::unique_lock<std::mutex>& lock);
  bool anything_to_do() const { return stop || hurry || (!waiting.empty() && !failed); }
  void wake() {
    if (asleep || (napping && (hurry || stop))) work.notify_one();
  }
};

/// The thread's body. Runs rounds at most once per `delay`, unless it should hurry; sleeps while there is no work.
void EventWriter::Shared::run() {
  std::unique_lock lock(mutex);
  Clock::time_point next = Clock::now();
  do {
    asleep = true;
    work.wait(lock, [this] { return anything_to_do(); });
    asleep = false;
    napping = true;
    work.wait_until(lock, next, [this] { return hurry || stop; });
    napping = false;
    write(lock);
    next = Clock::now() + delay;
    ended.notify_all();
  } while (!stop || (!waiting.empty() && !failed));
  lock.unlock();
  Status closed = file.close();
  lock.lock();
  if (error.ok()) error = std::move(closed);
  has_ended = true;
  ended.notify_all();
}

void EventWriter::Shared::write(std::unique_lock<std::mutex>& lock) {
  hurry = false;
  failed = false;
  if (waiting.empty()) return;
  std::string round;
  round.swap(waiting);
  lock.unlock();
  Status status = file.write(round);
  lock.lock();
  if (status.ok()) {
    written += round.size();
    return;
  }
  round += waiting;
  waiting.swap(round);
  failed = true;
  ++failures;
  if (error.ok()) error = std::move(status);
}

EventWriter::EventWriter(std::string folder, std::string suffix, milliseconds delay)
    : folder_(std::move(folder)),
      suffix_(std::move(suffix)),
      delay_(std::max(delay, milliseconds(0))),
      shared_(std::make_shared<Shared>(folder_, suffix_, delay_)) {}

EventWriter::~EventWriter() {
  if (renewal_.due()) {
    (void)new std::shared_ptr<Shared>(std::move(shared_));
    return;
  }
  const std::lock_guard lock(shared_->mutex);
  if (!shared_->thread.started()) return;
  shared_->stop = true;
  shared_->work.notify_one();
  shared_->thread.detach();  // The thread has a reference of its own.
}

EventWriter::Shared& EventWriter::shared() {
  renewal_.run_if_due([this] {
    (void)new std::shared_ptr<Shared>(std::move(shared_));
    shared_ = std::make_shared<Shared>(folder_, suffix_, delay_);
  });
  return *shared_;
}

/// Requires the lock.
bool EventWriter::have_thread(Shared& shared) {
  if (shared.thread.started() && !shared.has_ended) return true;
  if (shared.thread.started()) shared.thread.join();
  auto reference = std::make_unique<std::shared_ptr<Shared>>(shared_);
  shared.stop = shared.has_ended = false;
  const auto body = [](void* argument) {
    const std::unique_ptr<std::shared_ptr<Shared>> kept(static_cast<std::shared_ptr<Shared>*>(argument));
    (*kept)->run();
  };
  if (!shared.thread.start("tinytf-events", kStackBytes, true, body, reference.get())) return false;
  (void)reference.release();  // The thread owns it.
  return true;
}

/// Requires the lock.
Status EventWriter::take(Shared& shared, std::string_view event) {
  if (!shared.waiting.empty() && shared.waiting.size() + event.size() > kMostWaiting) {
    return Status(Code::kResourceExhausted, str_cat("The event was dropped: ", shared.waiting.size(),
                                                    " bytes of events are still to be written to ", folder_,
                                                    shared.error.ok() ? "" : ": ", shared.error.message()));
  }
  const size_t before = shared.waiting.size();
  append_record(event, &shared.waiting);
  shared.added += shared.waiting.size() - before;
  shared.failed = false;
  if (!have_thread(shared)) {
    return Status(Code::kResourceExhausted, "Cannot start the thread that writes events");
  }
  if (shared.waiting.size() >= kMuch) shared.hurry = true;
  shared.wake();
  return std::exchange(shared.error, Status());
}

Status EventWriter::begin_file() {
  Shared& to = shared();
  const std::lock_guard lock(to.mutex);
  return to.thread.started() ? Status() : to.file.write({});
}

Status EventWriter::add(std::string_view event) {
  Shared& to = shared();
  const std::lock_guard lock(to.mutex);
  return take(to, event);
}

Status EventWriter::add_summary(std::string_view summary, int64_t step, double wall_time, bool* sound) {
  Shared& to = shared();
  const std::lock_guard lock(to.mutex);
  std::string event;
  event.reserve(summary.size() + 32);
  WireWriter event_to(&event);
  event_to.float64(kEventWallTime, wall_time);
  if (step != 0) event_to.int64(kEventStep, step);
  event_to.nested(kEventSummary, [&] { *sound = write_told_once(summary, &to.tags, &event); });
  return *sound ? take(to, event) : Status();
}

/// Waits until everything added so far is written or a round has failed; returns false if cut short. Call it without
/// the lock.
bool EventWriter::wait_written(Shared& shared, const std::function<bool()>& interrupted, milliseconds time) {
  const ForkGate::Outside others_may_fork;
  std::unique_lock lock(shared.mutex);
  const uint64_t target = shared.added, failures = shared.failures;
  const auto over = [&] {
    return shared.has_ended || (!shared.stop && (shared.written >= target || shared.failures > failures));
  };
  shared.hurry = true;
  shared.wake();
  const Clock::time_point begin = Clock::now();
  while (!over()) {
    if (shared.ended.wait_for(lock, kPoll, over)) break;
    lock.unlock();
    const bool cut = (interrupted && interrupted()) || Clock::now() - begin >= time;
    lock.lock();
    if (cut && !over()) return false;
  }
  return true;
}

Status EventWriter::flush(const std::function<bool()>& interrupted, milliseconds time) {
  Shared& to = shared();
  {
    const std::lock_guard lock(to.mutex);
    if (!to.thread.started()) return std::exchange(to.error, Status());
  }
  if (!wait_written(to, interrupted, time)) {
    return Status(Code::kCancelled, str_cat("Events are still being written to ", folder_));
  }
  const std::lock_guard lock(to.mutex);
  return std::exchange(to.error, Status());
}

Status EventWriter::close(const std::function<bool()>& interrupted, milliseconds time) {
  Shared& to = shared();
  {
    const std::lock_guard lock(to.mutex);
    if (!to.thread.started()) return std::exchange(to.error, Status());
    to.stop = true;
    to.work.notify_one();
  }
  const bool ended = wait_written(to, interrupted, time);
  const std::lock_guard lock(to.mutex);
  Status status = std::exchange(to.error, Status());
  if (!ended) {  // The thread ends by itself.
    if (status.ok()) status = Status(Code::kCancelled, str_cat("Events are still being written to ", folder_));
    return status;
  }
  if (!to.thread.started() || !to.has_ended) return status;  // Another caller has closed or reopened it.
  to.thread.join();
  if (to.failed) to.waiting.clear();
  to.written = to.added - to.waiting.size();
  if (!to.waiting.empty()) (void)have_thread(to);  // Events were added meanwhile.
  return status;
}

}  // namespace tinytf
