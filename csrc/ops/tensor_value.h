#pragma once

#include <string>
#include <utility>

#include "ops/variant_elements.h"

namespace tinytf::ops {

/// A tensor held in a variant. It shares the memory of the tensor, which must not be changed meanwhile.
class TensorValue final : public VariantValue {
 public:
  static constexpr const char* kTypeName = "tensorflow::Tensor";

  /// InvalidArgument if values are nested too deep.
  static Result<Variant> of(Tensor tensor) {
    TINYTF_ASSIGN_OR_RETURN(const int depth, depth_around(tensor));
    return Variant{make_ref<TensorValue>(std::move(tensor), depth)};
  }
  TensorValue(Tensor tensor, int depth) : tensor_(std::move(tensor)), depth_(depth) {}

  const Tensor& tensor() const { return tensor_; }
  std::string type_name() const override { return kTypeName; }
  std::string debug_string() const override {
    return str_cat("Tensor<type: ", dtype_name(tensor_.dtype()), " shape: ", tensor_.shape().to_string(), ">");
  }
  int64_t bytes() const override { return static_cast<int64_t>(tensor_.bytes()); }
  int depth() const override { return depth_; }

 private:
  const Tensor tensor_;
  const int depth_;
};

}  // namespace tinytf::ops
