#pragma once

#include <deque>
#include <string>
#include <vector>

#include "ops/data_flow/waiting_line.h"

namespace tinytf::ops {

/// One use of a staging area.
struct StagingUse {
  enum class Kind : uint8_t { kPut, kTake, kPeek };

  KernelContext* ctx;
  AsyncKernel::Done done;
  Kind kind;
  int64_t index = 0;
  std::vector<Tensor> tuple{};
  int64_t bytes = 0;
  Status status{};
};

/// Tuples of tensors on their way from one part of a program to another, first in, first out. What waits for room or
/// for a tuple holds no thread; each kind of use is served in turn, but for peeks, and does not hold up the others.
///
/// Thread-safe.
class StagingArea final : public WaitingLine<StagingUse> {
 public:
  using Done = AsyncKernel::Done;

  /// Limits of 0 are none.
  StagingArea(std::string name, int64_t capacity, int64_t memory_limit)
      : WaitingLine("Staging operation was cancelled"),
        name_(std::move(name)),
        capacity_(capacity),
        memory_limit_(memory_limit) {}

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

  bool serve(StagingUse& use) override;
  uint32_t turn(const StagingUse& use) const override {
    if (use.kind == StagingUse::Kind::kPeek) return 0;
    return use.kind == StagingUse::Kind::kPut ? 1 : 2;
  }
  Status hand_out(StagingUse& use) override;

  const std::string name_;
  const int64_t capacity_;
  const int64_t memory_limit_;

  std::deque<Tuple> tuples_;  // under the mutex
  int64_t bytes_ = 0;
};

}  // namespace tinytf::ops
