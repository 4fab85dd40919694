#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"

namespace tinytf::ops {
namespace {

Result<int> split_axis(const Tensor& input, int rank) {
  if (input.num_elements() != 1) return invalid_argument("split_dim_tensor must have exactly one element.");
  const int64_t axis = input.int_at(0);
  if (axis < -rank || axis >= rank) {
    return invalid_argument("-input rank(-", rank, ") <= split_dim < input rank (", rank, "), but got ", axis);
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

/// The axis during graph construction, where only a scalar is accepted.
Result<int> split_axis_in_graph(const Tensor& input, int rank) {
  if (input.rank() != 0) return invalid_argument("Input must be scalar but has rank ", input.rank());
  return split_axis(input, rank);
}

/// Splits `value` along `axis` into outputs of the given sizes, which must add up to the size of the axis.
Status split(KernelContext& ctx, const Tensor& value, int axis, const PieceSizes& sizes) {
  const int64_t rest = value.shape().product(axis + 1, value.rank());
  PieceSizes inner;
  for (int64_t size : sizes) inner.push_back(size * rest);
  return split_outputs(ctx, value, inner, value.shape().product(0, axis), [&](int i) {
    Shape shape = value.shape();
    shape.set_dim(axis, sizes[i]);
    return shape;
  });
}

class SplitKernel final : public Kernel {
 public:
  explicit SplitKernel(KernelInit& init) : count_(init.attr<int64_t>("num_split")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(1);
    if (ctx.input(0).rank() != 0) {
      return invalid_argument("split_dim must be a scalar but has rank ", ctx.input(0).rank());
    }
    TINYTF_ASSIGN_OR_RETURN(const int axis, split_axis(ctx.input(0), value.rank()));
    if (value.dim(axis) % count_ != 0) {
      return invalid_argument("Number of ways to split should evenly divide the split dimension, but got split_dim ",
                              axis, " (size = ", value.dim(axis), ") and num_split ", count_);
    }
    return split(ctx, value, axis, PieceSizes(static_cast<size_t>(count_), value.dim(axis) / count_));
  }

 private:
  const int64_t count_;
};

Status split_shape(ShapeContext& c) {
  const PartialShape& input = c.input(1);
  const Tensor* axis_value = c.input_tensor(0);
  PartialShape out;
  if (input.known_rank() && axis_value == nullptr) out = PartialShape::unknown_of_rank(input.rank());
  if (input.known_rank() && axis_value != nullptr) {
    TINYTF_ASSIGN_OR_RETURN(const int axis, split_axis_in_graph(*axis_value, input.rank()));
    out = input;
    const int64_t size = input.dim(axis), n = c.num_outputs();
    if (size >= 0 && size % n != 0) {
      return invalid_argument("Number of ways to split should evenly divide the split dimension, but got split_dim ",
                              axis, " (size = ", size, ") and num_split ", n);
    }
    if (size >= 0) out.set_dim(axis, size / n);
  }
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, out);
  return Status();
}

class SplitVKernel final : public Kernel {
 public:
  explicit SplitVKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(0);
    const Tensor& given = ctx.input(1);
    const int n = ctx.num_outputs();
    TINYTF_ASSIGN_OR_RETURN(const int axis, split_axis(ctx.input(2), value.rank()));
    if (given.rank() != 1 || given.dim(0) != n) {
      return invalid_argument("size_splits must be a 1-D tensor of ", n, " elements, but got shape ",
                              given.shape().to_string());
    }
    PieceSizes sizes;
    int open = -1;
    Size total = 0;
    for (int i = 0; i < n; ++i) {
      const int64_t size = given.int_at(i);
      if (size == -1) {
        if (open >= 0) {
          return invalid_argument("Only one dimensions can have a value of -1. Second one found at dimension ", i);
        }
        open = i;
      } else if (size < 0) {
        return invalid_argument("Split size at index ", i, " must be >= 0. Got: ", size);
      } else {
        total += size;
      }
      sizes.push_back(size);
    }
    const int64_t available = value.dim(axis);
    if (!total.within(open >= 0 ? 0 : available, available)) {
      return invalid_argument(
          "Determined shape must either match input shape along split_dim exactly if fully "
          "specified, or be less than the size of the input along split_dim if not fully "
          "specified.  Got: ",
          to_string(total));
    }
    if (open >= 0) sizes[open] = available - total.value();
    return split(ctx, value, axis, sizes);
  }
};

Status split_v_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  const Tensor* sizes = c.input_tensor(1);
  const Tensor* axis_value = c.input_tensor(2);
  const int n = c.num_outputs();
  if (axis_value == nullptr) {
    for (int i = 0; i < n; ++i) c.set_output(i, n == 1 ? input : PartialShape::unknown_of_rank(input.rank()));
    return Status();
  }
  TINYTF_ASSIGN_OR_RETURN(const int axis, split_axis_in_graph(*axis_value, input.rank()));
  if (sizes != nullptr && sizes->num_elements() != n) {
    return invalid_argument("Length of size_splits should be equal to num_outputs");
  }
  Size total = 0;
  int open = 0;
  for (int i = 0; sizes != nullptr && i < n; ++i) {
    if (sizes->int_at(i) < 0) {
      if (++open > 1) return invalid_argument("size_splits can only have one -1");
    } else {
      total += sizes->int_at(i);
    }
  }
  const int64_t available = input.dim(axis);
  if (sizes != nullptr && available >= 0 && !total.within(open == 0 ? available : 0, available)) {
    return invalid_argument("can't split axis of size ", available, " into pieces of size [",
                            str_join(PieceSizes(sizes->num_elements(), 0), ",",
                                     [i = 0, sizes](int64_t) mutable { return str_cat(sizes->int_at(i++)); }),
                            "]");
  }
  for (int i = 0; i < n; ++i) {
    PartialShape out = input;
    int64_t size = n == 1 ? available : kUnknownDim;
    if (sizes != nullptr) {
      size = sizes->int_at(i);
      if (size < 0) size = available >= 0 && open == 1 ? available - total.value() : kUnknownDim;
    }
    out.set_dim(axis, size);
    c.set_output(i, std::move(out));
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_split) {
  using namespace tinytf::ops;
  ops.op("Split")
      .input("split_dim: int32")
      .parameter("split_dim", "axis")
      .input("value: T")
      .output("output: num_split * T")
      .attr("num_split: int >= 1")
      .attr("T: type")
      .shape(split_shape)
      .doc("Splits `value` into `num_split` equal pieces along dimension `split_dim`.");
  kernels.add<SplitKernel>("Split");

  ops.op("SplitV")
      .input("value: T")
      .input("size_splits: Tlen")
      .input("split_dim: int32")
      .parameter("split_dim", "axis")
      .output("output: num_split * T")
      .attr("num_split: int >= 1")
      .attr("T: type")
      .attr("Tlen: {int32, int64} = DT_INT64")
      .shape(split_v_shape)
      .doc(
          "Splits `value` along dimension `split_dim` into pieces of the sizes `size_splits`. One size may be -1; it "
          "takes the rest.");
  kernels.add<SplitVKernel>("SplitV");
}
