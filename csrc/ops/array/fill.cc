#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/object_cost.h"
#include "ops/variant_elements.h"

namespace tinytf::ops {
namespace {

class FillKernel final : public Kernel {
 public:
  explicit FillKernel(KernelInit& init) : size_(dtype_size(init.output_type(0))), fill_(kernels::table().copy.fill) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& dims = ctx.input(0);
    const Tensor& value = ctx.input(1);
    if (dims.rank() != 1) return invalid_argument("dims must be a vector, got shape ", dims.shape().to_string());
    if (value.rank() != 0) {
      return invalid_argument("value must be a scalar, got shape ", value.shape().to_string());
    }
    Dims sizes;
    for (int64_t i = 0; i < dims.num_elements(); ++i) sizes.push_back(dims.int_at(i));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(sizes));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t n = shape.num_elements();
    if (size_ != 0) {
      fill_(out->raw(), value.raw(), size_, n, ctx.parallel());
    } else {
      ctx.parallel().run(n, 1, kObjectCost, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) copy_elements(value, 0, *out, i, 1);
      });
    }
    return Status();
  }

 private:
  const size_t size_;
  decltype(kernels::CopyTable::fill) const fill_;
};

Status fill_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  PartialShape out = c.input_as_shape(0);
  if (const Tensor* dims = c.input_tensor(0)) {
    for (int64_t i = 0; i < dims->num_elements(); ++i) {
      if (dims->int_at(i) < 0) return invalid_argument("Fill dimensions must be >= 0");
    }
  }
  if (!out.known_rank() && c.input(0).known_rank() && c.input(0).dim(0) >= 0) {
    out = PartialShape::unknown_of_rank(c.input(0).dim(0));
  }
  c.set_output(0, std::move(out));
  return Status();
}

/// Kernel of ZerosLike and OnesLike: fills the shape of input 0 with `value`.
class LikeKernel final : public Kernel {
 public:
  LikeKernel(KernelInit& init, bool one) : size_(dtype_size(init.output_type(0))), fill_(kernels::table().copy.fill) {
    if (!one) return;
    switch (init.output_type(0)) {
#define TINYTF_X(constant, number, name, type)    \
  case DType::constant: {                         \
    const auto value = static_cast<type>(1.0f);   \
    static_assert(sizeof value <= sizeof value_); \
    std::memcpy(value_, &value, sizeof value);    \
    break;                                        \
  }
      TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
      default: break;
    }
  }

  Status compute(KernelContext& ctx) override {
    const Shape& shape = ctx.input(0).shape();
    if (ctx.input(0).dtype() == DType::kVariant) {
      TINYTF_ASSIGN_OR_RETURN(Tensor zeros, zeros_like(ctx.input(0), ctx.allocator()));
      ctx.set_output(0, std::move(zeros));
      return Status();
    }
    if (size_ == 0) return ctx.allocate_output(0, shape).status();  // new strings are empty already
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, shape));
    fill_(out->raw(), value_, size_, out->num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const size_t size_;
  decltype(kernels::CopyTable::fill) const fill_;
  alignas(16) char value_[16] = {};
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_fill) {
  using namespace tinytf::ops;
  ops.op("Fill")
      .input("dims: index_type")
      .input("value: T")
      .output("output: T")
      .attr("T: type")
      .attr("index_type: {int32, int64} = DT_INT32")
      .shape(fill_shape)
      .endpoint("fill")
      .doc("Returns a tensor of shape `dims` in which every element is the scalar `value`.");
  kernels.add<FillKernel>("Fill");

  ops.op("ZerosLike")
      .input("x: T")
      .output("y: T")
      .attr("T: type")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .doc("Returns zeros (false for bools, empty strings for strings) in the shape of `x`.");
  kernels.add("ZerosLike", [](tinytf::KernelInit& init) { return std::make_unique<LikeKernel>(init, false); })
      .where("T", any_of({kPlain, {tinytf::DType::kString, tinytf::DType::kVariant}}));

  ops.op("OnesLike")
      .input("x: T")
      .output("y: T")
      .attr("T: {bfloat16, half, float, double, int8, uint8, int16, uint16, int32, int64, complex64, complex128, bool}")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .doc("Returns ones (true for bools) in the shape of `x`.");
  kernels.add("OnesLike", [](tinytf::KernelInit& init) { return std::make_unique<LikeKernel>(init, true); })
      .where("T", kPlain);
}
