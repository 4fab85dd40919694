#include "kernels/table.h"
#include "op/registration.h"
#include "op/size_input.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

class OneHotKernel final : public Kernel {
 public:
  explicit OneHotKernel(KernelInit& init)
      : axis_(init.int32_attr("axis")),
        size_(dtype_size(init.output_type(0))),
        one_hot_(kernels::table().copy.one_hot) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& indices = ctx.input(0);
    const int rank = indices.rank();
    if (axis_ != -1 && (axis_ < 0 || axis_ > rank)) {
      return invalid_argument("Expected axis to be -1 or between [0, ", rank + 1, ").  But received: ", axis_);
    }
    static constexpr const char* kNames[] = {"indices", "depth", "on_value", "off_value"};
    for (int i = 1; i <= 3; ++i) {
      if (ctx.input(i).rank() != 0) {
        return invalid_argument(kNames[i], " must be a scalar, but got: ", ctx.input(i).shape().to_string());
      }
    }
    const int64_t depth = *ctx.input(1).data<int32_t>();
    if (depth < 0) return invalid_argument("depth must be non-negative, got: ", depth);
    const int axis = axis_ == -1 ? rank : axis_;
    Shape shape = indices.shape();
    shape.insert_dim(axis, depth);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (out->num_elements() == 0) return Status();
    const int64_t prefix = indices.shape().product(0, axis), suffix = indices.shape().product(axis, rank);
    const Tensor& on = ctx.input(2);
    const Tensor& off = ctx.input(3);
    if (size_ != 0) {
      one_hot_(indices.raw(), indices.dtype(), prefix, depth, suffix, on.raw(), off.raw(), out->raw(), size_,
               ctx.parallel());
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor hot, ctx.allocate(DType::kBool, shape));
    constexpr bool kOn = true, kOff = false;
    one_hot_(indices.raw(), indices.dtype(), prefix, depth, suffix, &kOn, &kOff, hot.raw(), sizeof kOn, ctx.parallel());
    ctx.parallel().run(out->num_elements(), 1, kObjectCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) copy_elements(hot.data<bool>()[i] ? on : off, 0, *out, i, 1);
    });
    return Status();
  }

 private:
  const int axis_;
  const size_t size_;
  decltype(kernels::CopyTable::one_hot) const one_hot_;
};

Status one_hot_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const int axis, c.int32_attr("axis"));
  if (axis < -1) return invalid_argument("axis must be >= -1");
  TINYTF_ASSIGN_OR_RETURN(const int64_t depth, shapes::size_input(c, 1));
  const PartialShape& indices = c.input(0);
  if (!indices.known_rank()) return Status();
  // As in TensorFlow, the kernel rejects an axis that is too large.
  const int rank = indices.rank() + 1;
  Dims dims = indices.dims();
  dims.insert(axis == -1 ? dims.size() : static_cast<size_t>(axis % rank), depth);
  c.set_output(0, PartialShape(std::move(dims)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_one_hot) {
  using namespace tinytf::ops;
  ops.op("OneHot")
      .input("indices: TI")
      .input("depth: int32")
      .input("on_value: T")
      .input("off_value: T")
      .output("output: T")
      .attr("axis: int = -1")
      .attr("T: type")
      .attr("TI: {uint8, int32, int64} = DT_INT64")
      .shape(one_hot_shape)
      .not_differentiable()
      .doc(
          "Inserts a dimension of size `depth` into the shape of `indices` at `axis` (-1 for the last). Along it the "
          "element at the index is `on_value` and all others are `off_value`. An index out of range gives only "
          "`off_value`.");
  kernels.add<OneHotKernel>("OneHot");
}
