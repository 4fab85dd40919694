#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"
#include "ops/linalg/shared/einsum_equation.h"

namespace tinytf::ops {
namespace {

/// The sizes of all axes. There is one axis for each label, in order of first occurrence, and one for each ellipsis
/// dimension, counted from the last.
class Axes {
 public:
  /// The axis of a label, created if necessary.
  int of(char label, int in_ellipsis) {
    const std::string key{label, static_cast<char>(in_ellipsis)};
    for (size_t i = 0; i < keys_.size(); i += 2) {
      if (keys_.compare(i, 2, key) == 0) return static_cast<int>(i / 2);
    }
    keys_ += key;
    sizes_.push_back(kUnknownDim);
    return static_cast<int>(sizes_.size()) - 1;
  }
  int64_t& size(int axis) { return sizes_[axis]; }
  int64_t size(int axis) const { return sizes_[axis]; }

 private:
  std::string keys_;
  Dims sizes_;
};

using Order = InlinedVector<int, 8>;

/// A strided view of a tensor along the axes with more than one element. Strides are in elements.
struct View {
  const void* data = nullptr;
  Order axes;
  Dims strides;

  /// Stride along an axis, or 0 if the view does not have it.
  int64_t stride(int axis) const {
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] == axis) return strides[i];
    }
    return 0;
  }
  bool has(int axis) const { return stride(axis) != 0; }
  bool same_places(const View& other) const { return axes == other.axes && strides == other.strides; }
  void add(int axis, int64_t stride) {
    for (size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] == axis) {
        strides[i] += stride;  // a repeated label is the diagonal
        return;
      }
    }
    axes.push_back(axis);
    strides.push_back(stride);
  }
};

int64_t product(const Axes& axes, const Order& order) {
  int64_t n = 1;  // cannot overflow, because tensors with these axes exist
  for (const int axis : order) n *= axes.size(axis);
  return n;
}

Dims natural_strides(const Axes& axes, const Order& order) {
  Dims strides(order.size(), 1);
  for (size_t i = order.size(); i-- > 1;) strides[i - 1] = strides[i] * axes.size(order[i]);
  return strides;
}

View contiguous(const Axes& axes, const void* data, const Order& order) {
  return {data, order, natural_strides(axes, order)};
}

/// Stride of several axes merged into one, in this order: 0 for no axes, -1 if they cannot be merged.
int64_t joint_stride(const Axes& axes, const View& view, const Order& order) {
  if (order.empty()) return 0;
  for (size_t i = order.size(); i-- > 1;) {
    if (view.stride(order[i - 1]) != view.stride(order[i]) * axes.size(order[i])) return -1;
  }
  return view.stride(order.back());
}

/// Whether the elements are contiguous in this order of the axes.
bool stands_so(const Axes& axes, const View& view, const Order& order) {
  return order.empty() || joint_stride(axes, view, order) == 1;
}

Order joined(const Order& a, const Order& b) {
  Order all = a;
  for (const int axis : b) all.push_back(axis);
  return all;
}

class EinsumKernel final : public Kernel {
 public:
  explicit EinsumKernel(KernelInit& init)
      : dtype_(init.input_type(0)),
        sum_(kernels::table().reduce.loop(kernels::Reduction::kSum, dtype_)),
        multiply_(kernels::table().elementwise.binary_loop(kernels::Binary::kMul, dtype_)),
        gemm_(kernels::table().gemm.batched[static_cast<int>(dtype_)]) {
    auto equation =
        EinsumEquation::parse(init.attr<std::string>("equation"), static_cast<int>(init.node().inputs.size()));
    init.fail(equation.status());
    if (equation.ok()) equation_ = equation.take();
  }

  Status compute(KernelContext& ctx) override {
    Axes axes;
    TINYTF_ASSIGN_OR_RETURN(const int broadcast, measure(ctx, &axes));
    Shape shape;
    equation_.output.for_each_dim(equation_.output.named() + broadcast,
                                  [&](int, char label, int i) { shape.add_dim(axes.size(axes.of(label, i))); });
    const Tensor& first = ctx.input(0);
    if (equation_.count == 1 && first.num_elements() == shape.num_elements()) {
      const View from = view_of(&axes, equation_.inputs[0], nullptr, first.shape());
      const View to = view_of(&axes, equation_.output, nullptr, shape);
      // The element count excludes the diagonal of a larger tensor.
      if (from.same_places(to) && product(axes, to.axes) == first.num_elements()) {
        ctx.set_output(0, first.reshaped(std::move(shape)));
        return Status();
      }
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    const View to = view_of(&axes, equation_.output, out->raw(), shape);
    bool empty = false;
    for (int i = 0; i < equation_.count; ++i) empty |= ctx.input(i).num_elements() == 0;
    if (empty) {
      clear(ctx, *out);
      return Status();
    }
    View operands[2];
    Tensor sums[2];
    for (int i = 0; i < equation_.count; ++i) {
      operands[i] = view_of(&axes, equation_.inputs[i], ctx.input(i).raw(), ctx.input(i).shape());
    }
    for (int i = 0; i < equation_.count; ++i) {
      TINYTF_RETURN_IF_ERROR(sum_out(ctx, axes, to, operands[1 - i], &operands[i], &sums[i]));
    }
    return equation_.count == 1 ? move(ctx, axes, operands[0], to, *out) : multiply(ctx, axes, operands, to, *out);
  }

 private:
  static void clear(KernelContext& ctx, Tensor& out) {
    kernels::table().copy.fill(out.raw(), kZeroElement, dtype_size(out.dtype()), out.num_elements(), ctx.parallel());
  }

  /// Sets the sizes of the axes from the inputs and checks that they match. Returns the number of ellipsis dimensions.
  Result<int> measure(const KernelContext& ctx, Axes* axes) const {
    int broadcast = 0;
    for (int i = 0; i < equation_.count; ++i) {
      const Tensor& input = ctx.input(i);
      const Subscripts& subscripts = equation_.inputs[i];
      const int extra = input.rank() - subscripts.named();
      if (extra < 0 || (extra > 0 && !subscripts.has_ellipsis())) {
        return invalid_argument("Expected input ", i, " to have rank ", subscripts.has_ellipsis() ? "at least " : "",
                                subscripts.named(), " but got: ", input.rank());
      }
      broadcast = std::max(broadcast, extra);
      Status status;
      subscripts.for_each_dim(input.rank(), [&](int d, char label, int in_ellipsis) {
        int64_t& size = axes->size(axes->of(label, in_ellipsis));
        const bool broadcasts = label == Subscripts::kEllipsis;
        if (size < 0 || (broadcasts && size == 1)) {
          size = input.dim(d);
        } else if (input.dim(d) != size && !(broadcasts && input.dim(d) == 1) && status.ok()) {
          status = broadcasts ? invalid_argument("Invalid broadcasting dimensions: ", ctx.input(0).shape().to_string(),
                                                 " vs. ", input.shape().to_string())
                              : invalid_argument("Expected dimension ", size, " at axis ", d, " of the input shaped ",
                                                 input.shape().to_string(), " but got dimension ", input.dim(d));
        }
      });
      TINYTF_RETURN_IF_ERROR(status);
    }
    if (broadcast > 0 && !equation_.output.has_ellipsis()) {
      return invalid_argument("Output contains ", broadcast,
                              " broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts.");
    }
    return broadcast;
  }

  /// The view of a tensor; dimensions of size 1 are left out.
  static View view_of(Axes* axes, const Subscripts& subscripts, const void* data, const Shape& shape) {
    View view{data, {}, {}};
    Dims strides(static_cast<size_t>(shape.rank()), 1);
    for (int d = shape.rank() - 1; d > 0; --d) strides[d - 1] = strides[d] * shape.dim(d);
    subscripts.for_each_dim(shape.rank(), [&](int d, char label, int in_ellipsis) {
      if (shape.dim(d) > 1) view.add(axes->of(label, in_ellipsis), strides[d]);
    });
    return view;
  }

  /// Copies a view to another view with the same axes, which may be the diagonal of an output.
  static void copy(KernelContext& ctx, const Axes& axes, const View& from, const View& to, Tensor& target) {
    Dims dims, strides;
    for (const int axis : to.axes) {
      dims.push_back(axes.size(axis));
      strides.push_back(from.stride(axis));
    }
    kernels::table().copy.strided(from.data, target.raw(), dtype_size(target.dtype()), static_cast<int>(dims.size()),
                                  dims.data(), strides.data(), to.strides.data(), ctx.parallel());
  }

  /// Copies the result of an equation with one input to the output, with its axes permuted.
  static Status move(KernelContext& ctx, const Axes& axes, const View& from, const View& to, Tensor& out) {
    if (product(axes, to.axes) != out.num_elements()) clear(ctx, out);  // everything off the diagonal is zero
    copy(ctx, axes, from, to, out);
    return Status();
  }

  /// Makes the elements of the view contiguous in this order. If they are not yet, they are copied to `memory`.
  Status arrange(KernelContext& ctx, const Axes& axes, const Order& order, View* view, Tensor* memory) const {
    if (stands_so(axes, *view, order)) return Status();
    TINYTF_ASSIGN_OR_RETURN(Tensor copied, ctx.allocate(dtype_, Shape({product(axes, order)})));
    View to = contiguous(axes, copied.raw(), order);
    copy(ctx, axes, *view, to, copied);
    *view = std::move(to);
    *memory = std::move(copied);
    return Status();
  }

  /// Sums over the axes that are neither in the result nor in the other operand.
  Status sum_out(KernelContext& ctx, const Axes& axes, const View& to, const View& other, View* view,
                 Tensor* memory) const {
    Order kept, summed;
    uint32_t mask = 0;
    for (size_t i = 0; i < view->axes.size(); ++i) {
      const int axis = view->axes[i];
      const bool keep = to.has(axis) || other.has(axis);
      (keep ? kept : summed).push_back(axis);
      if (!keep && i < 32) mask |= uint32_t{1} << i;
    }
    if (summed.empty()) return Status();
    Tensor arranged;
    kernels::ReducePlan plan;
    const auto rank = static_cast<int>(view->axes.size());
    Dims dims;
    for (const int axis : view->axes) dims.push_back(axes.size(axis));
    if (rank <= 32 && kernels::make_reduce_plan(dims.data(), rank, mask, &plan)) {
      TINYTF_RETURN_IF_ERROR(arrange(ctx, axes, Order(view->axes), view, &arranged));
    } else {
      TINYTF_RETURN_IF_ERROR(arrange(ctx, axes, joined(kept, summed), view, &arranged));
      const int64_t halves[] = {product(axes, kept), product(axes, summed)};
      TINYTF_CHECK(kernels::make_reduce_plan(halves, 2, 0b10, &plan));
    }
    TINYTF_ASSIGN_OR_RETURN(*memory, ctx.allocate(dtype_, Shape({product(axes, kept)})));
    kernels::run_reduce(sum_, plan, view->data, memory->raw(), ctx.parallel());
    *view = contiguous(axes, memory->raw(), kept);
    return Status();
  }

  /// The axes of a product by role, in the order of the result; `left` and `right` are in one operand and the result,
  /// `contracted` in both operands only.
  struct Groups {
    Order batch, left, right, contracted;
  };
  static Groups group(const View& a, const View& b, const View& to) {
    Groups groups;
    for (const int axis : to.axes) {
      (a.has(axis) && b.has(axis) ? groups.batch : a.has(axis) ? groups.left : groups.right).push_back(axis);
    }
    for (const int axis : a.axes) {
      if (!to.has(axis)) groups.contracted.push_back(axis);
    }
    return groups;
  }

  Status multiply(KernelContext& ctx, const Axes& axes, const View (&operands)[2], const View& to, Tensor& out) const {
    Groups groups = group(operands[0], operands[1], to);
    // The product has the axes of the left operand first; if the result has the right ones first, the operands are
    // swapped.
    const bool swapped =
        !groups.right.empty() && !groups.left.empty() && to.stride(groups.right[0]) > to.stride(groups.left[0]);
    if (swapped) groups = group(operands[1], operands[0], to);
    View a = operands[swapped ? 1 : 0], b = operands[swapped ? 0 : 1];
    const Order order = joined(groups.batch, joined(groups.left, groups.right));
    const bool direct = stands_so(axes, to, order) && product(axes, order) == out.num_elements();
    Tensor scratch;
    if (!direct) {
      TINYTF_ASSIGN_OR_RETURN(scratch, ctx.allocate(dtype_, Shape({product(axes, order)})));
    }
    Tensor& result = direct ? out : scratch;
    TINYTF_RETURN_IF_ERROR(groups.contracted.empty() ? broadcast_product(ctx, axes, groups, a, b, result)
                                                     : matrix_product(ctx, axes, groups, a, b, result));
    return direct ? Status() : move(ctx, axes, contiguous(axes, result.raw(), order), to, out);
  }

  /// Computes the outer product [batch, left, 1] * [batch, 1, right].
  Status broadcast_product(KernelContext& ctx, const Axes& axes, const Groups& groups, View a, View b,
                           Tensor& result) const {
    Tensor arranged[2];
    TINYTF_RETURN_IF_ERROR(arrange(ctx, axes, joined(groups.batch, groups.left), &a, &arranged[0]));
    TINYTF_RETURN_IF_ERROR(arrange(ctx, axes, joined(groups.batch, groups.right), &b, &arranged[1]));
    const int64_t batch = product(axes, groups.batch);
    const int64_t left[] = {batch, product(axes, groups.left), 1}, right[] = {batch, 1, product(axes, groups.right)};
    const kernels::ShapeRef shapes[] = {{left, 3}, {right, 3}};
    kernels::BroadcastPlan plan;
    TINYTF_CHECK(kernels::make_broadcast_plan(shapes, 2, &plan) == kernels::BroadcastResult::kOk);
    kernels::run_binary(multiply_, plan, a.data, b.data, result.raw(), ctx.parallel());
    return Status();
  }

  /// An operand as matrices. It is copied to `memory` if its strides do not allow that.
  struct Matrices {
    kernels::MatrixOp op = kernels::MatrixOp::kNone;
    int64_t leading = 1;
    Tensor memory;
    Tensor offsets;  // int64 offset of each matrix of the batch
  };

  /// Views an operand as a batch of `rows` × `columns` matrices.
  Result<Matrices> matrices_of(KernelContext& ctx, const Axes& axes, const Order& batch, const Order& rows,
                               const Order& columns, View* view) const {
    Matrices found;
    const int64_t height = product(axes, rows), width = product(axes, columns);
    const int64_t down = joint_stride(axes, *view, rows), across = joint_stride(axes, *view, columns);
    const bool stored = (across == 1 || width == 1) && (height == 1 || down >= width);
    const bool transposed = (down == 1 || height == 1) && (width == 1 || across >= height);
    if (stored) {
      found.leading = height == 1 ? width : down;
    } else if (transposed) {
      found.op = kernels::MatrixOp::kTranspose;
      found.leading = width == 1 ? height : across;
    } else {
      TINYTF_RETURN_IF_ERROR(arrange(ctx, axes, joined(batch, joined(rows, columns)), view, &found.memory));
      found.leading = width;
    }
    const int64_t count = product(axes, batch);
    TINYTF_ASSIGN_OR_RETURN(found.offsets, ctx.allocate(DType::kInt64, Shape({count})));
    auto* offsets = found.offsets.data<int64_t>();
    offsets[0] = 0;
    int64_t filled = 1;  // grows by one axis at a time, beginning with the last
    for (size_t i = batch.size(); i-- > 0;) {
      const int64_t size = axes.size(batch[i]), stride = view->stride(batch[i]);
      for (int64_t k = filled; k < size * filled; ++k) offsets[k] = offsets[k % filled] + k / filled * stride;
      filled *= size;
    }
    return found;
  }

  Status matrix_product(KernelContext& ctx, const Axes& axes, const Groups& groups, View a, View b,
                        Tensor& result) const {
    TINYTF_ASSIGN_OR_RETURN(const Matrices left,
                            matrices_of(ctx, axes, groups.batch, groups.left, groups.contracted, &a));
    TINYTF_ASSIGN_OR_RETURN(const Matrices right,
                            matrices_of(ctx, axes, groups.batch, groups.contracted, groups.right, &b));
    kernels::GemmArgs args;
    args.m = product(axes, groups.left);
    args.n = product(axes, groups.right);
    args.k = product(axes, groups.contracted);
    args.a = a.data;
    args.lda = left.leading;
    args.op_a = left.op;
    args.b = b.data;
    args.ldb = right.leading;
    args.op_b = right.op;
    args.c = result.raw();
    args.ldc = args.n;
    const int64_t count = product(axes, groups.batch);
    gemm_(args, {count, left.offsets.data<int64_t>(), right.offsets.data<int64_t>(), args.m * args.n}, ctx.parallel());
    return Status();
  }

  const DType dtype_;
  const kernels::ReduceLoop sum_;
  const kernels::BinaryLoop multiply_;
  const kernels::GemmTable::Batched gemm_;
  EinsumEquation equation_;
};

Status einsum_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const EinsumEquation equation,
                          EinsumEquation::parse(c.attr<std::string>("equation"), c.num_inputs()));
  Axes axes;
  PartialShape broadcast = PartialShape::scalar();
  for (int i = 0; i < equation.count; ++i) {
    const Subscripts& subscripts = equation.inputs[i];
    const PartialShape& input = c.input(i);
    if (!input.known_rank()) {
      if (subscripts.has_ellipsis()) broadcast = PartialShape();
      continue;
    }
    TINYTF_RETURN_IF_ERROR(subscripts.has_ellipsis() ? c.with_rank_at_least(i, subscripts.named())
                                                     : c.with_rank(i, subscripts.named()));
    PartialShape own = PartialShape::scalar();
    Status status;
    subscripts.for_each_dim(input.rank(), [&](int d, char label, int) {
      if (label == Subscripts::kEllipsis) {
        own.add_dim(input.dim(d));
        return;
      }
      int64_t& size = axes.size(axes.of(label, 0));
      auto merged = merge_dims(size, input.dim(d));
      if (merged.ok()) {
        size = merged.take();
      } else if (status.ok()) {
        status = merged.status();
      }
    });
    TINYTF_RETURN_IF_ERROR(status);
    TINYTF_ASSIGN_OR_RETURN(broadcast, shapes::broadcast(broadcast, own));
  }
  PartialShape out = PartialShape::scalar();
  for (const char label : equation.output.labels) {
    out = out.concatenate(label == Subscripts::kEllipsis ? broadcast
                                                         : PartialShape::vector(axes.size(axes.of(label, 0))));
  }
  if (!equation.output.has_ellipsis() && broadcast.rank() > 0) {
    return invalid_argument("Shape must be at most rank 0 but is rank ", broadcast.rank());
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(linalg_einsum) {
  using namespace tinytf::ops;
  ops.op("Einsum")
      .input("inputs: N * T")
      .output("output: T")
      .attr("equation: string")
      .attr("N: int >= 1")
      .attr("T: type")
      .shape(einsum_shape)
      .doc(
          "Computes the Einstein summation `equation` over one or two tensors, for example \"...ab,bc->...ac\". "
          "Dimensions with the same label must be equal, dimensions whose label is not in the output are summed over, "
          "and the dimensions of `...` are broadcast. A label that occurs twice in one tensor selects its diagonal.");
  kernels.add<EinsumKernel>("Einsum").where("T", any_of({kAllFloats, kComplexes, kInts32And64}));
}
