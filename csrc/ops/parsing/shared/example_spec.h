#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "op/kernel.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// A dense feature: its values fill `shape`, or any number of rows if the first size of `shape` is unknown (`varies`).
struct DenseFeature {
  DType dtype = DType::kInvalid;
  PartialShape shape;
  bool varies = false;
  int64_t stride = 0;  ///< number of values in the shape, or in a row if it varies

  /// The shape for `values` values, which determine the number of rows if it varies.
  Shape shape_of(int64_t values) const;
};

/// The features to parse from each Example, numbered with the sparse features first.
struct ExampleSpec {
  std::vector<DType> sparse;
  std::vector<DenseFeature> dense;

  /// InvalidArgument if any size except the first of a dense shape is unknown.
  static Result<ExampleSpec> make(const std::vector<DType>& sparse_types, const std::vector<DType>& dense_types,
                                  const std::vector<PartialShape>& dense_shapes);
  size_t size() const { return sparse.size() + dense.size(); }
};

/// The keys of the features, by number. Refers to the text of the caller.
class FeatureKeys {
 public:
  void reserve(size_t count) { keys_.reserve(count); }
  /// Adds a key; if it occurs twice the first one counts.
  void add(std::string_view key) {
    numbers_.try_emplace(key, static_cast<int>(keys_.size()));
    keys_.push_back(key);
  }
  std::string_view operator[](size_t number) const { return keys_[number]; }
  /// The number of a key, or -1. Fast if `guess` is the number.
  int find(std::string_view key, int guess) const {
    if (guess >= 0 && keys_[guess] == key) return guess;
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? -1 : found->second;
  }

 private:
  std::vector<std::string_view> keys_;
  std::unordered_map<std::string_view, int> numbers_;
};

/// InvalidArgument if any size except the first of a shape is unknown.
Status check_dense_shapes(const std::vector<PartialShape>& shapes);
/// InvalidArgument unless the node's inputs from `first` on are defaults for the dense features, or empty. The default
/// of a feature that varies is a single element for padding.
Status check_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense);

}  // namespace tinytf::ops
