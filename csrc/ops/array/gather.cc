#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/gather_rows.h"

namespace tinytf::ops {
namespace {

/// Kernel of GatherV2, and of Gather in older GraphDefs, which has no axis and no batch dimensions.
class GatherKernel final : public Kernel {
 public:
  explicit GatherKernel(KernelInit& init) : has_axis_(init.node().inputs.size() > 2) {
    if (has_axis_) given_batch_dims_ = init.int32_attr("batch_dims");
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& params = ctx.input(0);
    const Tensor& indices = ctx.input(1);
    const int rank = params.rank();
    if (rank < 1) return invalid_argument("params must be at least 1 dimensional");
    int64_t axis = 0, batch_dims = given_batch_dims_;
    if (has_axis_) {
      const Tensor& given = ctx.input(2);
      if (given.rank() != 0) return invalid_argument("axis must be scalar");
      axis = given.int_at(0);
      if (axis < -rank || axis >= rank) {
        return invalid_argument("Expected axis in the range [", -rank, ", ", rank, "), but got ", axis);
      }
      if (axis < 0) axis += rank;
    }
    if (batch_dims != 0) {
      if (batch_dims < -indices.rank() || batch_dims > indices.rank()) {
        return invalid_argument("Expected batch_dims in the range [", -indices.rank(), ", ", indices.rank(),
                                "], but got ", batch_dims);
      }
      if (batch_dims < 0) batch_dims += indices.rank();
      if (batch_dims >= rank) {
        return invalid_argument("batch_dims (", batch_dims, ") must be less than rank(params) (", rank, ").");
      }
      if (axis < batch_dims) {
        return invalid_argument("batch_dims (", batch_dims, ") must be less than or equal to ", "axis (", axis, ").");
      }
    }
    return gather_along(ctx, params, indices, static_cast<int>(axis), static_cast<int>(batch_dims));
  }

 private:
  const bool has_axis_;
  int given_batch_dims_ = 0;
};

Status gather_v1_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, gather_shape(c.input(0), c.input(1), 0, 0));
  c.set_output(0, std::move(out));
  return Status();
}

Status gather_v2_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  const PartialShape& params = c.input(0);
  const PartialShape& indices = c.input(1);
  if (!params.known_rank()) return Status();
  int axis = -1;
  if (const Tensor* value = c.input_tensor(2)) {
    const int64_t given = value->int_at(0);
    const Size least = given < 0 ? Size(0) - given : Size(given) + 1;
    if (!least.within(0, params.rank())) {
      return invalid_argument("Shape must be at least rank ", to_string(least), " but is rank ", params.rank());
    }
    axis = static_cast<int>(given < 0 ? given + params.rank() : given);
  }
  if (!indices.known_rank()) return Status();
  TINYTF_ASSIGN_OR_RETURN(int batch_dims, c.int32_attr("batch_dims"));
  if (batch_dims < 0) batch_dims += indices.rank();
  if (batch_dims < 0 || batch_dims > indices.rank()) {
    return invalid_argument("Expected batch_dims in the range [", -indices.rank(), ", ", indices.rank(), "], but got ",
                            c.attr<int64_t>("batch_dims"));
  }
  if (c.input_tensor(2) != nullptr) TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, batch_dims + 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, gather_shape(params, indices, axis, batch_dims));
  c.set_output(0, std::move(out));
  return Status();
}

class GatherNdKernel final : public Kernel {
 public:
  explicit GatherNdKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override { return gather_nd(ctx, ctx.input(0), ctx.input(1)); }
};

Status gather_nd_inputs_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 1));
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, gather_nd_shape(c.input(0), c.input(1)));
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_gather) {
  using namespace tinytf::ops;
  ops.op("GatherV2")
      .input("params: Tparams")
      .input("indices: Tindices")
      .input("axis: Taxis")
      .output("output: Tparams")
      .attr("batch_dims: int = 0")
      .attr("Tparams: type")
      .attr("Tindices: {int32, int64}")
      .attr("Taxis: {int32, int64}")
      .shape(gather_v2_shape)
      .doc(
          "Gathers the slices of `params` along `axis` at `indices`. The first `batch_dims` dimensions of both are "
          "batch dimensions: slices come from the batch element of their index. Fails with InvalidArgument if an index "
          "is out of range.");
  kernels.add<GatherKernel>("GatherV2");

  ops.op("Gather")
      .input("params: Tparams")
      .input("indices: Tindices")
      .output("output: Tparams")
      .attr("validate_indices: bool = true")
      .attr("Tparams: type")
      .attr("Tindices: {int32, int64}")
      .shape(gather_v1_shape)
      .doc(
          "Gathers the slices of `params` along dimension 0 at `indices`. Older GraphDefs use it in place of "
          "GatherV2.");
  kernels.add<GatherKernel>("Gather");

  ops.op("GatherNd")
      .input("params: Tparams")
      .input("indices: Tindices")
      .output("output: Tparams")
      .attr("Tparams: type")
      .attr("Tindices: {int32, int64}")
      .shape(gather_nd_inputs_shape)
      .doc(
          "Gathers the slices of `params` at the coordinates in the last dimension of `indices`. The shape of `output` "
          "is `indices.shape[:-1] + params.shape[indices.shape[-1]:]`.");
  kernels.add<GatherNdKernel>("GatherNd");
}
