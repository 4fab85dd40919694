#include "ops/parsing/shared/feature_values.h"

#include <algorithm>

namespace tinytf::ops {

namespace {

/// Fills in the indices of each value: its Example, if there is a batch, and its position in the Example.
void fill_indices(const ValuesOfBatch& batch, bool has_batch, int64_t* indices) {
  int64_t example = 0;
  for (const FeatureValues* row : batch) {
    size_t at = 0;
    for (const size_t end : row->ends()) {
      for (int64_t place = 0; at < end; ++at, ++place) {
        if (has_batch) *indices++ = example;
        *indices++ = place;
      }
      ++example;
    }
  }
}

}  // namespace

int64_t longest_of(const ValuesOfBatch& batch) {
  size_t longest = 0;
  for (const FeatureValues* row : batch) {
    size_t begin = 0;
    for (const size_t end : row->ends()) {
      longest = std::max(longest, end - begin);
      begin = end;
    }
  }
  return static_cast<int64_t>(longest);
}

Status set_sparse(KernelContext& ctx, int i, int step, DType dtype, const ValuesOfBatch& batch, bool has_batch) {
  int64_t total = 0, examples = 0;
  for (const FeatureValues* row : batch) {
    total += static_cast<int64_t>(row->size());
    examples += static_cast<int64_t>(row->ends().size());
  }
  const int64_t rank = has_batch ? 2 : 1;
  TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(i, Shape({total, rank})));
  TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(i + step, Shape({total})));
  TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(i + 2 * step, Shape({rank})));
  fill_indices(batch, has_batch, indices->data<int64_t>());
  with_feature_type(dtype, [&](auto* type) {
    auto* to = values->data<std::remove_pointer_t<decltype(type)>>();
    for (FeatureValues* row : batch) {
      auto& from = row->values(type);
      to = std::move(from.begin(), from.end(), to);
    }
  });
  if (has_batch) shape->data<int64_t>()[0] = examples;
  shape->data<int64_t>()[rank - 1] = longest_of(batch);
  return Status();
}

}  // namespace tinytf::ops
