#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

Status reduction_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(1, 1));
  return shapes::reduction(c);
}

/// Reduces the dimensions given by input 1.
class ReduceKernel final : public Kernel {
 public:
  ReduceKernel(KernelInit& init, kernels::Reduction reduction)
      : loop_(kernels::table().reduce.loop(reduction, init.input_type(0))), keep_dims_(init.attr<bool>("keep_dims")) {
    if (!loop_) init.fail(internal_error("no kernel loop for dtype ", dtype_name(init.input_type(0))));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const int rank = input.rank();
    if (rank > 32) return unimplemented("Reductions take up to 32 dimensions, got ", rank);
    TINYTF_ASSIGN_OR_RETURN(const uint32_t axes, reduced_axes(ctx.input(1), rank));
    Shape shape;
    for (int i = 0; i < rank; ++i) {
      if (((axes >> i) & 1) == 0) {
        shape.add_dim(input.dim(i));
      } else if (keep_dims_) {
        shape.add_dim(1);
      }
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    if (output->num_elements() == 0) return Status();
    kernels::ReducePlan plan;
    if (input.num_elements() == 0) {  // the product of the other sizes may overflow
      const int64_t nothing[] = {output->num_elements(), 0};
      TINYTF_CHECK(kernels::make_reduce_plan(nothing, 2, 0b10, &plan));
    } else if (!kernels::make_reduce_plan(input.shape().dims().data(), rank, axes, &plan)) {
      return unimplemented("Reduction of ", input.shape().to_string(), " alternates between kept and reduced ",
                           "dimensions too often");
    }
    kernels::run_reduce(loop_, plan, input.raw(), output->raw(), ctx.parallel());
    return Status();
  }

 private:
  static Result<uint32_t> reduced_axes(const Tensor& indices, int rank) {
    uint32_t axes = 0;
    for (int64_t i = 0; i < indices.num_elements(); ++i) {
      const int64_t axis = indices.int_at(i);
      if (axis < -rank || axis >= rank) {
        return invalid_argument("Invalid reduction dimension (", axis, " for input with ", rank, " dimension(s)");
      }
      axes |= uint32_t{1} << (axis < 0 ? axis + rank : axis);  // naming an axis twice has no further effect
    }
    return axes;
  }

  const kernels::ReduceLoop loop_;
  const bool keep_dims_;
};

void add_reduction(KernelRegistry& kernels, const char* op, kernels::Reduction reduction, std::vector<DType> types) {
  auto builder =
      kernels.add(op, [reduction](KernelInit& init) { return std::make_unique<ReduceKernel>(init, reduction); });
  if (!types.empty()) builder.where("T", std::move(types));
}

OpDefBuilder number_reduction(OpRegistry& ops, const char* name) {
  return ops.op(name)
      .input("input: T")
      .input("reduction_indices: Tidx")
      .parameter("reduction_indices", "axis")
      .output("output: T")
      .attr("keep_dims: bool = false")
      .attr("T: numbertype")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape(reduction_shape);
}

OpDefBuilder bool_reduction(OpRegistry& ops, const char* name) {
  return ops.op(name)
      .input("input: bool")
      .input("reduction_indices: Tidx")
      .parameter("reduction_indices", "axis")
      .output("output: bool")
      .attr("keep_dims: bool = false")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape(reduction_shape)
      .no_gradient();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_reduce) {
  using kernels::Reduction;

  number_reduction(ops, "Sum")
      .doc(
          "Computes the sum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. "
          "The sum of no elements is 0.");
  add_reduction(kernels, "Sum", Reduction::kSum, any_of({kNumbers}));
  number_reduction(ops, "Mean")
      .doc(
          "Computes the mean of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size 1. "
          "The mean of no elements is NaN.");
  add_reduction(kernels, "Mean", Reduction::kMean, any_of({kNumbers}));
  number_reduction(ops, "Prod")
      .doc(
          "Computes the product of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size "
          "1. The product of no elements is 1.");
  add_reduction(kernels, "Prod", Reduction::kProd, any_of({kNumbers}));
  number_reduction(ops, "Max")
      .doc(
          "Computes the maximum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size "
          "1. The maximum of no elements is the lowest value of the type.");
  add_reduction(kernels, "Max", Reduction::kMax, any_of({kReals}));
  number_reduction(ops, "Min")
      .doc(
          "Computes the minimum of `input` over the dimensions `reduction_indices`; with `keep_dims` these keep size "
          "1. The minimum of no elements is the highest value of the type.");
  add_reduction(kernels, "Min", Reduction::kMin, any_of({kReals}));
  number_reduction(ops, "EuclideanNorm")
      .not_differentiable()
      .doc(
          "Computes sqrt(sum(x * conj(x))) of the elements x of `input` over the dimensions `reduction_indices`; with "
          "`keep_dims` these keep size 1.");
  add_reduction(kernels, "EuclideanNorm", Reduction::kEuclideanNorm, any_of({kNumbers}));

  bool_reduction(ops, "All")
      .doc(
          "Tests whether all elements of `input` are true, over the dimensions `reduction_indices`; with `keep_dims` "
          "these keep size 1.");
  add_reduction(kernels, "All", Reduction::kAll, {});
  bool_reduction(ops, "Any")
      .doc(
          "Tests whether any element of `input` is true, over the dimensions `reduction_indices`; with `keep_dims` "
          "these keep size 1.");
  add_reduction(kernels, "Any", Reduction::kAny, {});
}
