#pragma once

#include <vector>

#include "op/shape_context.h"

/// How shape functions pass the element shapes of a queue on, in the handle data.
namespace tinytf::ops {

/// Packs the shapes of components into a single shape, because handle data has room for only one: for each component
/// rank + 1, or 0 for an unknown rank, followed by its sizes.
inline PartialShape packed_shapes(const std::vector<PartialShape>& shapes) {
  PartialShape packed = PartialShape::scalar();
  for (const PartialShape& shape : shapes) {
    packed.add_dim(shape.rank() + 1);
    for (int d = 0; d < shape.rank(); ++d) packed.add_dim(shape.dim(d));
  }
  return packed;
}

/// Unpacks the shapes of `count` components. Empty if `packed` does not hold that many, as it may be after a merge of
/// different queues.
inline std::vector<PartialShape> element_shapes(const PartialShape& packed, int count) {
  std::vector<PartialShape> shapes;
  int64_t at = 0;
  while (at < packed.rank()) {
    const int64_t rank = packed.dim(at++) - 1;
    if (rank < -1 || rank > packed.rank() - at) return {};
    PartialShape shape = rank < 0 ? PartialShape() : PartialShape::scalar();
    for (int64_t d = 0; d < rank; ++d) shape.add_dim(packed.dim(at++));
    shapes.push_back(std::move(shape));
  }
  return static_cast<int>(shapes.size()) == count ? shapes : std::vector<PartialShape>();
}

/// Sets output 0 to the handle of a queue whose elements have these shapes.
inline Status handle_of_elements(ShapeContext& c, const std::vector<PartialShape>& shapes) {
  c.set_output(0, PartialShape::scalar());
  c.set_output_handle(0, {DType::kInvalid, packed_shapes(shapes)});
  return Status();
}

/// The component shapes declared by attr `shapes`; all unknown if it is empty.
inline std::vector<PartialShape> declared_shapes(const ShapeContext& c) {
  std::vector<PartialShape> shapes = c.attr<std::vector<PartialShape>>("shapes");
  if (shapes.empty()) shapes.resize(c.attr<std::vector<DType>>("component_types").size());
  return shapes;
}

inline Status queue_handle_shape(ShapeContext& c) { return handle_of_elements(c, declared_shapes(c)); }

}  // namespace tinytf::ops
