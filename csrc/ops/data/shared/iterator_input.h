#pragma once

#include "data/iterator_resource.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// The iterator behind a handle, which keeps it alive. InvalidArgument if it is no handle of an iterator.
inline Result<data::IteratorResource*> iterator_of(const Tensor& handles) {
  if (handles.dtype() != DType::kResource || handles.rank() != 0)
    return invalid_argument("resource_handle must be a scalar");
  const ResourceHandle& handle = *handles.data<ResourceHandle>();
  if (handle.resource && handle.type_name == data::IteratorResource::kTypeName) {
    return static_cast<data::IteratorResource*>(handle.resource.get());
  }
  return invalid_argument("Trying to access resource using the wrong type. Expected ",
                          data::IteratorResource::kTypeName, " got ", handle.type_name);
}

/// The iterator behind input i, which the context keeps alive. InvalidArgument if it is no handle of an iterator.
inline Result<data::IteratorResource*> iterator_input(const KernelContext& ctx, int i) {
  return iterator_of(ctx.input(i));
}

/// The spec in the attrs `output_types` and `output_shapes`.
inline data::ElementSpec spec_of(KernelInit& init) {
  data::ElementSpec spec{init.attr<std::vector<DType>>("output_types"),
                         init.attr<std::vector<PartialShape>>("output_shapes")};
  if (spec.types.size() != spec.shapes.size()) {
    init.fail(invalid_argument("`output_types` and `output_shapes` must have the same length, got ", spec.types.size(),
                               " and ", spec.shapes.size()));
  }
  return spec;
}

}  // namespace tinytf::ops
