#include "kernels/table.h"
#include "op/registration.h"
#include "op/size_input.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

Status unsorted_segment_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  const PartialShape& data = c.input(0);
  const PartialShape& ids = c.input(1);
  if (!ids.known_rank()) return Status();
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, ids.rank()));
  for (int i = 0; i < ids.rank(); ++i) {
    TINYTF_RETURN_IF_ERROR(merge_dims(data.dim(i), ids.dim(i)).status());
  }
  TINYTF_ASSIGN_OR_RETURN(const int64_t segments, shapes::size_input(c, 2));
  c.set_output(0, PartialShape::vector(segments).concatenate(data.slice(ids.rank())));
  return Status();
}

/// The multi-index of element i of a tensor of this shape: "[1,0]"; "" for a scalar.
std::string index_text(const Shape& shape, int64_t i) {
  if (shape.rank() == 0) return "";
  Dims index(shape.rank(), 0);
  for (int d = shape.rank() - 1; d >= 0; --d) {
    index[d] = i % shape.dim(d);
    i /= shape.dim(d);
  }
  return Shape(index).to_string();
}

/// Index of the first element >= `limit`, or kAllInRange. It replaces the check in the loops when there are no rows to
/// loop over.
int64_t first_not_below(const Tensor& ids, int64_t limit) {
  for (int64_t i = 0; i < ids.num_elements(); ++i) {
    if (ids.int_at(i) >= limit) return i;
  }
  return kernels::kAllInRange;
}

class UnsortedSegmentKernel final : public Kernel {
 public:
  UnsortedSegmentKernel(KernelInit& init, kernels::Segment reduction)
      : loop_(kernels::table()
                  .gather.unsorted_segment[static_cast<int>(reduction)][static_cast<int>(init.input_type(0))]) {
    if (loop_ == nullptr) init.fail(internal_error("no kernel loop for dtype ", dtype_name(init.input_type(0))));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& data = ctx.input(0);
    const Tensor& ids = ctx.input(1);
    const Tensor& count = ctx.input(2);
    if (count.rank() != 0) {
      return invalid_argument("num_segments should be a scalar, not shape ", count.shape().to_string());
    }
    const int64_t segments = count.int_at(0);
    if (segments < 0) return invalid_argument("Input num_segments == ", segments, " must not be negative.");
    bool prefix = data.rank() >= ids.rank();
    for (int i = 0; prefix && i < ids.rank(); ++i) prefix = data.dim(i) == ids.dim(i);
    if (!prefix) {
      return invalid_argument("data.shape = ", data.shape().to_string(),
                              " does not start with segment_ids.shape = ", ids.shape().to_string());
    }
    Shape shape{segments};
    for (int i = ids.rank(); i < data.rank(); ++i) shape.add_dim(data.dim(i));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape));
    const int64_t bad = output->num_elements() == 0 ? first_not_below(ids, segments)
                                                    : loop_(data.raw(), data.shape().product(ids.rank(), data.rank()),
                                                            {ids.raw(), ids.dtype(), ids.num_elements()}, segments,
                                                            output->raw(), ctx.parallel());
    if (bad == kernels::kAllInRange) return Status();
    return invalid_argument("segment_ids", index_text(ids.shape(), bad), " = ", ids.int_at(bad),
                            " is out of range [0, ", segments, ")");
  }

 private:
  const kernels::SegmentFn loop_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_unsorted_segment) {
  using kernels::Segment;
  const auto declare = [&](const char* name, const char* type, Segment reduction, std::vector<DType> types) {
    kernels
        .add(name, [reduction](KernelInit& init) { return std::make_unique<UnsortedSegmentKernel>(init, reduction); })
        .where("T", std::move(types));
    return ops.op(name)
        .input("data: T")
        .input("segment_ids: Tindices")
        .input("num_segments: Tnumsegments")
        .output("output: T")
        .attr(str_cat("T: ", type))
        .attr("Tindices: {int32, int64}")
        .attr("Tnumsegments: {int32, int64} = DT_INT32")
        .shape(unsorted_segment_shape);
  };
  declare("UnsortedSegmentSum", "numbertype", Segment::kSum, any_of({kNumbers}))
      .endpoint("math.unsorted_segment_sum")
      .endpoint("unsorted_segment_sum")
      .doc(
          "Sums the rows of `data` with equal ids: row i of `output` is the sum of the rows whose id is i, or 0 if "
          "there are none. The shape of `data` begins with the shape of `segment_ids`. Rows with negative ids are "
          "dropped.");
  declare("UnsortedSegmentProd", "numbertype", Segment::kProd, any_of({kNumbers}))
      .endpoint("math.unsorted_segment_prod")
      .endpoint("unsorted_segment_prod")
      .doc(
          "Multiplies the rows of `data` with equal ids: row i of `output` is the product of the rows whose id is i, "
          "or 1 if there are none. It treats `segment_ids` as UnsortedSegmentSum does.");
  declare("UnsortedSegmentMax", "realnumbertype", Segment::kMax, any_of({kReals}))
      .endpoint("math.unsorted_segment_max")
      .endpoint("unsorted_segment_max")
      .doc(
          "Computes the maximum of the rows of `data` with equal ids: row i of `output` is the maximum of the rows "
          "whose id is i, or the lowest value of the type if there are none. It treats `segment_ids` as "
          "UnsortedSegmentSum does.");
  declare("UnsortedSegmentMin", "realnumbertype", Segment::kMin, any_of({kReals}))
      .endpoint("math.unsorted_segment_min")
      .endpoint("unsorted_segment_min")
      .doc(
          "Computes the minimum of the rows of `data` with equal ids: row i of `output` is the minimum of the rows "
          "whose id is i, or the highest value of the type if there are none. It treats `segment_ids` as "
          "UnsortedSegmentSum does.");
}
