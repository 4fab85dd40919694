#include "ops/parsing/shared/example_spec.h"

namespace tinytf::ops {

namespace {

bool varies(const PartialShape& shape) { return shape.rank() > 0 && shape.dim(0) == kUnknownDim; }

/// Number of values in the known part of a shape; kUnknownDim if any size except the first is unknown.
int64_t stride_of(const PartialShape& shape) {
  if (!shape.known_rank()) return kUnknownDim;
  return (varies(shape) ? shape.slice(1) : shape).num_elements();
}

}  // namespace

Shape DenseFeature::shape_of(int64_t values) const {
  Shape full(shape.dims());
  if (varies) full.set_dim(0, stride > 0 ? values / stride : 0);
  return full;
}

Status check_dense_shapes(const std::vector<PartialShape>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (stride_of(shapes[i]) == kUnknownDim) {
      return invalid_argument("dense_shapes[", i,
                              "] has unknown rank or unknown inner dimensions: ", shapes[i].to_string());
    }
  }
  return Status();
}

Result<ExampleSpec> ExampleSpec::make(const std::vector<DType>& sparse_types, const std::vector<DType>& dense_types,
                                      const std::vector<PartialShape>& dense_shapes) {
  TINYTF_RETURN_IF_ERROR(check_dense_shapes(dense_shapes));
  if (dense_types.size() != dense_shapes.size()) return invalid_argument("len(dense_keys) != len(dense_shapes)");
  ExampleSpec spec{sparse_types, {}};
  for (size_t i = 0; i < dense_types.size(); ++i) {
    const PartialShape& shape = dense_shapes[i];
    spec.dense.push_back({dense_types[i], shape, ops::varies(shape), stride_of(shape)});
  }
  return spec;
}

Status check_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense) {
  for (size_t i = 0; i < dense.size(); ++i) {
    const DenseFeature& feature = dense[i];
    const Tensor& value = ctx.input(first + static_cast<int>(i));
    if (feature.varies) {
      if (value.num_elements() != 1) {
        return invalid_argument(
            "dense_shape[", i, "] is a variable length shape: ", feature.shape.to_string(), ", therefore def_value[", i,
            "] must contain a single element (the padding element).  But its shape is: ", value.shape().to_string());
      }
    } else if (value.num_elements() > 0 && !feature.shape.compatible_with(value.shape())) {
      return invalid_argument("def_value[", i, "].shape() == ", value.shape().to_string(),
                              " is not compatible with dense_shapes_[", i, "] == ", feature.shape.to_string());
    }
  }
  return Status();
}

}  // namespace tinytf::ops
