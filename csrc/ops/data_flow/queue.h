#pragma once

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "op/kernel.h"
#include "ops/data_flow/element_ring.h"
#include "ops/data_flow/queue_spec.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// A bounded store of elements (tuples of tensors) that steps put in and take out, waiting for room and for elements
/// without holding a thread. What waits stands in one of two lines, one for enqueues (and closings), one for dequeues;
/// each is served in order. Which element comes next is up to the derived class.
///
/// Thread-safe. A context handed in must keep the queue alive (through its handle) until `done` was called, which
/// happens exactly once, outside the queue's lock, on whichever thread completed the attempt: maybe before the call
/// returns, maybe on one that cancels a step.
class Queue : public Resource {
 public:
  /// What handles and messages call the type.
  static constexpr const char* kTypeName = "tensorflow::QueueInterface";
  static constexpr const char* kRegistryType = "N10tensorflow14QueueInterfaceE";
  static constexpr const char* kNoun = "queue";
  using Done = AsyncKernel::Done;

  enum class Take : uint8_t { kOne, kMany, kUpTo };

  /// The node's inputs behind the handle are one element, or a batch of `count` of them (rows of the inputs). What is
  /// but a part of an input is copied, so that an element keeps its own bytes alone. Cancelled if the queue is closed
  /// or the attempt is given up; what of a batch was enqueued by then stays. Without memory nothing is enqueued, but
  /// for what was before the attempt had to wait.
  void enqueue_one(KernelContext& ctx, Done done);
  void enqueue_many(KernelContext& ctx, int64_t count, Done done);
  /// Sets the node's outputs to one element, or to batches of `count`; kUpTo makes do with fewer, but one at least,
  /// when the queue is closed. OutOfRange if it is closed and has too few. An attempt that fails puts back what it
  /// took, also where there was no memory for the outputs.
  void dequeue(KernelContext& ctx, Take take, int64_t count, Done done);
  /// Refuses later enqueues. Waits for those that wait already, unless they are to be cancelled.
  void close(KernelContext& ctx, bool cancel_pending_enqueues, Done done);

  int64_t size() const;
  bool is_closed() const;
  const QueueSpec& spec() const { return spec_; }
  const std::string& name() const { return name_; }
  /// "FIFOQueue", …
  const char* kind() const { return kind_; }
  /// Whether a node that asks for this kind and declaration may share the queue; says what differs.
  Status matches(const char* kind, const std::string& op, const QueueSpec& spec) const;
  /// The same of what a derived class declares beyond that; it hides this.
  Status options_match(const QueueSpec&) const { return Status(); }
  std::string debug_string() const override;

 protected:
  /// One element on its way in (component i) or out.
  using Source = ElementSource;
  using Sink = FunctionRef<void(int, Tensor)>;

  Queue(const char* kind, std::string name, QueueSpec spec);
  ~Queue() override;

  // The store. Called with the lock held.
  virtual int64_t stored() const = 0;
  /// How many elements may be taken now.
  virtual int64_t takeable([[maybe_unused]] bool closed) const { return stored(); }
  /// Whether a batch is taken only when all of it is there: where what is taken early would be out of order.
  virtual bool takes_whole_batches() const { return false; }
  /// What messages about elements on their way in, and about one on its way out, call the queue.
  virtual const char* kind_of_elements() const { return kind_; }
  /// Room for so many elements altogether: up to there, pushing and putting back need no memory but the source's.
  virtual void reserve(int64_t elements) = 0;
  /// Without effect if the source throws.
  virtual void push(Source element) = 0;
  virtual void pop(Sink element) = 0;
  /// Takes back the element of the last pop that was not taken back.
  virtual void put_back(Source element) = 0;

  /// Sets the node's outputs to a batch of `count` elements, whose components follow each other in `elements`. Called
  /// without the lock.
  virtual Status make_batch(KernelContext& ctx, const std::vector<Tensor>& elements, int64_t count) const;

  int num_components() const { return static_cast<int>(spec_.dtypes.size()); }

 private:
  enum class Kind : uint8_t { kEnqueue, kEnqueueMany, kClose, kDequeue, kDequeueMany, kDequeueUpTo };
  /// One enqueue, dequeue or closing, until it is done.
  struct Attempt {
    Attempt(Kind kind, KernelContext& ctx, int64_t count) : kind(kind), ctx(&ctx), count(count) {}
    bool is_dequeue() const { return kind >= Kind::kDequeue; }
    bool makes_batch() const { return kind >= Kind::kDequeueMany; }

    Kind kind;
    bool registered = false;  ///< `token` is valid
    KernelContext* ctx;
    Done done;          ///< once it is in a line
    int64_t count;      ///< elements asked for
    int64_t moved = 0;  ///< elements that went in or out so far
    /// An enqueue: the components, where the inputs themselves cannot be kept; a batch's: rows as they can be kept,
    /// from row `first` on, as far as there was room for them. Dequeued batches: the elements taken so far.
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

  // With the lock held. What is finished goes to `finished`, to be delivered without the lock.
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

  /// In a forked child: attempts of steps that do not exist here end without a word.
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
  /// Elements that batches took, until their outputs are made: there is room for them. Also less without the lock.
  std::atomic<int64_t> taken_{0};
  Line enqueues_;
  Line dequeues_;
  ForkRenewal renewal_;  // of the lines, under the mutex
};

}  // namespace tinytf::ops
