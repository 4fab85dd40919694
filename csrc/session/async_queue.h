#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "services/fork_renewal.h"
#include "services/native_thread.h"
#include "session/async_value.h"

namespace tinytf {

/// Operations of an asynchronous session: one thread runs them in the order in which they were pushed. The first that
/// fails ends what was queued behind it and what comes later, until `clear_error`. Thread-safe. A forked child goes on
/// with what was queued, but for the operation that was running. Closed or let go before it is destroyed.
class AsyncQueue final : public ValueSource {
 public:
  class Node {
   public:
    virtual ~Node() = default;
    /// On the queue's thread. Sets the node's outputs, unless it fails.
    virtual Status run() = 0;
    /// The outputs will not come: after a failed run, or instead of a run. Called once, on any thread, under no lock.
    virtual void abandon(const Status& status) = 0;
    /// False if running it would have no effect that anybody could see: then it is abandoned, which is no error of
    /// others.
    virtual bool wanted() const { return true; }
    /// A value that the node takes and that is not there yet, or null: it does not begin before, and can be cancelled.
    virtual RefPtr<AsyncValue> awaited() const { return nullptr; }
  };

  /// The error of an earlier node, or Cancelled once the queue is closed: then the node is not taken, nor abandoned.
  Status push(std::unique_ptr<Node> node);
  /// Waits until what was pushed before has run or was abandoned. DeadlineExceeded; below 0: no time limit.
  /// `interrupted` is polled (null: never) and ends the waiting with Cancelled. FailedPrecondition on the queue's own
  /// thread.
  Status wait(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr);
  /// As wait; then the stored error.
  Status synchronize(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr) {
    TINYTF_RETURN_IF_ERROR(wait(timeout_ms, interrupted));
    return error();
  }
  /// The stored error.
  Status error() const;
  void clear_error();
  /// Nodes that have not ended.
  int64_t pending() const { return pending_.load(std::memory_order_relaxed); }
  /// Nodes that were not wanted.
  int64_t skipped() const { return skipped_.load(std::memory_order_relaxed); }
  /// Abandons what has not begun; it is no error of later nodes.
  void cancel_pending();
  /// Whether the caller is the queue's thread, that is inside a node.
  bool on_its_thread() const;

  /// Takes nothing more; after all has ended. Joins the thread.
  void close();
  /// Nobody refers to the queue any more: its thread ends after what is queued.
  void let_go();
  void start_anew_if_forked() override {
    if (renewal_.due()) start_anew_in_child();
  }

 private:
  ~AsyncQueue() override;
  using Nodes = std::deque<std::unique_ptr<Node>>;
  void start_anew_in_child() noexcept;
  bool start_thread();
  void run();
  /// Runs the oldest node; false if there is none.
  bool run_one();
  Status run_unless_unwanted(Node& node);
  void abandon(Nodes nodes, const Status& status);
  void ended(int64_t nodes);

  mutable std::mutex mutex_;
  std::condition_variable work_;   // something to do, for the thread
  std::condition_variable ended_;  // a node, for those who wait
  Nodes queue_;
  Node* running_ = nullptr;
  NativeThread thread_;
  bool closing_ = false;
  bool idle_ = false;  // the thread waits for work
  int waiting_ = 0;    // threads that wait for `ended_`
  Status error_;
  int64_t pushed_ = 0;
  int64_t finished_ = 0;
  std::atomic<int64_t> pending_{0};
  std::atomic<int64_t> skipped_{0};
  ForkRenewal renewal_;
};

}  // namespace tinytf
