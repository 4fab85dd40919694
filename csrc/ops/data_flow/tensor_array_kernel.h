#pragma once

#include <string_view>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "ops/data_flow/tensor_array.h"
#include "ops/dtype_lists.h"

/// What the kernels and shape functions of tensor array ops share.
namespace tinytf::ops {

/// What an element may be that is read and written, and, by itself or not, laid beside others.
inline constexpr Types kArrayPlain = {DType::kHalf,  DType::kBfloat16, DType::kFloat,     DType::kDouble,
                                      DType::kInt8,  DType::kInt16,    DType::kInt32,     DType::kInt64,
                                      DType::kUint8, DType::kUint16,   DType::kComplex64, DType::kComplex128,
                                      DType::kBool,  DType::kString};

/// The array behind input 0, which the context keeps alive.
inline Result<TensorArray*> input_array(const KernelContext& ctx) {
  const Tensor& handles = ctx.input(0);
  if (handles.num_elements() == 0) {
    return invalid_argument("The handle of a TensorArray is missing: its shape is ", handles.shape().to_string());
  }
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == TensorArray::kTypeName) {
    return static_cast<TensorArray*>(handle.resource.get());
  }
  return invalid_argument("Trying to access resource using the wrong type. Expected ", handle.type_name, " got ",
                          TensorArray::kTypeName);
}

/// That values of type `dtype` may be written to the array.
inline Status check_written(const TensorArray& array, DType dtype) {
  if (array.dtype() == dtype) return Status();
  return invalid_argument("TensorArray dtype is ", dtype_name(array.dtype()), " but Op is trying to write dtype ",
                          dtype_name(dtype), ".");
}

/// That values of type `dtype` may be read from the array.
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

/// Output i becomes a handle to the array, in the shape that graphs know of it: a vector of two, of which the first is
/// the handle.
inline Status set_array_output(KernelContext& ctx, int i, RefPtr<TensorArray> array) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape({2})));
  out->data<ResourceHandle>()[0] = {str_cat("__per_step_", ctx.step().step_id),
                                    str_cat("_tensor_arrays", array->name()), TensorArray::kTypeName, std::move(array)};
  return Status();
}

/// Output i becomes a flow, a scalar of which only the order counts that it is an edge of.
inline Status set_flow_output(KernelContext& ctx, int i) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * flow, ctx.allocate_output(i, Shape()));
  *flow->data<float>() = 0;
  return Status();
}

/// That input 0 may be a handle: a vector of two.
inline Status with_handle(const ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  const int64_t size = c.input(0).dim(0);
  if (size == kUnknownDim || size == 2) return Status();
  return invalid_argument("Dimension must be 2 but is ", size);
}

}  // namespace tinytf::ops
