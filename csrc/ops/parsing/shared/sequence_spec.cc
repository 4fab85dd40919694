#include "ops/parsing/shared/sequence_spec.h"

namespace tinytf::ops {

namespace {

using SequenceTypes = std::vector<DType>;
using SequenceShapes = std::vector<PartialShape>;

Status check_known(const SequenceShapes& shapes) {
  for (const PartialShape& shape : shapes) {
    if (!shape.fully_defined()) return invalid_argument("Shape ", shape.to_string(), " is not fully defined");
  }
  return Status();
}

ExampleSpec sequence_spec_of(KernelInit& init, const char* sparse_types, const char* dense_types,
                             const char* dense_shapes) {
  const auto shapes = init.attr<SequenceShapes>(dense_shapes);
  init.fail(check_known(shapes));
  if (!init.status().ok()) return ExampleSpec();
  auto spec = ExampleSpec::make(init.attr<SequenceTypes>(sparse_types), init.attr<SequenceTypes>(dense_types), shapes);
  init.fail(spec.status());
  return spec.ok() ? spec.take() : ExampleSpec();
}

/// Sets the shapes of `count` SparseTensors with `rank` dimensions from output `*next` on, and advances `*next` past
/// them.
void set_sparse_shapes(ShapeContext& c, int* next, size_t count, int64_t rank) {
  const auto n = static_cast<int>(count);
  for (int i = *next; i < *next + n; ++i) {
    c.set_output(i, PartialShape::matrix(kUnknownDim, rank));
    c.set_output(n + i, PartialShape::vector(kUnknownDim));
    c.set_output(2 * n + i, PartialShape::vector(rank));
  }
  *next += 3 * n;
}

}  // namespace

SequenceSpec SequenceSpec::make(KernelInit& init, Status counts) {
  init.fail(std::move(counts));
  return {sequence_spec_of(init, "context_sparse_types", "Tcontext_dense", "context_dense_shapes"),
          sequence_spec_of(init, "feature_list_sparse_types", "feature_list_dense_types", "feature_list_dense_shapes")};
}

Status set_sequence_shapes(ShapeContext& c, const PartialShape& batch) {
  const auto &context_sparse = c.attr<SequenceTypes>("context_sparse_types"),
             &list_sparse = c.attr<SequenceTypes>("feature_list_sparse_types");
  const auto &context_shapes = c.attr<SequenceShapes>("context_dense_shapes"),
             &list_shapes = c.attr<SequenceShapes>("feature_list_dense_shapes");
  TINYTF_RETURN_IF_ERROR(check_known(context_shapes));
  TINYTF_RETURN_IF_ERROR(check_known(list_shapes));
  TINYTF_RETURN_IF_ERROR(check_dense_shapes(context_shapes));
  TINYTF_RETURN_IF_ERROR(check_dense_shapes(list_shapes));
  int next = 0;
  set_sparse_shapes(c, &next, context_sparse.size(), batch.rank() + 1);
  for (const PartialShape& shape : context_shapes) c.set_output(next++, batch.concatenate(shape));
  set_sparse_shapes(c, &next, list_sparse.size(), batch.rank() + 2);
  PartialShape rows = batch;
  rows.add_dim(kUnknownDim);
  for (const PartialShape& shape : list_shapes) c.set_output(next++, rows.concatenate(shape));
  return Status();
}

Status check_context_defaults(const KernelContext& ctx, int first, const std::vector<DenseFeature>& dense,
                              std::string_view what, std::string_view shapes) {
  for (size_t i = 0; i < dense.size(); ++i) {
    const Shape& shape = ctx.input(first + static_cast<int>(i)).shape();
    if (shape.num_elements() > 0 && PartialShape(shape) != dense[i].shape) {
      return invalid_argument(what, "[", i, "].shape() == ", shape.to_string(), " != ", shapes, "[", i,
                              "] == ", dense[i].shape.to_string());
    }
  }
  return Status();
}

}  // namespace tinytf::ops
