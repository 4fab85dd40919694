#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/strided_slice_spec.h"
#include "ops/array/shared/views.h"

namespace tinytf::ops {

namespace {

class StridedSliceKernel final : public Kernel {
 public:
  explicit StridedSliceKernel(KernelInit& init)
      : masks_(init),
        one_element_(masks_.shrink_axis == 1 && masks_.ellipsis == 0 && masks_.new_axis == 0),
        element_(dtype_size(init.output_type(0))),
        read_(kernels::table().copy.slice_read) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    if (one_element_ && element_ != 0 && input.rank() == 1 && is_unit_index(ctx)) return pick(ctx, input);
    TINYTF_ASSIGN_OR_RETURN(const ResolvedSlice slice, resolve_slice(ctx, input.shape(), 1, masks_));
    Shape result = slice.result.to_shape();
    if (slice.whole) {
      ctx.set_output(0, input.reshaped(std::move(result)));
      return Status();
    }
    if (slice.leading_rows && worth_sharing(input.dtype(), result)) {
      TINYTF_ASSIGN_OR_RETURN(const Tensor rows, input.rows(slice.begin[0], slice.begin[0] + slice.size[0]));
      ctx.set_output(0, rows.reshaped(std::move(result)));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, result));
    if (out->num_elements() == 0) return Status();
    if (slice.leading_rows) {
      copy_elements(input, slice.begin[0] * input.shape().product(1, input.rank()), *out, 0, out->num_elements());
      return Status();
    }
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      read_(src, dst, bytes, input.rank(), input.shape().dims().data(), slice.begin.data(), slice.stride.data(),
            slice.size.data(), ctx.parallel());
    });
  }

 private:
  /// Whether this is x[i] of a vector, which is how programs take shapes apart.
  static bool is_unit_index(const KernelContext& ctx) {
    return ctx.input(1).num_elements() == 1 && ctx.input(2).num_elements() == 1 && ctx.input(3).num_elements() == 1 &&
           ctx.input(1).rank() == 1 && ctx.input(2).rank() == 1 && ctx.input(3).rank() == 1 &&
           ctx.input(3).int_at(0) > 0;
  }
  Status pick(KernelContext& ctx, const Tensor& input) const {
    const int64_t given = ctx.input(1).int_at(0), n = input.dim(0);
    const int64_t i = given < 0 ? given + n : given;
    if (i < 0 || i >= n) return invalid_argument("slice index ", given, " of dimension 0 out of bounds.");
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    copy_elements(input, i, *out, 0, 1);
    return Status();
  }

  const SliceMasks masks_;
  const bool one_element_;
  const size_t element_;
  decltype(kernels::CopyTable::slice_read) const read_;
};

Status strided_slice_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const Tensor* strides = c.input_tensor(3);
  for (int i = 1; i <= 3; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 1));
  for (int i = 1; i <= 2; ++i) TINYTF_RETURN_IF_ERROR(c.input(i).merge(c.input(3)).status());
  TINYTF_ASSIGN_OR_RETURN(const SliceMasks masks, SliceMasks::of(c));
  if (!input.known_rank() || strides == nullptr) return Status();
  TINYTF_ASSIGN_OR_RETURN(ResolvedSlice slice,
                          resolve_slice(input, c.input_tensor(1), c.input_tensor(2), *strides, masks));
  c.set_output(0, std::move(slice.result));
  if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(0, *info);
  return Status();
}

/// Known entries of the result for `sizes[i]` and `sizes[begin:end]`.
PartialShape strided_slice_entries(ShapeContext& c) {
  const auto mask = [&c](const char* name) { return c.attr<int64_t>(name); };
  const PartialShape sizes = c.input_as_shape(0);
  const Tensor* begin = c.input_tensor(1);
  if (!sizes.known_rank() || begin == nullptr || begin->num_elements() != 1 || mask("new_axis_mask") != 0) return {};
  const int n = sizes.rank();
  const auto from_front = [n](int64_t i) { return i < 0 ? i + n : i; };
  if (mask("shrink_axis_mask") == 1) {
    const int64_t i = from_front(begin->int_at(0));
    return PartialShape::vector(i >= 0 && i < n ? sizes.dim(static_cast<int>(i)) : kUnknownDim);
  }
  const Tensor* end = c.input_tensor(2);
  const Tensor* stride = c.input_tensor(3);
  if (mask("shrink_axis_mask") != 0 || mask("ellipsis_mask") != 0) return {};
  if (end == nullptr || stride == nullptr || stride->int_at(0) != 1) return {};
  const auto clamp = [&](int64_t i) { return static_cast<int>(std::clamp<int64_t>(from_front(i), 0, n)); };
  const int from = (mask("begin_mask") & 1) != 0 ? 0 : clamp(begin->int_at(0));
  const int to = (mask("end_mask") & 1) != 0 ? n : clamp(end->int_at(0));
  return sizes.slice(from, std::max(from, to));
}

class StridedSliceGradKernel final : public Kernel {
 public:
  explicit StridedSliceGradKernel(KernelInit& init) : masks_(init) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& sizes = ctx.input(0);
    const Tensor& dy = ctx.input(4);
    if (sizes.rank() != 1) return invalid_argument("shape must be 1-D, got shape.shape = ", sizes.shape().to_string());
    Dims dims;
    for (int64_t i = 0; i < sizes.dim(0); ++i) dims.push_back(sizes.int_at(i));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    TINYTF_ASSIGN_OR_RETURN(const ResolvedSlice slice, resolve_slice(ctx, shape, 1, masks_));
    if (dy.shape() != slice.result.to_shape()) {
      return invalid_argument("shape of dy was ", dy.shape().to_string(), " instead of ", slice.result.to_string());
    }
    if (slice.whole) {
      ctx.set_output(0, dy.reshaped(shape));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const auto& copy = kernels::table().copy;
    const size_t element = dtype_size(dy.dtype());
    if (element != 0) copy.fill(out->raw(), kZeroElement, element, out->num_elements(), ctx.parallel());
    if (dy.num_elements() == 0) return Status();
    return move_elements(ctx, dy, *out, [&](const void* src, void* dst, size_t bytes) {
      copy.slice_write(src, false, dst, bytes, shape.rank(), shape.dims().data(), slice.begin.data(),
                       slice.stride.data(), slice.size.data(), ctx.parallel());
    });
  }

 private:
  const SliceMasks masks_;
};

Status strided_slice_grad_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  c.set_output(0, c.input_as_shape(0));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_strided_slice) {
  using namespace tinytf::ops;
  ops.op("StridedSlice")
      .input("input: T")
      .input("begin: Index")
      .input("end: Index")
      .input("strides: Index")
      .output("output: T")
      .attr("T: type")
      .attr("Index: {int32, int64}")
      .attr("begin_mask: int = 0")
      .attr("end_mask: int = 0")
      .attr("ellipsis_mask: int = 0")
      .attr("new_axis_mask: int = 0")
      .attr("shrink_axis_mask: int = 0")
      .shape(strided_slice_shape)
      .entries(strided_slice_entries)
      .doc(
          "Returns `input[begin:end:strides, …]` with the meaning of NumPy. Bit i of a mask applies to entry i: it has "
          "no begin (`begin_mask`), no end (`end_mask`), is `...` (`ellipsis_mask`), adds an axis (`new_axis_mask`), "
          "or is an index that removes its axis (`shrink_axis_mask`).");
  kernels.add<StridedSliceKernel>("StridedSlice");

  ops.op("StridedSliceGrad")
      .input("shape: Index")
      .input("begin: Index")
      .input("end: Index")
      .input("strides: Index")
      .input("dy: T")
      .output("output: T")
      .attr("T: type")
      .attr("Index: {int32, int64}")
      .attr("begin_mask: int = 0")
      .attr("end_mask: int = 0")
      .attr("ellipsis_mask: int = 0")
      .attr("new_axis_mask: int = 0")
      .attr("shrink_axis_mask: int = 0")
      .shape(strided_slice_grad_shape)
      .doc(
          "Computes the gradient of StridedSlice: a tensor of zeros of shape `shape` with `dy` written to the elements "
          "that StridedSlice reads with the same arguments.");
  kernels.add<StridedSliceGradKernel>("StridedSliceGrad");
}
