#include <optional>

#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"

namespace tinytf::ops {
namespace {

/// Makes `axis` in [-limit, limit) non-negative.
Result<int> stack_axis(int64_t axis, int limit) {
  if (axis < -limit || axis >= limit) {
    return invalid_argument("axis = ", axis, " not in [", -limit, ", ", limit, ")");
  }
  return static_cast<int>(axis < 0 ? axis + limit : axis);
}

class PackKernel final : public Kernel {
 public:
  explicit PackKernel(KernelInit& init) : given_axis_(init.int32_attr("axis")) {}

  Status compute(KernelContext& ctx) override {
    const int n = ctx.num_inputs();
    const Shape& first = ctx.input(0).shape();
    TINYTF_ASSIGN_OR_RETURN(const int axis, stack_axis(given_axis_, first.rank() + 1));
    for (int i = 1; i < n; ++i) {
      if (ctx.input(i).shape() != first) {
        return invalid_argument("Shapes of all inputs must match: values[0].shape = ", first.to_string(), " != values[",
                                i, "].shape = ", ctx.input(i).shape().to_string());
      }
    }
    Shape shape = first;
    shape.insert_dim(axis, n);
    if (n == 1) {
      ctx.set_output(0, ctx.input(0).reshaped(std::move(shape)));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (shape.num_elements() == 0) return Status();
    const int64_t inner = first.product(axis, first.rank());
    // Fast path for scalars of 4 bytes, which are usually the sizes of a shape.
    if (inner == 1 && first.product(0, axis) == 1 && dtype_size(out->dtype()) == 4) {
      for (int i = 0; i < n; ++i) out->data<int32_t>()[i] = *ctx.input(i).data<int32_t>();
      return Status();
    }
    concat_inputs(ctx, 0, PieceSizes(static_cast<size_t>(n), inner), first.product(0, axis), *out);
    return Status();
  }

 private:
  const int given_axis_;
};

/// Sets the handle data of the output if all lists or resources among the inputs have one dtype. Its shape keeps the
/// dimensions on which they agree.
void set_common_handle(ShapeContext& c) {
  std::optional<HandleInfo> common;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const HandleInfo* info = c.input_handle(i);
    if (info == nullptr) continue;
    if (common && common->dtype != info->dtype) return;
    common = HandleInfo{info->dtype, common ? common->shape.common_with(info->shape) : info->shape};
  }
  if (common) c.set_output_handle(0, *std::move(common));
}

Status pack_shape(ShapeContext& c) {
  set_common_handle(c);
  TINYTF_ASSIGN_OR_RETURN(const PartialShape merged, shapes::merge_inputs(c));
  if (!merged.known_rank()) return Status();
  TINYTF_ASSIGN_OR_RETURN(const int given, c.int32_attr("axis"));
  TINYTF_ASSIGN_OR_RETURN(const int axis, stack_axis(given, merged.rank() + 1));
  Dims dims = merged.dims();
  dims.insert(axis, c.num_inputs());
  c.set_output(0, PartialShape(std::move(dims)));
  return Status();
}

PartialShape pack_entries(ShapeContext& c) {
  PartialShape entries = PartialShape::scalar();
  for (int i = 0; i < c.num_inputs(); ++i) {
    if (!c.input(i).compatible_with(PartialShape::scalar())) return {};
    entries.add_dim(std::max(c.input_entry(i), kUnknownDim));
  }
  return entries;
}

class UnpackKernel final : public Kernel {
 public:
  explicit UnpackKernel(KernelInit& init) : given_axis_(init.int32_attr("axis")), num_(init.attr<int64_t>("num")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(const int axis, stack_axis(given_axis_, value.rank()));
    if (value.dim(axis) != num_) {
      return invalid_argument("Input shape axis ", axis, " must equal ", num_, ", got shape ",
                              value.shape().to_string());
    }
    Shape shape = value.shape();
    shape.remove_dim(axis);
    const PieceSizes inner(static_cast<size_t>(num_), value.shape().product(axis + 1, value.rank()));
    return split_outputs(ctx, value, inner, value.shape().product(0, axis), [&](int) { return shape; });
  }

 private:
  const int given_axis_;
  const int64_t num_;
};

Status unpack_shape(ShapeContext& c) {
  const PartialShape& input = c.input(0);
  if (!input.known_rank()) return Status();
  TINYTF_ASSIGN_OR_RETURN(const int given, c.int32_attr("axis"));
  TINYTF_ASSIGN_OR_RETURN(const int axis, stack_axis(given, input.rank()));
  TINYTF_RETURN_IF_ERROR(merge_dims(input.dim(axis), c.num_outputs()).status());
  Dims dims = input.dims();
  dims.erase(axis);
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape(dims));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_pack) {
  using namespace tinytf::ops;
  ops.op("Pack")
      .input("values: N * T")
      .output("output: T")
      .attr("N: int >= 1")
      .attr("T: type")
      .attr("axis: int = 0")
      .shape(pack_shape)
      .entries(pack_entries)
      .doc("Stacks the N tensors in `values`, which must have equal shapes, along a new dimension `axis`.");
  kernels.add<PackKernel>("Pack");

  ops.op("Unpack")
      .input("value: T")
      .output("output: num * T")
      .attr("num: int >= 0")
      .attr("T: type")
      .attr("axis: int = 0")
      .shape(unpack_shape)
      .doc("Splits `value` into `num` slices along `axis`, which must have size `num`, and removes that dimension.");
  kernels.add<UnpackKernel>("Unpack");
}
