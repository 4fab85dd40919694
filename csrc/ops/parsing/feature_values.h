#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// Calls use(T*()) for the C++ type of a feature's values.
template <class Use>
auto with_feature_type(DType dtype, Use use) {
  switch (dtype) {
    case DType::kFloat: return use(static_cast<float*>(nullptr));
    case DType::kInt64: return use(static_cast<int64_t*>(nullptr));
    default: return use(static_cast<std::string*>(nullptr));
  }
}

/// The values of one feature in a row of Examples, one after the other, and where those of each end.
class FeatureValues {
 public:
  template <class T>
  std::vector<T>& values(T*) {
    return std::get<std::vector<T>>(values_);
  }
  template <class T>
  const std::vector<T>& values(T*) const {
    return std::get<std::vector<T>>(values_);
  }
  size_t size() const {
    return std::apply([](const auto&... each) { return (each.size() + ...); }, values_);
  }
  void end_example() { ends_.push_back(size()); }
  const std::vector<size_t>& ends() const { return ends_; }

 private:
  std::tuple<std::vector<float>, std::vector<int64_t>, std::vector<std::string>> values_;  // two stay empty
  std::vector<size_t> ends_;
};

/// The values of one feature in a batch: in several rows of Examples, in order.
using ValuesOfBatch = std::vector<FeatureValues*>;

/// The most values that an Example has.
int64_t longest_of(const ValuesOfBatch& batch);

/// Sets outputs i, i + step and i + 2 * step to the SparseTensor of a batch, each Example a row; or, without a batch
/// dimension, of the one Example.
Status set_sparse(KernelContext& ctx, int i, int step, DType dtype, const ValuesOfBatch& batch, bool has_batch);

}  // namespace tinytf::ops
