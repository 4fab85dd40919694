#pragma once

#include "base/checked.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Number of elements added before and after a tensor in each dimension.
struct Paddings {
  Dims before, after;
  bool none = true;

  /// The shape of an input of shape `shape` after padding. A dimension is negative if its size overflows.
  Shape padded(Shape shape) const {
    for (int d = 0; d < shape.rank(); ++d) shape.set_dim(d, (Size(before[d]) + shape.dim(d) + after[d]).value());
    return shape;
  }

  /// Reads a tensor of shape [rank, 2]. Returns InvalidArgument with the messages of Pad, or of MirrorPad if `mirrors`.
  Status read(const Tensor& paddings, const Shape& input, bool mirrors) {
    if (paddings.rank() != 2 || paddings.dim(1) != 2) {
      return invalid_argument("paddings must be a matrix with 2 columns: ", paddings.shape().to_string());
    }
    if (paddings.dim(0) != input.rank()) {
      return invalid_argument("The first dimension of paddings must be the rank of inputs",
                              paddings.shape().to_string(), mirrors ? ", " : " ", input.to_string());
    }
    for (int d = 0; d < input.rank(); ++d) {
      const int64_t b = paddings.int_at(2 * d), a = paddings.int_at(2 * d + 1);
      if (b < 0 || a < 0) {
        return invalid_argument(mirrors ? "paddings" : "Paddings", " must be non-negative: ", b, " ", a);
      }
      before.push_back(b);
      after.push_back(a);
      none &= b == 0 && a == 0;
    }
    return Status();
  }
};

/// Number of border elements that the mirror image leaves out, by the attr `mode`: 1 for REFLECT, 0 for SYMMETRIC.
inline int mirror_skip(KernelInit& init) { return init.attr<std::string>("mode") == "REFLECT" ? 1 : 0; }

/// Fails unless every dimension has enough elements to mirror.
inline Status check_mirror(const Paddings& p, const Dims& dims, int skip) {
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t limit = dims[d] - skip;
    if (p.before[d] > limit || p.after[d] > limit) {
      return skip == 0 ? invalid_argument("paddings must be no greater than the dimension size: ", p.before[d], ", ",
                                          p.after[d], " greater than ", dims[d])
                       : invalid_argument("paddings must be less than the dimension size: ", p.before[d], ", ",
                                          p.after[d], " not less than ", dims[d]);
    }
  }
  return Status();
}

}  // namespace tinytf::ops
