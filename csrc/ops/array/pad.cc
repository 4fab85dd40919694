#include "base/checked.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/paddings.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

/// Kernel of Pad, and of PadV2, whose input 2 is the padding value.
class PadKernel final : public Kernel {
 public:
  explicit PadKernel(KernelInit&) : pad_(kernels::table().copy.pad) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const bool has_value = ctx.num_inputs() > 2;
    Paddings p;
    TINYTF_RETURN_IF_ERROR(p.read(ctx.input(1), input.shape(), /*mirrors=*/false));
    if (has_value && ctx.input(2).rank() != 0) {
      return invalid_argument("Constant value must be a scalar. Found: ", ctx.input(2).shape().to_string());
    }
    if (p.none) {
      ctx.set_output(0, input);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, p.padded(input.shape())));
    const bool objects = dtype_size(input.dtype()) == 0;
    ctx.parallel().run(objects && has_value ? out->num_elements() : 0, 1, kObjectCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) copy_elements(ctx.input(2), 0, *out, i, 1);
    });
    constexpr int64_t kKeep = -1;
    const void* value = objects ? static_cast<const void*>(&kKeep) : has_value ? ctx.input(2).raw() : kZeroElement;
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      pad_(src, dst, bytes, input.rank(), input.shape().dims().data(), p.before.data(), p.after.data(), value,
           ctx.parallel());
    });
  }

 private:
  decltype(kernels::CopyTable::pad) const pad_;
};

/// Fails if a known padding is negative.
Status check_paddings(const Tensor* paddings) {
  for (int64_t i = 0; paddings != nullptr && i < paddings->num_elements(); ++i) {
    if (paddings->int_at(i) < 0) return invalid_argument("Paddings must be non-negative");
  }
  return Status();
}

/// Adds the paddings to the shape, or with `sign` -1 subtracts them, which gives the shape of the gradient.
Status padded_shape(ShapeContext& c, int sign) {
  const PartialShape& input = c.input(0);
  PartialShape table;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 2, &table));
  if (sign < 0 && table.dim(0) < 0) return Status();  // TensorFlow infers nothing for the gradient then.
  if (table.dim(1) >= 0 && table.dim(1) != 2) return invalid_argument("Dimension must be 2 but is ", table.dim(1));
  int64_t rank = input.rank();
  if (table.dim(0) >= 0) {
    if (rank >= 0 && rank != table.dim(0)) {
      return invalid_argument("Shape must be rank ", table.dim(0), " but is rank ", rank);
    }
    rank = table.dim(0);
  }
  if (rank < 0) return Status();
  const Tensor* paddings = c.input_tensor(1);
  TINYTF_RETURN_IF_ERROR(check_paddings(paddings));
  PartialShape out = PartialShape::unknown_of_rank(rank);
  if (paddings != nullptr && input.known_rank()) {
    for (int d = 0; d < input.rank(); ++d) {
      const int64_t b = paddings->int_at(2 * d), a = paddings->int_at(2 * d + 1);
      if (input.dim(d) < 0) continue;
      const Size margin = Size(b) + a, size = sign > 0 ? margin + input.dim(d) : Size(input.dim(d)) - margin;
      if (sign < 0 && size.value() < 0) return invalid_argument("output has negative dimension");
      out.set_dim(d, size.value());
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

Status pad_shape(ShapeContext& c) { return padded_shape(c, 1); }
Status mirror_pad_grad_shape(ShapeContext& c) { return padded_shape(c, -1); }

class MirrorPadKernel final : public Kernel {
 public:
  explicit MirrorPadKernel(KernelInit& init) : skip_(mirror_skip(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    Paddings p;
    TINYTF_RETURN_IF_ERROR(p.read(ctx.input(1), input.shape(), /*mirrors=*/true));
    if (p.none) {
      ctx.set_output(0, input);
      return Status();
    }
    const Dims& dims = input.shape().dims();
    TINYTF_RETURN_IF_ERROR(check_mirror(p, dims, skip_));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, p.padded(input.shape())));
    if (out->num_elements() == 0) return Status();
    return move_elements(ctx, input, *out, [&](const void* src, void* dst, size_t bytes) {
      kernels::table().copy.mirror_pad(src, dst, bytes, input.rank(), dims.data(), p.before.data(), p.after.data(),
                                       skip_, ctx.parallel());
    });
  }

 private:
  const int skip_;
};

class MirrorPadGradKernel final : public Kernel {
 public:
  explicit MirrorPadGradKernel(KernelInit& init)
      : skip_(mirror_skip(init)),
        loop_(kernels::table().gather.mirror_pad_grad[static_cast<int>(init.output_type(0))]) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& gradient = ctx.input(0);
    Paddings p;
    TINYTF_RETURN_IF_ERROR(p.read(ctx.input(1), gradient.shape(), /*mirrors=*/true));
    if (p.none) {
      ctx.set_output(0, gradient);
      return Status();
    }
    Dims dims = gradient.shape().dims();
    for (size_t d = 0; d < dims.size(); ++d) dims[d] = (Size(dims[d]) - p.before[d] - p.after[d]).value();
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    TINYTF_RETURN_IF_ERROR(check_mirror(p, dims, skip_));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    kernels::table().copy.fill(out->raw(), kZeroElement, dtype_size(out->dtype()), out->num_elements(), ctx.parallel());
    loop_(gradient.raw(), out->raw(), shape.rank(), dims.data(), p.before.data(), p.after.data(), skip_,
          ctx.parallel());
    return Status();
  }

 private:
  const int skip_;
  const kernels::MirrorPadGradFn loop_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_pad) {
  using namespace tinytf::ops;
  ops.op("Pad")
      .input("input: T")
      .input("paddings: Tpaddings")
      .output("output: T")
      .attr("T: type")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .shape(pad_shape)
      .doc("Pads `input` with zeros: `paddings[d, 0]` before and `paddings[d, 1]` after it in each dimension d.");
  kernels.add<PadKernel>("Pad");

  ops.op("PadV2")
      .input("input: T")
      .input("paddings: Tpaddings")
      .input("constant_values: T")
      .output("output: T")
      .attr("T: type")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .shape(pad_shape)
      .doc(
          "Pads `input` with the scalar `constant_values`: `paddings[d, 0]` elements before and `paddings[d, 1]` after "
          "it in each dimension d.");
  kernels.add<PadKernel>("PadV2");

  ops.op("MirrorPad")
      .input("input: T")
      .input("paddings: Tpaddings")
      .output("output: T")
      .attr("T: type")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}")
      .shape(pad_shape)
      .doc(
          "Pads `input` with its mirror image: `paddings[d, 0]` elements before and `paddings[d, 1]` after it in each "
          "dimension d. With `mode` REFLECT the border elements are not repeated, with SYMMETRIC they are.");
  kernels.add<MirrorPadKernel>("MirrorPad");

  ops.op("MirrorPadGrad")
      .input("input: T")
      .input("paddings: Tpaddings")
      .output("output: T")
      .attr("T: type")
      .attr("Tpaddings: {int32, int64} = DT_INT32")
      .attr("mode: {'REFLECT', 'SYMMETRIC'}")
      .shape(mirror_pad_grad_shape)
      .doc(
          "Computes the gradient of MirrorPad: adds each element in the padding of `input` to the element that it "
          "mirrors, and removes the padding.");
  kernels.add<MirrorPadGradKernel>("MirrorPadGrad").where("T", kAllNumbers);
}
