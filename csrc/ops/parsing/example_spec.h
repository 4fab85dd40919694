#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "op/kernel.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// A feature whose values fill a shape, or any number of rows if the first size of the shape is unknown.
struct DenseFeature {
  DType dtype = DType::kInvalid;
  PartialShape shape;
  bool varies = false;
  int64_t stride = 0;  ///< values of all, or of a row

  /// The shape, with that many values in rows if it varies.
  Shape shape_of(int64_t values) const;
};

/// The features that are looked for in each Example, numbered: those of any number of values (sparse) come first.
struct ExampleSpec {
  std::vector<DType> sparse;
  std::vector<DenseFeature> dense;

  /// InvalidArgument for shapes of which more than the first size is unknown.
  static Result<ExampleSpec> make(const std::vector<DType>& sparse_types, const std::vector<DType>& dense_types,
                                  const std::vector<PartialShape>& dense_shapes);
  size_t size() const { return sparse.size() + dense.size(); }
};

/// The keys of the features, by their numbers. Refers to their text.
class FeatureKeys {
 public:
  void reserve(size_t count) { keys_.reserve(count); }
  /// Of equal keys the first counts.
  void add(std::string_view key) {
    numbers_.try_emplace(key, static_cast<int>(keys_.size()));
    keys_.push_back(key);
  }
  std::string_view operator[](size_t number) const { return keys_[number]; }
  /// -1 if there is no such key. Quick if `guess` is its number.
  int find(std::string_view key, int guess) const {
    if (guess >= 0 && keys_[guess] == key) return guess;
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? -1 : found->second;
  }

 private:
  std::vector<std::string_view> keys_;
  std::unordered_map<std::string_view, int> numbers_;
};

/// InvalidArgument where more than the first size is unknown.
Status check_dense_shapes(const std::vector<PartialShape>& shapes);
/// InvalidArgument unless the node's inputs from `first` on are what examples without the features get, or nothing; of
/// features that vary, one element to pad with.
Status check_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense);

}  // namespace tinytf::ops
