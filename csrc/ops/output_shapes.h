#pragma once

#include <vector>

#include "op/shape_context.h"

namespace tinytf::shapes {

/// Sets the output shapes to those in attr "output_shapes", which has one per output.
inline Status output_shapes(ShapeContext& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  if (static_cast<int>(shapes.size()) != c.num_outputs()) {
    return invalid_argument("`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ",
                            c.num_outputs(), ")");
  }
  for (size_t i = 0; i < shapes.size(); ++i) c.set_output(static_cast<int>(i), shapes[i]);
  return Status();
}

}  // namespace tinytf::shapes
