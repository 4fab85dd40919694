#include <algorithm>

#include "op/registration.h"
#include "ops/array/shared/element_moves.h"

namespace tinytf::ops {
namespace {

class ReverseKernel final : public Kernel {
 public:
  explicit ReverseKernel(KernelInit&) : reverse_(kernels::table().copy.reverse) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& axes = ctx.input(1);
    if (axes.rank() != 1) return invalid_argument("'dims' must be 1-dimension, not ", axes.rank());
    const int rank = input.rank();
    InlinedVector<bool, 8> reversed(rank, false);
    bool any = false;
    for (int64_t i = 0; i < axes.num_elements(); ++i) {
      const int64_t given = axes.int_at(i), axis = given < 0 ? given + rank : given;
      if (axis < 0 || axis >= rank) {
        return invalid_argument("'axis'[", i, "] = ", given, " is out of valid range [0, ", rank - 1);
      }
      if (reversed[axis]) return invalid_argument("axis ", axis, " specified more than once.");
      reversed[axis] = true;
      any |= input.dim(static_cast<int>(axis)) > 1;
    }
    if (!any || input.num_elements() == 0) {
      ctx.set_output(0, input);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      reverse_(src, dst, bytes, rank, input.shape().dims().data(), reversed.data(), ctx.parallel());
    });
  }

 private:
  decltype(kernels::CopyTable::reverse) const reverse_;
};

Status reverse_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  const PartialShape& input = c.input(0);
  if (const Tensor* axes = c.input_tensor(1); axes != nullptr && input.known_rank()) {
    InlinedVector<bool, 8> seen(input.rank(), false);
    for (int64_t i = 0; i < axes->num_elements(); ++i) {
      const int64_t given = axes->int_at(i), axis = given < 0 ? given + input.rank() : given;
      if (axis < 0 || axis >= input.rank()) {
        return invalid_argument("'axis'[", i, "] = ", given, " is out of valid range [0, ", input.rank() - 1, "]");
      }
      if (seen[axis]) return invalid_argument("axis ", axis, " specified more than once.");
      seen[axis] = true;
    }
  }
  c.set_output(0, input);
  return Status();
}

class ReverseSequenceKernel final : public Kernel {
 public:
  explicit ReverseSequenceKernel(KernelInit& init)
      : seq_dim_(init.int32_attr("seq_dim")),
        batch_dim_(init.int32_attr("batch_dim")),
        strided_(kernels::table().copy.strided) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& lengths = ctx.input(1);
    const int rank = input.rank();
    if (batch_dim_ == seq_dim_) return invalid_argument("batch_dim == seq_dim == ", seq_dim_);
    if (seq_dim_ < 0 || seq_dim_ >= rank)
      return invalid_argument("seq_dim must be < input rank", " ( ", seq_dim_, " vs. ", rank, ")");
    if (batch_dim_ < 0 || batch_dim_ >= rank) {
      return invalid_argument("batch_dim must be < input rank", " ( ", batch_dim_, " vs. ", rank, ")");
    }
    const int64_t batch = input.dim(batch_dim_), steps = input.dim(seq_dim_);
    if (lengths.rank() != 1) return invalid_argument("seq_lens input must be 1-dim, not ", lengths.rank());
    if (lengths.dim(0) != batch) {
      return invalid_argument("Length of seq_lens != input.dims(", batch_dim_, "), (", lengths.dim(0), " vs. ", batch,
                              ")");
    }
    for (int64_t b = 0; b < batch; ++b) {
      if (lengths.int_at(b) < 0) return invalid_argument("seq_lens(", b, ") < 0");
      if (lengths.int_at(b) > steps) return invalid_argument("seq_lens(", b, ") > input.dims(", seq_dim_, ")");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    if (out->num_elements() == 0) return Status();
    Dims strides(static_cast<size_t>(rank), 1);
    for (int d = rank - 2; d >= 0; --d) strides[d] = strides[d + 1] * input.dim(d + 1);
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      Dims dims = input.shape().dims(), backward = strides;
      dims[batch_dim_] = 1;
      backward[seq_dim_] = -strides[seq_dim_];
      const auto element = static_cast<int64_t>(bytes);
      const auto copy_sequence = [&](int64_t b) {
        // Clamped again, because the memory of a fed value may be changed concurrently.
        const int64_t length = std::clamp<int64_t>(lengths.int_at(b), 0, steps), at = b * strides[batch_dim_];
        const auto* from = static_cast<const char*>(src);
        auto* to = static_cast<char*>(dst);
        if (length > 0) {
          dims[seq_dim_] = length;
          strided_(from + (at + (length - 1) * strides[seq_dim_]) * element, to + at * element, bytes, rank,
                   dims.data(), backward.data(), strides.data(), ctx.parallel());
        }
        if (length < steps) {
          dims[seq_dim_] = steps - length;
          const int64_t tail = (at + length * strides[seq_dim_]) * element;
          strided_(from + tail, to + tail, bytes, rank, dims.data(), strides.data(), strides.data(), ctx.parallel());
        }
      };
      // The copies are of moderate size, and run in order.
      const double elements = static_cast<double>(input.num_elements()) / static_cast<double>(batch);
      ctx.parallel().run_in_order(batch, kMoveCost * elements, [&](int64_t b, int64_t end) {
        for (; b < end; ++b) copy_sequence(b);
      });
    });
  }

 private:
  const int seq_dim_, batch_dim_;
  decltype(kernels::CopyTable::strided) const strided_;
};

Status reverse_sequence_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  PartialShape lengths;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &lengths));
  if (input.known_rank()) {
    TINYTF_ASSIGN_OR_RETURN(int batch_dim, c.int32_attr("batch_dim"));
    TINYTF_ASSIGN_OR_RETURN(const int seq_dim, c.int32_attr("seq_dim"));
    // As in TensorFlow, it leaves it to the kernel to reject negative dimensions.
    if (batch_dim < -input.rank() || batch_dim >= input.rank()) {
      return invalid_argument("batch_dim must be < input rank: ", batch_dim, " vs. ", input.rank());
    }
    if (seq_dim >= input.rank()) {
      return invalid_argument("seq_dim must be < input rank: ", seq_dim, " vs. ", input.rank());
    }
    PartialShape out = input;
    if (batch_dim < 0) batch_dim += input.rank();
    TINYTF_ASSIGN_OR_RETURN(const int64_t batch, merge_dims(input.dim(batch_dim), lengths.dim(0)));
    out.set_dim(batch_dim, batch);
    c.set_output(0, std::move(out));
  }
  return Status();
}

class RollKernel final : public Kernel {
 public:
  explicit RollKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& shift = ctx.input(1);
    const Tensor& axis = ctx.input(2);
    const int rank = input.rank();
    if (rank < 1) return invalid_argument("input must be 1-D or higher");
    if (shift.rank() > 1) {
      return invalid_argument("shift must be a scalar or a 1-D vector. Found: ", shift.shape().to_string());
    }
    if (axis.rank() > 1) {
      return invalid_argument("axis must be a scalar or a 1-D vector. Found: ", axis.shape().to_string());
    }
    if (shift.shape() != axis.shape()) return invalid_argument("shift and axis must have the same size");
    Dims shifts(static_cast<size_t>(rank), 0);
    for (int64_t i = 0; i < axis.num_elements(); ++i) {
      const int64_t given = axis.int_at(i), d = given < 0 ? given + rank : given;
      if (d < 0 || d >= rank) return invalid_argument("axis ", given, " is out of range");
      const int64_t size = std::max<int64_t>(input.dim(static_cast<int>(d)), 1);
      shifts[d] = ((shifts[d] + shift.int_at(i) % size) % size + size) % size;
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    if (out->num_elements() == 0) return Status();
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      kernels::table().copy.roll(src, dst, bytes, rank, input.shape().dims().data(), shifts.data(), ctx.parallel());
    });
  }
};

Status roll_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(1, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(2, 1));
  TINYTF_RETURN_IF_ERROR(c.input(1).merge(c.input(2)).status());
  c.set_output(0, c.input(0));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_reverse) {
  using namespace tinytf::ops;
  ops.op("ReverseV2")
      .input("tensor: T")
      .input("axis: Tidx")
      .output("output: T")
      .attr("Tidx: {int32, int64} = DT_INT32")
      .attr(
          "T: {uint8, int8, uint16, int16, int32, int64, bool, bfloat16, half, float, double, complex64, complex128, "
          "string}")
      .shape(reverse_shape)
      .endpoint("reverse")
      .endpoint("manip.reverse")
      .endpoint("reverse_v2")
      .doc("Reverses the order of the elements of `tensor` along each dimension in `axis`.");
  kernels.add<ReverseKernel>("ReverseV2");

  ops.op("ReverseSequence")
      .input("input: T")
      .input("seq_lengths: Tlen")
      .output("output: T")
      .attr("seq_dim: int")
      .attr("batch_dim: int = 0")
      .attr("T: type")
      .attr("Tlen: {int32, int64} = DT_INT64")
      .shape(reverse_sequence_shape)
      .doc(
          "For each index b along `batch_dim`, reverses the first `seq_lengths[b]` elements along `seq_dim` and copies "
          "the others.");
  kernels.add<ReverseSequenceKernel>("ReverseSequence");

  ops.op("Roll")
      .input("input: T")
      .input("shift: Tshift")
      .input("axis: Taxis")
      .output("output: T")
      .attr("T: type")
      .attr("Tshift: {int32, int64}")
      .attr("Taxis: {int32, int64}")
      .shape(roll_shape)
      .endpoint("roll")
      .endpoint("manip.roll")
      .doc(
          "Rolls the elements of `input` by `shift` positions along `axis`; elements moved beyond the end reappear at "
          "the beginning. `shift` and `axis` may be vectors of equal length.");
  kernels.add<RollKernel>("Roll");
}
