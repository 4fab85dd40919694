#pragma once

#include <string>
#include <utility>

#include "op/kernel.h"
#include "ops/data_flow/tensor_blocks.h"

namespace tinytf::ops {

/// A list of tensors of one type, as variants hold it; elements that were not set yet stand for zeros. Kernels change
/// one that nobody else refers to, and a copy of any other; copies share the elements, and most of what refers to them.
///
/// Thread-safe as long as nobody changes it. Messages are TensorFlow's.
class TensorList final : public VariantValue {
 public:
  static constexpr const char* kTypeName = "tensorflow::TensorList";
  static constexpr int64_t kMaxSize = INT32_MAX;

  struct Spec {
    DType dtype = DType::kInvalid;
    PartialShape element_shape;
    int64_t max_size = -1;  ///< that pushing leads to; a negative one is no limit
  };
  /// `size`, in [0, kMaxSize], elements that are not set.
  explicit TensorList(Spec spec, int64_t size = 0) : spec_(std::move(spec)), size_(size) {}
  RefPtr<TensorList> copy() const;

  std::string type_name() const override { return kTypeName; }
  std::string debug_string() const override;
  int64_t bytes() const override;
  int depth() const override { return depth_; }
  /// Elements that are not set stay so.
  Result<Variant> zeros_like(Allocator& allocator) const override;
  /// Of elements that only one list has set, that one.
  Result<Variant> plus(const VariantValue& other, Allocator& allocator) const override;

  const Spec& spec() const { return spec_; }
  DType dtype() const { return spec_.dtype; }
  int64_t size() const { return size_; }
  /// Invalid if it is not set; i is in [0, size()).
  const Tensor& at(int64_t i) const { return elements_.at(i); }
  /// f(i, tensor) for the elements that are set, in order; ends with the first status that is not OK.
  template <class F>
  Status for_each(F f) const {
    return elements_.for_each(f);
  }
  /// `known`, and what the shapes of elements that are set add to it.
  Result<PartialShape> merged_shape(PartialShape known) const;

  // Changes. InvalidArgument for lists within lists that are too deep, and for sizes beyond kMaxSize.

  /// i is in [0, size()); the value has the list's type, here and below.
  Status set(int64_t i, Tensor value);
  Status push_back(Tensor value);
  /// The last element, which there is; invalid if it is not set.
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
