#pragma once

#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "op/kernel.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Tuples of tensors on their way from one part of a program to another, first in, first out. What waits for room or
/// for a tuple holds no thread.
///
/// Thread-safe. `done` is called exactly once, maybe on a thread that puts, takes, or cancels a step.
class StagingArea : public Resource {
 public:
  static constexpr const char* kRegistryType = "StagingArea";
  using Done = AsyncKernel::Done;

  /// Limits of 0 are none.
  StagingArea(std::string name, int64_t capacity, int64_t memory_limit)
      : name_(std::move(name)), capacity_(capacity), memory_limit_(memory_limit) {}

  /// Puts the node's inputs in. ResourceExhausted if they need more memory than there may ever be.
  void put(KernelContext& ctx, Done done);
  /// Sets the node's outputs to the first tuple, which leaves.
  void take(KernelContext& ctx, Done done);
  /// Sets them to the tuple at `index`, which stays.
  void peek(KernelContext& ctx, int64_t index, Done done);
  int64_t size() const;
  void clear();
  std::string debug_string() const override { return "StagingArea '" + name_ + "'"; }

 private:
  using Tuple = std::vector<Tensor>;
  enum class Kind : uint8_t { kPut, kTake, kPeek };
  /// One use of the area, until it is done.
  struct Attempt {
    Kind kind;
    KernelContext* ctx;
    Done done;
    int64_t index = 0;
    Tuple tuple;
    int64_t bytes = 0;
    Status status;
    bool registered = false;  ///< `token` is valid
    Cancellation::Token token = 0;
  };
  using Line = std::list<Attempt>;

  void submit(Attempt attempt);
  bool serve(Attempt& attempt);
  void serve_line(Line& finished);
  void cancel(const Attempt* attempt);
  void forget_attempts_of_parent();
  static void deliver(Line& finished);

  const std::string name_;
  const int64_t capacity_;
  const int64_t memory_limit_;

  mutable std::mutex mutex_;
  std::deque<Tuple> tuples_;
  int64_t bytes_ = 0;
  Line line_;
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops
