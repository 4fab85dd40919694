#pragma once

#include <string_view>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "op/op_registry.h"
#include "ops/data_flow/shared/step_handle.h"
#include "ops/data_flow/shared/tensor_array.h"
#include "ops/dtype_lists.h"

/// Declarations shared by the kernels and shape functions of tensor array ops.
namespace tinytf::ops {

/// Element dtypes that can be read, written and joined.
inline constexpr Types kArrayPlain = {DType::kHalf,  DType::kBfloat16, DType::kFloat,     DType::kDouble,
                                      DType::kInt8,  DType::kInt16,    DType::kInt32,     DType::kInt64,
                                      DType::kUint8, DType::kUint16,   DType::kComplex64, DType::kComplex128,
                                      DType::kBool,  DType::kString};

inline Result<TensorArray*> input_array(const KernelContext& ctx) { return input_step_state<TensorArray>(ctx); }

/// Checks that values of type `dtype` may be written to the array.
inline Status check_written(const TensorArray& array, DType dtype) {
  if (array.dtype() == dtype) return Status();
  return invalid_argument("TensorArray dtype is ", dtype_name(array.dtype()), " but Op is trying to write dtype ",
                          dtype_name(dtype), ".");
}

/// Checks that values of type `dtype` may be read from the array.
inline Status check_requested(const TensorArray& array, DType dtype) {
  if (array.dtype() == dtype) return Status();
  return invalid_argument("TensorArray dtype is ", dtype_name(array.dtype()), " but Op requested dtype ",
                          dtype_name(dtype), ".");
}

/// The index in input i.
inline Result<int64_t> input_index(const KernelContext& ctx, int i) {
  if (ctx.input(i).rank() == 0) return ctx.input(i).int_at(0);
  return invalid_argument("TensorArray index must be scalar, but had shape: ", ctx.input(i).shape().to_string());
}

inline constexpr const char* kArrayFamily = "_tensor_arrays";
inline constexpr const char* kArrayGradientFamily = "_tensor_array_grads";

/// Sets output i to a handle to the array.
inline Status set_array_output(KernelContext& ctx, int i, RefPtr<TensorArray> array) {
  const char* family = array->is_gradient() ? kArrayGradientFamily : kArrayFamily;
  const StepName name{family, array->name()};
  return set_step_handle(ctx, i, name, TensorArray::kTypeName, std::move(array));
}

/// Sets output i to a flow: a scalar whose value does not matter, passed along only to order the ops.
inline Status set_flow_output(KernelContext& ctx, int i) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * flow, ctx.allocate_output(i, Shape()));
  *flow->data<float>() = 0;
  return Status();
}

/// Checks that input 0 may be a handle: a vector of two elements.
inline Status with_handle(const ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  const int64_t size = c.input(0).dim(0);
  if (size == kUnknownDim || size == 2) return Status();
  return invalid_argument("Dimension must be 2 but is ", size);
}

/// A generation of the ops. Generations differ in how they pass handles, and in the traits of the ops.
struct ArrayOps {
  const char* suffix;  ///< suffix of the op names
  const char* handle;  ///< type of the handles
  bool is_first = false, is_last = false;

  std::string name(std::string_view op) const { return str_cat(op, suffix); }
  /// Whether the handle type shows that the op accesses mutable state.
  bool passes_state() const { return is_first || is_last; }
  /// The first generation infers no shapes.
  ShapeFn shape(ShapeFn fn) const { return is_first ? shapes::unknown : fn; }
  /// Declares an op with a handle input, by its name without suffix.
  OpDefBuilder use(OpRegistry& ops, std::string_view op) const {
    OpDefBuilder declared = ops.op(name(op));
    declared.input(str_cat("handle: ", handle));
    if (is_last) declared.stateful();
    if (!is_last) declared.trait(Trait::kNamesState);
    return declared;
  }
};
inline const ArrayOps kArrayOps[] = {{"", "Ref(string)", true}, {"V2", "string"}, {"V3", "resource", false, true}};

}  // namespace tinytf::ops
