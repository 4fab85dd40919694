#pragma once

#include "op/common_shapes.h"

namespace tinytf::shapes {

/// Shape function of ops that make a dataset: the inputs of these indices are scalars, and so is the output.
template <int... kScalars>
Status dataset(ShapeContext& c) {
  for (const int i : {-1, kScalars...}) {
    if (i >= 0) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  }
  return scalar(c);
}

/// The same for ops whose first input is the name of a file or a vector of names.
template <int... kScalars>
Status files_dataset(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(0, 1));
  return dataset<kScalars...>(c);
}

}  // namespace tinytf::shapes
