#pragma once

#include "op/shape_context.h"
#include "tensor/tensor.h"

namespace tinytf::ops {

/// The five bit masks of the strided-slice ops; bit i speaks of entry i of begin, end and strides.
struct SliceMasks {
  template <class Attrs>  // anything with attr<int64_t>(name)
  explicit SliceMasks(Attrs& attrs)
      : begin(attrs.template attr<int64_t>("begin_mask")),
        end(attrs.template attr<int64_t>("end_mask")),
        ellipsis(attrs.template attr<int64_t>("ellipsis_mask")),
        new_axis(attrs.template attr<int64_t>("new_axis_mask")),
        shrink_axis(attrs.template attr<int64_t>("shrink_axis_mask")) {}

  int64_t begin, end, ellipsis, new_axis, shrink_axis;
};

/// NumPy-style slicing resolved against a shape: in every input dimension k the elements begin[k] + i * stride[k],
/// i < size[k]; `result` has new axes added and shrunk ones gone.
struct ResolvedSlice {
  Dims begin, stride, size;  ///< size may be unknown where the input's is; begin is then meaningless
  PartialShape result;
  bool whole = true;         ///< every element in order
  bool leading_rows = true;  ///< rows [begin[0], begin[0] + size[0]) of dimension 0
};

/// `begin` and `end` may be null (unknown values) for shape inference; then sizes that depend on them are unknown.
Result<ResolvedSlice> resolve_slice(const PartialShape& input, const Tensor* begin, const Tensor* end,
                                    const Tensor& strides, const SliceMasks& masks);

}  // namespace tinytf::ops
