#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "op/kernel.h"

namespace tinytf::ops {

/// Calls use(T*()) with a null pointer to the C++ type T of a feature's values.
template <class Use>
auto with_feature_type(DType dtype, Use use) {
  switch (dtype) {
    case DType::kFloat: return use(static_cast<float*>(nullptr));
    case DType::kInt64: return use(static_cast<int64_t*>(nullptr));
    default: return use(static_cast<std::string*>(nullptr));
  }
}

/// The values of one feature in consecutive Examples, and for each Example the end of its values.
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
  std::tuple<std::vector<float>, std::vector<int64_t>, std::vector<std::string>> values_;  // at most one is not empty
  std::vector<size_t> ends_;
};

/// The values of one feature in a batch, divided into consecutive ranges of Examples.
using ValuesOfBatch = std::vector<FeatureValues*>;

/// The largest number of values in an Example.
int64_t longest_of(const ValuesOfBatch& batch);

/// Sets outputs i, i + step and i + 2 * step to the SparseTensor of a batch, with one row per Example, or without
/// `has_batch` to that of a single Example.
Status set_sparse(KernelContext& ctx, int i, int step, DType dtype, const ValuesOfBatch& batch, bool has_batch);

}  // namespace tinytf::ops
