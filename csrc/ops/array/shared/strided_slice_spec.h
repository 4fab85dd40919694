#pragma once

#include "op/kernel.h"
#include "op/shape_context.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// The five bit masks of the strided-slice ops; bit i applies to entry i of begin, end and strides.
struct SliceMasks {
  explicit SliceMasks(KernelInit& init)
      : begin(init.int32_attr("begin_mask")),
        end(init.int32_attr("end_mask")),
        ellipsis(init.int32_attr("ellipsis_mask")),
        new_axis(init.int32_attr("new_axis_mask")),
        shrink_axis(init.int32_attr("shrink_axis_mask")) {}

  static Result<SliceMasks> of(const ShapeContext& c) {
    SliceMasks masks;
    TINYTF_ASSIGN_OR_RETURN(masks.begin, c.int32_attr("begin_mask"));
    TINYTF_ASSIGN_OR_RETURN(masks.end, c.int32_attr("end_mask"));
    TINYTF_ASSIGN_OR_RETURN(masks.ellipsis, c.int32_attr("ellipsis_mask"));
    TINYTF_ASSIGN_OR_RETURN(masks.new_axis, c.int32_attr("new_axis_mask"));
    TINYTF_ASSIGN_OR_RETURN(masks.shrink_axis, c.int32_attr("shrink_axis_mask"));
    return masks;
  }

  int32_t begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink_axis = 0;

 private:
  SliceMasks() = default;
};

/// NumPy-style slicing resolved against a shape: in every input dimension k it selects the elements begin[k] + i *
/// stride[k] for i < size[k]. `result` has new axes added and shrunk ones removed.
struct ResolvedSlice {
  Dims begin, stride, size;  ///< unknown where the size of the input is unknown; begin is then meaningless
  PartialShape result;
  bool whole = true;         ///< selects every element, in order
  bool leading_rows = true;  ///< selects rows [begin[0], begin[0] + size[0]) of dimension 0, whole and in order
};

/// For shape inference `begin` and `end` may be null, which means unknown values; sizes that depend on them are then
/// unknown. Known arguments must be vectors of one length.
Result<ResolvedSlice> resolve_slice(const PartialShape& input, const Tensor* begin, const Tensor* end,
                                    const Tensor& strides, const SliceMasks& masks);

/// Resolves the slice whose begin, end and strides are inputs `first`, `first` + 1 and `first` + 2.
inline Result<ResolvedSlice> resolve_slice(KernelContext& ctx, const Shape& shape, int first, const SliceMasks& masks) {
  return resolve_slice(shape, &ctx.input(first), &ctx.input(first + 1), ctx.input(first + 2), masks);
}

}  // namespace tinytf::ops
