#pragma once

#include <map>
#include <string>
#include <vector>

#include "op/async_kernel.h"
#include "ops/data_flow/shared/waiting_line.h"

namespace tinytf::ops {

/// A request to a staging map.
struct StagingMapUse {
  enum class Kind : uint8_t { kPut, kTake, kPeek, kTakeFirst };

  KernelContext* ctx;
  AsyncKernel::Done done;
  Kind kind;
  int64_t key = 0;
  std::vector<int32_t> indices{};  ///< indices of components, ascending
  std::vector<Tensor> tensors{};   ///< the components to put, or the components taken
  int64_t bytes = 0;               ///< number of bytes to put
  bool is_whole = true;            ///< whether all components are put at once
  Status status{};
};

/// Tensor tuples with keys, between two parts of a program. Components may be put and taken one by one. Takes wait
/// until the tuple is complete, puts wait for room. Puts of whole tuples and puts of parts are each served in order.
///
/// Thread-safe.
class StagingMap final : public WaitingLine<StagingMapUse> {
 public:
  /// A limit of 0 means no limit. Parts count only against the memory limit.
  StagingMap(std::string name, int64_t capacity, int64_t memory_limit)
      : WaitingLine("Staging operation was cancelled"),
        name_(std::move(name)),
        capacity_(capacity),
        memory_limit_(memory_limit) {}

  /// Adds `use.tensors` as components to the tuple of `use.key`, whose dtypes are `dtypes` or the dtypes of an earlier
  /// put. Has no effect if the map has a complete tuple with that key. On error nothing changes: InvalidArgument for
  /// components that the tuple already has, ResourceExhausted for components that exceed the memory limit by
  /// themselves.
  void put(StagingMapUse use, const std::vector<DType>& dtypes);
  /// Sets the node's outputs to the components, and removes them unless it is a peek. kTakeFirst takes the tuple with
  /// the smallest key, which becomes the first output. InvalidArgument for components that were already removed.
  void take(StagingMapUse use);

  int64_t size() const;
  int64_t incomplete_size() const;
  void clear();
  std::string debug_string() const override { return "StagingMap '" + name_ + "'"; }

 private:
  using Tuple = std::vector<Tensor>;  // missing components are invalid tensors

  bool serve(StagingMapUse& use) override;
  uint32_t turn(const StagingMapUse& use) const override {
    if (use.kind != StagingMapUse::Kind::kPut) return 0;
    return use.is_whole ? 1 : 2;
  }
  Status hand_out(StagingMapUse& use) override;

  Status check_put(const StagingMapUse& use) const;
  bool has_room(const StagingMapUse& use) const;
  void put_whole(StagingMapUse& use);
  void put_part(StagingMapUse& use);
  Status check_take(const StagingMapUse& use, const Tuple& tuple) const;
  Status index_out_of_bounds(const StagingMapUse& use, int32_t index) const;

  const std::string name_;
  const int64_t capacity_;
  const int64_t memory_limit_;

  // Guarded by the mutex.
  std::vector<DType> dtypes_;  // dtypes of a tuple; empty before the first put
  std::map<int64_t, Tuple> tuples_;
  std::map<int64_t, Tuple> incomplete_;
  int64_t bytes_ = 0;
};

}  // namespace tinytf::ops
