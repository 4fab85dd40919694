#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "base/ref_ptr.h"
#include "base/status.h"
#include "handles/async_value.h"
#include "services/fork_renewal.h"
#include "services/native_thread.h"

namespace tinytf {

/// Runs the operations of an asynchronous session on one thread, in the order in which they were pushed. The first one
/// that fails ends all queued ones and rejects later ones, until `clear_error`. Thread-safe. A forked child continues
/// with the queued operations, except the one that was running. Must be closed or let go before it is destroyed.
class AsyncQueue final : public ValueSource {
 public:
  class Node {
   public:
    virtual ~Node() = default;
    /// Runs on the queue's thread. Sets the node's outputs, unless it fails.
    virtual Status run() = 0;
    /// Called if the outputs will not be set: after a failed run, or instead of a run. Called once, on any thread,
    /// without a lock.
    virtual void abandon(const Status& status) = 0;
    /// False if running it would have no observable effect. Then it is abandoned, which is no error for other nodes.
    virtual bool wanted() const { return true; }
    /// A value that the node needs and that has not arrived yet, or null. The node does not begin before it arrives,
    /// and can be cancelled until then.
    virtual RefPtr<AsyncValue> awaited() const { return nullptr; }
  };

  /// Queues the node. Returns the error of an earlier node, Cancelled once the queue is closed, or ResourceExhausted if
  /// no thread can be started; then the node is neither run nor abandoned.
  Status push(std::unique_ptr<Node> node);
  /// Waits until all nodes pushed before have been run or abandoned. DeadlineExceeded after `timeout_ms` milliseconds;
  /// negative: no time limit. `interrupted` is polled (null: never) and ends the wait with Cancelled.
  /// FailedPrecondition on the queue's own thread.
  Status wait(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr);
  /// As wait, then returns the stored error.
  Status synchronize(int64_t timeout_ms = -1, const std::function<bool()>& interrupted = nullptr) {
    TINYTF_RETURN_IF_ERROR(wait(timeout_ms, interrupted));
    return error();
  }
  /// The error of the node that failed, until clear_error().
  Status error() const;
  void clear_error();
  /// Number of nodes that have not ended.
  int64_t pending() const { return pending_.load(std::memory_order_relaxed); }
  /// Number of nodes that were abandoned because they were not wanted.
  int64_t skipped() const { return skipped_.load(std::memory_order_relaxed); }
  /// Abandons all nodes that have not begun. This is no error for later nodes.
  void cancel_pending();
  /// Whether the caller is on the queue's thread, hence inside a node.
  bool on_its_thread() const;

  /// Rejects new nodes, runs the queued ones and joins the thread.
  void close();
  /// Called when the queue is no longer referred to: rejects new nodes and detaches the thread, which ends after the
  /// queued nodes.
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
  /// Runs the oldest node, or waits briefly for the value that it needs. False if the queue is empty.
  bool run_one();
  Status run_unless_unwanted(Node& node);
  void abandon(Nodes nodes, const Status& status);
  void ended(int64_t nodes);

  mutable std::mutex mutex_;
  std::condition_variable work_;   // tells the thread that there is work
  std::condition_variable ended_;  // tells waiting threads that nodes have ended
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
