#pragma once

#include <deque>
#include <string>
#include <vector>

#include "op/async_kernel.h"
#include "ops/data_flow/shared/waiting_line.h"

namespace tinytf::ops {

/// A request to a staging area.
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

/// A first-in, first-out queue of tensor tuples between two parts of a program. Requests that wait for room or for a
/// tuple do not block a thread. Puts and takes are each served in order, peeks in any order; the kinds do not hold up
/// one another.
///
/// Thread-safe.
class StagingArea final : public WaitingLine<StagingUse> {
 public:
  using Done = AsyncKernel::Done;

  /// A limit of 0 means no limit.
  StagingArea(std::string name, int64_t capacity, int64_t memory_limit)
      : WaitingLine("Staging operation was cancelled"),
        name_(std::move(name)),
        capacity_(capacity),
        memory_limit_(memory_limit) {}

  /// Puts the node's inputs in as a tuple. ResourceExhausted if they exceed the memory limit by themselves.
  void put(KernelContext& ctx, Done done);
  /// Sets the node's outputs to the first tuple and removes it.
  void take(KernelContext& ctx, Done done);
  /// Sets the node's outputs to the tuple at `index`, which stays.
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

  std::deque<Tuple> tuples_;  // guarded by the mutex
  int64_t bytes_ = 0;
};

}  // namespace tinytf::ops
