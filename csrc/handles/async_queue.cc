#include "handles/async_queue.h"

#include <chrono>
#include <new>
#include <utility>

#include "base/deadline.h"
#include "services/fork_gate.h"

namespace tinytf {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(20);  // interval of polling for interrupts

}  // namespace

AsyncQueue::~AsyncQueue() = default;

Status AsyncQueue::push(std::unique_ptr<Node> node) {
  start_anew_if_forked();
  // A fork must not copy the queue in the middle of a change.
  const ForkGate::Pass pass;
  std::lock_guard lock(mutex_);
  if (!error_.ok()) return error_;
  if (closing_) return Status(Code::kCancelled, "The session was closed.");
  if (!thread_.started() && !start_thread()) {
    return Status(Code::kResourceExhausted, "Cannot start the thread that runs asynchronous operations.");
  }
  queue_.push_back(std::move(node));
  ++pushed_;
  pending_.fetch_add(1, std::memory_order_relaxed);
  if (idle_) work_.notify_one();
  return Status();
}

// Requires `mutex_`.
bool AsyncQueue::start_thread() {
  ref();  // reference of the thread
  if (thread_.start(
          "tinytf-eager", 0, /*yields=*/false, [](void* self) { static_cast<AsyncQueue*>(self)->run(); }, this))
    return true;
  unref();
  return false;
}

void AsyncQueue::run() {
  for (;;) {
    if (run_one()) continue;
    std::unique_lock lock(mutex_);
    idle_ = true;
    work_.wait(lock, [this] { return !queue_.empty() || closing_; });
    idle_ = false;
    if (queue_.empty()) break;
  }
  unref();
}

bool AsyncQueue::run_one() {
  const ForkGate::Pass pass;
  std::unique_ptr<Node> node;
  RefPtr<AsyncValue> awaited;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    if (queue_.front()->wanted()) awaited = queue_.front()->awaited();
    if (!awaited) {
      node = std::move(queue_.front());
      queue_.pop_front();
      running_ = node.get();
    }
  }
  if (awaited) {  // only briefly, because a fork waits for this thread
    awaited->wait_for(kPoll);
    return true;
  }
  const Status status = run_unless_unwanted(*node);
  Nodes doomed;
  if (!status.ok()) {
    std::lock_guard lock(mutex_);
    error_ = status;
    doomed.swap(queue_);
  }
  if (!status.ok()) node->abandon(status);
  node.reset();  // frees its inputs before its end is announced
  abandon(std::move(doomed), status);
  std::lock_guard lock(mutex_);
  running_ = nullptr;
  ended(1);
  return true;
}

Status AsyncQueue::run_unless_unwanted(Node& node) {
  if (node.wanted()) return node.run();
  skipped_.fetch_add(1, std::memory_order_relaxed);
  node.abandon(Status(Code::kCancelled, "The operation was skipped because its results are no longer referenced."));
  return Status();
}

void AsyncQueue::abandon(Nodes nodes, const Status& status) {
  if (nodes.empty()) return;
  const auto count = static_cast<int64_t>(nodes.size());
  for (std::unique_ptr<Node>& node : nodes) {
    node->abandon(status);
    node.reset();
  }
  std::lock_guard lock(mutex_);
  ended(count);
}

// Requires `mutex_`.
void AsyncQueue::ended(int64_t nodes) {
  finished_ += nodes;
  pending_.fetch_sub(nodes, std::memory_order_relaxed);
  if (waiting_ > 0) ended_.notify_all();
}

Status AsyncQueue::wait(int64_t timeout_ms, const std::function<bool()>& interrupted) {
  start_anew_if_forked();
  if (on_its_thread()) return failed_precondition("An asynchronous operation can not wait for itself.");
  const auto deadline = deadline_after(timeout_ms);
  std::unique_lock lock(mutex_);
  const int64_t ticket = pushed_;
  ++waiting_;
  Status status;
  while (finished_ < ticket && status.ok()) {
    auto until = interrupted || timeout_ms < 0 ? Clock::now() + kPoll : deadline;
    if (timeout_ms >= 0 && deadline < until) until = deadline;
    ended_.wait_until(lock, until);
    if (finished_ >= ticket) break;
    if (timeout_ms >= 0 && Clock::now() >= deadline) {
      status = Status(Code::kDeadlineExceeded, str_cat("Asynchronous operations did not end within ", timeout_ms,
                                                       " ms: ", pushed_ - finished_, " are pending."));
    } else if (interrupted) {
      lock.unlock();
      const bool stop = interrupted();
      lock.lock();
      if (stop) status = Status(Code::kCancelled, "Waiting for asynchronous operations was interrupted.");
    }
  }
  --waiting_;
  return status;
}

Status AsyncQueue::error() const {
  std::lock_guard lock(mutex_);
  return error_;
}

void AsyncQueue::clear_error() {
  start_anew_if_forked();
  std::lock_guard lock(mutex_);
  error_ = Status();
}

void AsyncQueue::cancel_pending() {
  start_anew_if_forked();
  const ForkGate::Pass pass;
  Nodes doomed;
  {
    std::lock_guard lock(mutex_);
    doomed.swap(queue_);
  }
  abandon(std::move(doomed), Status(Code::kCancelled, "The operation was cancelled before it began."));
}

bool AsyncQueue::on_its_thread() const {
  std::lock_guard lock(mutex_);
  return thread_.is_current();
}

void AsyncQueue::close() {
  start_anew_if_forked();
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
    work_.notify_all();
    if (!thread_.started()) return;
  }
  thread_.join();
}

void AsyncQueue::let_go() {
  start_anew_if_forked();
  std::lock_guard lock(mutex_);
  closing_ = true;
  work_.notify_all();
  if (thread_.started()) thread_.detach();
}

void AsyncQueue::start_anew_in_child() noexcept {
  renewal_.run_if_due([this] {
    new (&mutex_) std::mutex;  // its holder and its waiters, if any, do not exist here
    new (&work_) std::condition_variable;
    new (&ended_) std::condition_variable;
    waiting_ = 0;
    idle_ = false;
    const bool had_thread = thread_.started();
    thread_.forget();
    if (running_ != nullptr) {  // its thread does not exist here, so its outputs will not be set
      running_->abandon(Status(Code::kCancelled, "The operation was running when this process was forked off."));
      running_ = nullptr;
      ended(1);
    }
    if (had_thread) unref();
    if (!queue_.empty()) start_thread();
  });
}

}  // namespace tinytf
