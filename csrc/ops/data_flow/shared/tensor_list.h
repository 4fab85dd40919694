#pragma once

#include <string>
#include <utility>

#include "op/kernel.h"
#include "ops/data_flow/shared/tensor_blocks.h"

namespace tinytf::ops {

/// A list of tensors of one dtype, held in variants; elements that are not set stand for zeros. Kernels change a list
/// in place if it has a single owner, and a copy otherwise; copies share the elements and most of the storage.
///
/// Thread-safe while it is not changed. Messages are TensorFlow's.
class TensorList final : public VariantValue {
 public:
  static constexpr const char* kTypeName = "tensorflow::TensorList";
  static constexpr int64_t kMaxSize = INT32_MAX;

  struct Spec {
    DType dtype = DType::kInvalid;
    PartialShape element_shape;
    int64_t max_size = -1;  ///< limit of the size for pushes; negative means no limit
  };
  /// Makes a list of `size` elements that are not set; `size` must be in [0, kMaxSize].
  explicit TensorList(Spec spec, int64_t size = 0) : spec_(std::move(spec)), size_(size) {}
  RefPtr<TensorList> copy() const;

  std::string type_name() const override { return kTypeName; }
  std::string debug_string() const override;
  int64_t bytes() const override;
  int depth() const override { return depth_; }
  /// Elements that are not set stay unset.
  Result<Variant> zeros_like(Allocator& allocator) const override;
  /// Adds element by element; an element that is set in only one of the lists is taken from it.
  Result<Variant> plus(const VariantValue& other, Allocator& allocator) const override;

  const Spec& spec() const { return spec_; }
  DType dtype() const { return spec_.dtype; }
  int64_t size() const { return size_; }
  /// Element i, which must be in [0, size()); invalid if it is not set.
  const Tensor& at(int64_t i) const { return elements_.at(i); }
  /// Calls f(i, tensor) for the elements that are set, in order, and stops at the first status that is not OK.
  template <class F>
  Status for_each(F f) const {
    return elements_.for_each(f);
  }
  /// Merges `known` with the shapes of the elements that are set.
  Result<PartialShape> merged_shape(PartialShape known) const;

  // Changes. They fail with InvalidArgument if lists are nested too deep, or for sizes beyond kMaxSize.

  /// i must be in [0, size()). Here and below, values must have the dtype of the list.
  Status set(int64_t i, Tensor value);
  Status push_back(Tensor value);
  /// Removes and returns the last element, which must exist; invalid if it is not set.
  Tensor pop_back() { return elements_.take(--size_); }
  Status resize(int64_t size);
  Status append(const TensorList& other);

 private:
  Spec spec_;
  int64_t size_;
  int depth_ = 1;
  TensorBlocks elements_;
};

}  // namespace tinytf::ops
