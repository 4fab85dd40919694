#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/data_flow/waiting_line.h"

namespace tinytf::ops {

/// One use of a staging map.
struct StagingMapUse {
  enum class Kind : uint8_t { kPut, kTake, kPeek, kTakeFirst };

  KernelContext* ctx;
  AsyncKernel::Done done;
  Kind kind;
  int64_t key = 0;
  std::vector<int32_t> indices{};  ///< of components, ascending
  std::vector<Tensor> tensors{};   ///< those that are put, or were taken
  int64_t bytes = 0;               ///< that are put
  bool is_whole = true;            ///< all components are put
  Status status{};
};

/// Tuples of tensors under keys, on their way from one part of a program to another. Components may come and go one by
/// one; who takes waits until the whole tuple was there, who puts waits for room. Puts are served in turn, those of
/// whole tuples apart from those of parts.
///
/// Thread-safe.
class StagingMap final : public WaitingLine<StagingMapUse> {
 public:
  /// Limits of 0 are none. Parts count against the limit of memory alone.
  StagingMap(std::string name, int64_t capacity, int64_t memory_limit)
      : WaitingLine("Staging operation was cancelled"),
        name_(std::move(name)),
        capacity_(capacity),
        memory_limit_(memory_limit) {}

  /// `use.tensors` become components of the tuple of `use.key`, which has `dtypes`, unless an earlier put of any tuple
  /// had others. Has no effect if the map has a whole tuple of that key. Nothing is changed if it fails:
  /// InvalidArgument for components that the tuple has already, ResourceExhausted for what needs more memory than there
  /// may ever be.
  void put(StagingMapUse use, const std::vector<DType>& dtypes);
  /// Sets the node's outputs to the components, which leave unless that is a peek; kTakeFirst those of the least key,
  /// which is the first output. InvalidArgument for components that have left.
  void take(StagingMapUse use);

  int64_t size() const;
  int64_t incomplete_size() const;
  void clear();
  std::string debug_string() const override { return "StagingMap '" + name_ + "'"; }

 private:
  using Tuple = std::vector<Tensor>;  // without components that are not there

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

  // Under the mutex.
  std::vector<DType> dtypes_;  // of a tuple, once something was put
  std::map<int64_t, Tuple> tuples_;
  std::map<int64_t, Tuple> incomplete_;
  int64_t bytes_ = 0;
};

}  // namespace tinytf::ops
