#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"

namespace tinytf::ops {
namespace {

/// Kernel of ConcatV2, whose axis is the last input, and of Concat, whose axis is the first.
class ConcatKernel final : public Kernel {
 public:
  ConcatKernel(KernelInit& init, bool axis_first)
      : count_(static_cast<int>(init.attr<int64_t>("N"))), first_(axis_first ? 1 : 0), axis_(axis_first ? 0 : count_) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& axis_input = ctx.input(axis_);
    if (axis_input.rank() != 0) {
      return invalid_argument(first_ == 0 ? "axis" : "concat_dim", " tensor should be a scalar integer, but got shape ",
                              axis_input.shape().to_string());
    }
    const Shape& first = ctx.input(first_).shape();
    const int rank = first.rank();
    int64_t axis = axis_input.int_at(0);
    if (axis < -rank || axis >= rank) {
      return invalid_argument("ConcatOp : Expected concatenating dimensions in the range [", -rank, ", ", rank,
                              "), but got ", axis);
    }
    if (axis < 0) axis += rank;
    const auto d = static_cast<int>(axis);
    const int64_t outer = first.product(0, d), rest = first.product(d + 1, rank);
    PieceSizes inner;
    Size total = 0;
    int filled = 0, last_filled = 0;
    for (int i = 0; i < count_; ++i) {
      const Shape& shape = ctx.input(first_ + i).shape();
      if (i > 0) TINYTF_RETURN_IF_ERROR(check(first, shape, d, i));
      total += shape.dim(d);
      inner.push_back(shape.dim(d) * rest);
      if (shape.dim(d) > 0) {
        ++filled;
        last_filled = i;
      }
    }
    Shape shape = first;
    shape.set_dim(d, total.value());
    if (filled == 1) {
      ctx.set_output(0, ctx.input(first_ + last_filled));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (shape.num_elements() > 0) concat_inputs(ctx, first_, inner, outer, *out);
    return Status();
  }

 private:
  static Status check(const Shape& first, const Shape& other, int axis, int i) {
    if (other.rank() != first.rank()) {
      return invalid_argument("ConcatOp : Ranks of all input tensors should match: shape[0] = ", first.to_string(),
                              " vs. shape[", i, "] = ", other.to_string());
    }
    for (int d = 0; d < first.rank(); ++d) {
      if (d != axis && other.dim(d) != first.dim(d)) {
        return invalid_argument("ConcatOp : Dimensions of inputs should match: shape[0] = ", first.to_string(),
                                " vs. shape[", i, "] = ", other.to_string());
      }
    }
    return Status();
  }

  const int count_, first_, axis_;
};

Status concat_shape(ShapeContext& c, int first, int axis_input) {
  const int count = c.num_inputs() - 1;
  TINYTF_RETURN_IF_ERROR(c.with_rank(axis_input, 0));
  int rank = -1;
  for (int i = 0; i < count && rank < 0; ++i) {
    if (c.input(first + i).known_rank()) rank = c.input(first + i).rank();
  }
  if (rank < 0) return Status();
  if (rank == 0) return invalid_argument("Can't concatenate scalars (use tf.stack instead)");
  for (int i = 0; i < count; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(first + i, rank));
  const Tensor* axis_value = c.input_tensor(axis_input);
  if (axis_value == nullptr) {
    c.set_output(0, PartialShape::unknown_of_rank(rank));
    return Status();
  }
  const int64_t given = axis_value->int_at(0);
  if (given < -rank || given >= rank) {
    const auto magnitude = static_cast<uint64_t>(given);
    return invalid_argument("Shape must be at least rank ", given < 0 ? 0 - magnitude : magnitude + 1, " but is rank ",
                            rank);
  }
  const auto axis = static_cast<int>(given < 0 ? given + rank : given);
  PartialShape before, after;
  Size total = 0;
  bool known = true;
  for (int i = count - 1; i >= 0; --i) {  // in reverse order as in TensorFlow, so that messages name the first mismatch
    PartialShape shape;
    TINYTF_RETURN_IF_ERROR(c.with_rank(first + i, rank, &shape));
    const int64_t size = shape.dim(axis);
    known &= size >= 0;
    total += size;
    TINYTF_ASSIGN_OR_RETURN(before, shape.slice(0, axis).merge(before));
    TINYTF_ASSIGN_OR_RETURN(after, shape.slice(axis + 1).merge(after));
  }
  before.add_dim(known ? total.value() : kUnknownDim);
  c.set_output(0, before.concatenate(after));
  return Status();
}

Status concat_v1_shape(ShapeContext& c) { return concat_shape(c, 1, 0); }
Status concat_v2_shape(ShapeContext& c) { return concat_shape(c, 0, c.num_inputs() - 1); }

class ConcatOffsetKernel final : public Kernel {
 public:
  explicit ConcatOffsetKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& axis_input = ctx.input(0);
    const Tensor& first = ctx.input(1);
    if (axis_input.rank() != 0) {
      return invalid_argument("Concat dim tensor should be a scalar integer, but got shape ",
                              axis_input.shape().to_string());
    }
    if (first.rank() != 1)
      return invalid_argument("input 1 should be a vector, but got shape ", first.shape().to_string());
    const int64_t rank = first.dim(0);
    int64_t axis = *axis_input.data<int32_t>();
    if (axis < -rank || axis >= rank) return invalid_argument("Concat dim is out of range: ", axis, " vs. ", rank);
    if (axis < 0) axis += rank;
    Size offset = 0;
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      const Tensor& shape = ctx.input(1 + i);
      if (shape.rank() != 1 || shape.dim(0) != rank) {
        return invalid_argument("input ", i, " should contain ", rank, " elements, but got shape ",
                                shape.shape().to_string());
      }
      TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, shape.shape()));
      for (int64_t d = 0; d < rank; ++d) {
        if (d != axis && shape.data<int32_t>()[d] != first.data<int32_t>()[d]) {
          return invalid_argument("All dimensions except ", axis, " must match. Input ", i, " has shape ", text(shape),
                                  " and doesn't match input 0 with shape ", text(first), ".");
        }
        out->data<int32_t>()[d] = d == axis ? static_cast<int32_t>(offset.value()) : 0;
      }
      offset += shape.data<int32_t>()[axis];
      if (i + 1 < ctx.num_outputs() && !offset.within(INT32_MIN, INT32_MAX)) {
        return invalid_argument("Offset ", to_string(offset), " of input ", i + 1, " is out of range for an int32");
      }
    }
    return Status();
  }

 private:
  static std::string text(const Tensor& shape) {
    std::string text = "[";
    for (int64_t d = 0; d < shape.dim(0); ++d) text += str_cat(d > 0 ? " " : "", shape.int_at(d));
    return text + "]";
  }
};

PartialShape concat_v2_entries(ShapeContext& c) {
  PartialShape entries = PartialShape::scalar();
  for (int i = 0; i + 1 < c.num_inputs(); ++i) entries = entries.concatenate(c.input_as_shape(i));
  return entries;
}

Status concat_offset_shape(ShapeContext& c) {
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, c.input(1 + i));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_concat) {
  using namespace tinytf::ops;
  ops.op("ConcatV2")
      .input("values: N * T")
      .input("axis: Tidx")
      .output("output: T")
      .attr("N: int >= 2")
      .attr("T: type")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .shape(concat_v2_shape)
      .entries(concat_v2_entries)
      .doc("Concatenates the N tensors in `values` along dimension `axis`. Their other dimensions must be equal.");
  kernels.add("ConcatV2", [](tinytf::KernelInit& init) { return std::make_unique<ConcatKernel>(init, false); });

  ops.op("Concat")
      .input("concat_dim: int32")
      .input("values: N * T")
      .output("output: T")
      .attr("N: int >= 2")
      .attr("T: type")
      .shape(concat_v1_shape)
      .doc(
          "Concatenates the N tensors in `values` along dimension `concat_dim`. Older GraphDefs use it in place of "
          "ConcatV2.");
  kernels.add("Concat", [](tinytf::KernelInit& init) { return std::make_unique<ConcatKernel>(init, true); });

  ops.op("ConcatOffset")
      .input("concat_dim: int32")
      .input("shape: N * int32")
      .output("offset: N * int32")
      .attr("N: int >= 2")
      .shape(concat_offset_shape)
      .not_differentiable()
      .doc(
          "Computes the offset of each tensor within the concatenation along `concat_dim` of tensors with the shapes "
          "in `shape`.");
  kernels.add<ConcatOffsetKernel>("ConcatOffset");
}
