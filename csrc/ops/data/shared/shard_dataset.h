#pragma once

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// Every `shards`-th element of the input, from element `index` on.
class ShardDataset final : public UnaryDataset {
 public:
  /// With `needs_all`, iteration fails if the input has fewer elements than there are shards.
  ShardDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t shards, int64_t index, bool needs_all)
      : UnaryDataset(std::move(parts), std::move(input)), shards_(shards), index_(index), needs_all_(needs_all) {}

  int64_t shards() const { return shards_; }
  int64_t index() const { return index_; }
  bool needs_all() const { return needs_all_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    return n < 0 ? n : n / shards_ + (index_ < n % shards_ ? 1 : 0);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const int64_t shards_, index_;  // 0 <= index < shards
  const bool needs_all_;
};

}  // namespace tinytf::ops
