#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "op/async_kernel.h"
#include "op/kernel.h"
#include "ops/data_flow/shared/element_ring.h"
#include "ops/data_flow/shared/queue_spec.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// A bounded queue of elements (tuples of tensors) that steps enqueue and dequeue. An operation that waits for room or
/// for elements does not block a thread. Waiting operations form two lines, one for enqueues and closings and one for
/// dequeues; each is served in order. The derived class decides which element is dequeued next.
///
/// Thread-safe. A context passed in must keep the queue alive (through its handle) until `done` has been called. `done`
/// is called exactly once (in a forked child not for the parent's attempts), without the queue's lock, on the thread
/// that completes the attempt: possibly before the call returns, possibly on a thread that cancels a step.
class Queue : public Resource {
 public:
  /// Name of the type in handles and messages.
  static constexpr const char* kTypeName = "tensorflow::QueueInterface";
  static constexpr const char* kRegistryType = "N10tensorflow14QueueInterfaceE";
  static constexpr const char* kNoun = "queue";
  using Done = AsyncKernel::Done;

  enum class Take : uint8_t { kOne, kMany, kUpTo };

  /// Enqueues the node's inputs after the handle: one element, or the rows of the inputs as a batch of `count`
  /// elements. Parts of an input are copied, so that an element keeps no other memory alive. Fails with Cancelled if
  /// the queue is closed or the attempt is cancelled; rows enqueued before that stay in the queue. If memory runs out,
  /// nothing is enqueued except rows from before the attempt had to wait.
  void enqueue_one(KernelContext& ctx, Done done);
  void enqueue_many(KernelContext& ctx, int64_t count, Done done);
  /// Sets the node's outputs to one element, or to batches of `count` elements. When the queue is closed, kUpTo accepts
  /// fewer elements, but at least one. OutOfRange if the queue is closed and has too few elements. A failed attempt
  /// puts its elements back, even if there was no memory for the outputs.
  void dequeue(KernelContext& ctx, Take take, int64_t count, Done done);
  /// Closes the queue: later enqueues fail. Waits for enqueues that are already waiting, or cancels them.
  void close(KernelContext& ctx, bool cancel_pending_enqueues, Done done);

  int64_t size() const;
  bool is_closed() const;
  const QueueSpec& spec() const { return spec_; }
  const std::string& name() const { return name_; }
  /// "FIFOQueue", …
  const char* kind() const { return kind_; }
  /// Whether a node that declares this kind and specification may share the queue; the error names the difference.
  Status matches(const char* kind, const std::string& op, const QueueSpec& spec) const;
  /// The same check for the additional options of a derived class, which hides this function.
  Status options_match(const QueueSpec&) const { return Status(); }
  std::string debug_string() const override;

 protected:
  /// Access to one element on its way in (returns component i) or out (takes component i).
  using Source = ElementSource;
  using Sink = FunctionRef<void(int, Tensor)>;

  Queue(const char* kind, std::string name, QueueSpec spec);
  ~Queue() override;

  // The storage. Called with the lock held.
  virtual int64_t stored() const = 0;
  /// Number of elements that may be dequeued now.
  virtual int64_t takeable([[maybe_unused]] bool closed) const { return stored(); }
  /// Whether a batch is dequeued only when it is complete, because elements taken early could be out of order.
  virtual bool takes_whole_batches() const { return false; }
  /// Name of the queue's kind in messages about enqueues and about dequeues of a single element.
  virtual const char* kind_of_elements() const { return kind_; }
  /// Makes room for `elements` elements in total; up to there pushing and putting back allocate no memory, apart from
  /// the source's.
  virtual void reserve(int64_t elements) = 0;
  /// Has no effect if the source throws.
  virtual void push(Source element) = 0;
  virtual void pop(Sink element) = 0;
  /// Puts back the last popped element that has not been put back yet.
  virtual void put_back(Source element) = 0;

  /// Sets the node's outputs to a batch of `count` elements, whose components are stored consecutively in `elements`.
  /// Called without the lock.
  virtual Status make_batch(KernelContext& ctx, const std::vector<Tensor>& elements, int64_t count) const;

  int num_components() const { return static_cast<int>(spec_.dtypes.size()); }

 private:
  enum class Kind : uint8_t { kEnqueue, kEnqueueMany, kClose, kDequeue, kDequeueMany, kDequeueUpTo };
  /// One enqueue, dequeue or close operation, until it is done.
  struct Attempt {
    Attempt(Kind kind, KernelContext& ctx, int64_t count) : kind(kind), ctx(&ctx), count(count) {}
    bool is_dequeue() const { return kind >= Kind::kDequeue; }
    bool makes_batch() const { return kind >= Kind::kDequeueMany; }

    Kind kind;
    bool registered = false;  ///< whether `token` is valid
    KernelContext* ctx;
    Done done;          ///< set when the attempt joins a line
    int64_t count;      ///< number of elements requested
    int64_t moved = 0;  ///< number of elements enqueued or dequeued so far
    /// Enqueue: copies of the components, if the inputs themselves may not be kept; enqueue of a batch: keepable rows
    /// from row `first` on, as many as there was room for. Dequeue of a batch: the elements taken so far.
    std::vector<Tensor> tensors;
    int64_t first = 0;
    Status status;
    int64_t ticket = 0;
    Cancellation::Token token = 0;
  };
  using Line = std::list<Attempt>;

  Status keep_rows(Attempt& attempt, int64_t end, bool has_lock) const;
  int64_t room() const;
  bool is_done_at_once(Attempt& attempt);
  void submit(Attempt& attempt, Done& done);
  void cancel(bool dequeues, int64_t ticket);
  Line& line(bool dequeues) { return dequeues ? dequeues_ : enqueues_; }

  // Called with the lock held. Completed attempts go to `finished`, and are delivered without the lock.
  bool need_not_wait(const Attempt& attempt) const;
  bool serve(Attempt& attempt);
  bool serve_enqueue(Attempt& attempt);
  Status push_rows(Attempt& attempt, int64_t count);
  bool serve_dequeue(Attempt& attempt);
  bool serve_line(Line& line, Line& finished);
  void serve_lines(Line& finished);
  void serve_others(std::unique_lock<std::mutex>& lock);
  void wait_or_give_up(Line& attempt, Line& finished);
  void give_up(Line& line, Line::iterator attempt, Line& finished);
  void return_taken(Attempt& attempt) noexcept;
  bool register_with_step(Attempt& attempt);

  /// In a forked child process, drops the attempts of steps that exist only in the parent, without calling `done`.
  void forget_attempts_of_parent();

  static Status cancelled(const Attempt& attempt);
  void set_outputs(Attempt& attempt, Line& finished);
  void deliver(Line& finished);

  const char* const kind_;
  const std::string name_;
  const QueueSpec spec_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  int64_t next_ticket_ = 0;
  /// Number of elements taken by batches whose outputs are not made yet. Room is reserved for putting them back. May be
  /// decreased without the lock.
  std::atomic<int64_t> taken_{0};
  Line enqueues_;
  Line dequeues_;
  ForkRenewal renewal_;  // of the lines; guarded by the mutex
};

}  // namespace tinytf::ops
