#include "op/registration.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

constexpr int kMostJoinedDims = 32;

/// The dimensions that are joined and those that are kept, each with the one that varies fastest last, and the strides
/// of all dimensions.
struct JoinPlan {
  InlinedVector<int, 8> joined;
  InlinedVector<int, 8> kept;
  InlinedVector<int64_t, 8> strides;
};

Result<JoinPlan> join_plan(const Tensor& input, const Tensor& indices) {
  const int rank = input.rank();
  if (rank > kMostJoinedDims) return unimplemented("ReduceJoin takes up to 32 dimensions, got ", rank);
  JoinPlan plan;
  uint32_t seen = 0;
  for (int64_t i = 0; i < indices.num_elements(); ++i) {
    const int64_t given = indices.int_at(i);
    if (given < -rank || given >= rank) {
      return Status(Code::kOutOfRange,
                    str_cat("Invalid reduction dimension ", given, " for input with ", rank, " dimension(s)"));
    }
    const int axis = static_cast<int>(given < 0 ? given + rank : given);
    if ((seen >> axis) & 1) return invalid_argument("Duplicate reduction dimension ", given);
    seen |= uint32_t{1} << axis;
    plan.joined.insert(0, axis);
  }
  plan.strides.resize(rank);
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    plan.strides[i] = stride;
    stride *= input.dim(i);
    if (((seen >> i) & 1) == 0) plan.kept.insert(0, i);
  }
  return plan;
}

/// The place in the input of element number `number` of a grid of the given dimensions, the last of which varies
/// fastest.
int64_t place_of(const Tensor& input, const JoinPlan& plan, const InlinedVector<int, 8>& dims, int64_t number) {
  int64_t place = 0;
  for (auto dim = dims.end(); dim != dims.begin();) {
    --dim;
    place += number % input.dim(*dim) * plan.strides[*dim];
    number /= input.dim(*dim);
  }
  return place;
}

class ReduceJoinKernel final : public Kernel {
 public:
  explicit ReduceJoinKernel(KernelInit& init)
      : keep_dims_(init.attr<bool>("keep_dims")), separator_(init.attr<std::string>("separator")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(const JoinPlan plan, join_plan(input, ctx.input(1)));
    Shape shape;
    for (int i = 0; i < input.rank(); ++i) {
      const bool kept = std::find(plan.kept.begin(), plan.kept.end(), i) != plan.kept.end();
      if (kept || keep_dims_) shape.add_dim(kept ? input.dim(i) : 1);
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    int64_t parts = 1;
    for (const int dim : plan.joined) parts *= input.dim(dim);
    constexpr double kByteCost = 0.2;  // nanoseconds
    const double cost = text_cost(input, kByteCost) * static_cast<double>(std::max<int64_t>(parts, 1));
    const std::string* texts = input.data<std::string>();
    ctx.parallel().run(shape.num_elements(), 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) {
        std::string& joined = out->data<std::string>()[e];
        const int64_t first = place_of(input, plan, plan.kept, e);
        for (int64_t i = 0; i < parts; ++i) {
          if (i > 0) joined += separator_;
          joined += texts[first + place_of(input, plan, plan.joined, i)];
        }
      }
    });
    return Status();
  }

 private:
  const bool keep_dims_;
  const std::string separator_;
};

Status reduce_join_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(1, 1));
  return shapes::reduction(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_reduce_join) {
  using namespace tinytf::ops;
  ops.op("ReduceJoin")
      .input("inputs: string")
      .input("reduction_indices: int32")
      .output("output: string")
      .attr("keep_dims: bool = false")
      .attr("separator: string = ''")
      .shape(reduce_join_shape)
      .not_differentiable()
      .doc(
          "Joins the strings of `inputs` over the dimensions `reduction_indices`, the first of which varies fastest, "
          "with "
          "`separator` between them; with `keep_dims` these dimensions keep size 1.");
  kernels.add<ReduceJoinKernel>("ReduceJoin");
}
