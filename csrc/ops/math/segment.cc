#include "base/checked.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/math/shared/segment_ids.h"

namespace tinytf::ops {
namespace {

Status segment_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  c.set_output(0, PartialShape::vector(kUnknownDim).concatenate(c.input(0).slice(1)));
  return Status();
}

class SegmentKernel final : public Kernel {
 public:
  SegmentKernel(KernelInit& init, kernels::Segment reduction)
      : loop_(kernels::table().gather.segment[static_cast<int>(reduction)][static_cast<int>(init.input_type(0))]) {
    if (loop_ == nullptr) init.fail(internal_error("no kernel loop for dtype ", dtype_name(init.input_type(0))));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& data = ctx.input(0);
    const Tensor& ids = ctx.input(1);
    if (ids.rank() != 1) return invalid_argument("segment_ids should be a vector.");
    const int64_t count = ids.num_elements();
    if (data.rank() == 0 || count != data.dim(0)) {
      return invalid_argument("segment_ids should be the same size as dimension 0 of input.");
    }
    const kernels::Indices indices{ids.raw(), ids.dtype(), count};
    if (kernels::table().gather.check_sorted(indices, ctx.parallel()) != kernels::kAllInRange)
      return unsorted(ids, ctx.parallel());
    Shape shape = data.shape();
    shape.set_dim(0, count > 0 ? (Size(ids.int_at(count - 1)) + 1).value() : 0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    if (output->num_elements() == 0) return Status();
    loop_(data.raw(), data.shape().product(1, data.rank()), indices, shape.dim(0), output->raw(), ctx.parallel());
    return Status();
  }

 private:
  /// Builds the error for ids that are not sorted.
  static Status unsorted(const Tensor& ids, Parallel& parallel) {
    const int64_t count = ids.num_elements();
    const int64_t last = ids.int_at(count - 1);
    const auto id_at = [&](int64_t i) { return ids.int_at(i); };
    const int64_t segments = last < 0 ? -1 : (Size(last) + 1).value();
    TINYTF_RETURN_IF_ERROR(check_segments(count, segments, id_at, [](int64_t, int64_t) { return Status(); }, parallel));
    // The memory of a fed value may be changed concurrently.
    return invalid_argument("segment ids were changed by another thread while the operation read them");
  }

  const kernels::SegmentFn loop_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_segment) {
  using kernels::Segment;
  const auto declare = [&](const char* op, const char* name, const char* type, Segment reduction,
                           std::vector<DType> types, const char* doc) {
    kernels.add(op, [reduction](KernelInit& init) { return std::make_unique<SegmentKernel>(init, reduction); })
        .where("T", std::move(types));
    return ops.op(op)
        .input("data: T")
        .input("segment_ids: Tindices")
        .output("output: T")
        .attr(str_cat("T: ", type))
        .attr("Tindices: {int32, int64}")
        .shape(segment_shape)
        .endpoint(str_cat("math.", name))
        .endpoint(name)
        .doc(doc);
  };
  declare("SegmentSum", "segment_sum", "numbertype", Segment::kSum, any_of({kNumbers}),
          "Sums the rows of `data` with equal ids: row i of `output` is the sum of the rows whose id is i, or 0 if "
          "there are none. `segment_ids` has one id per row; ids must be sorted and not negative.");
  declare("SegmentMean", "segment_mean", "numbertype", Segment::kMean, any_of({kNumbers}),
          "Computes the means of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does.");
  declare("SegmentProd", "segment_prod", "numbertype", Segment::kProd, any_of({kNumbers}),
          "Multiplies the rows of `data` with equal ids; the product is 1 if an id does not occur. It treats "
          "`segment_ids` as SegmentSum does.")
      .no_gradient();
  declare("SegmentMax", "segment_max", "realnumbertype", Segment::kMax, any_of({kReals}),
          "Computes the maximum of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does.");
  declare("SegmentMin", "segment_min", "realnumbertype", Segment::kMin, any_of({kReals}),
          "Computes the minimum of the rows of `data` with equal ids. It treats `segment_ids` as SegmentSum does.");
}
