#include "base/checked.h"
#include "base/read_once.h"
#include "base/wrapping.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"
#include "ops/nn/shared/pool_sizes.h"

namespace tinytf::ops {

namespace {

Status argmax_shape(ShapeContext& c) { return pool_output_shape(c, 2, /*may_pool_channels=*/true); }

Status argmax_grad_shape(ShapeContext& c) {
  PartialShape input;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &input));
  c.set_output(0, std::move(input));
  return Status();
}

class MaxPoolWithArgmaxKernel final : public PoolKernel {
 public:
  explicit MaxPoolWithArgmaxKernel(KernelInit& init)
      : PoolKernel(init, 2),
        loop_(loop_of(init, kernels::table().pool.max_argmax, init.input_type(0))),
        include_batch_(init.attr<bool>("include_batch_in_index")) {
    if (attrs_.size_channels != 1 || attrs_.stride_channels != 1) {
      init.fail(unimplemented("MaxPooling with argmax is not yet supported on the depth dimension."));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, input.shape(), "tensor_in"));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, input.shape(), &shape));
    const Shape pooled = image_shape(pooled_sizes(attrs_, shape), attrs_);
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, pooled));
    TINYTF_ASSIGN_OR_RETURN(Tensor * argmax, ctx.allocate_output(1, pooled));
    if (pooled.num_elements() != 0) {
      loop_(shape, input.raw(), output->raw(), argmax->data<int64_t>(), include_batch_, ctx.parallel());
    }
    return Status();
  }

 private:
  kernels::PoolTable::MaxArgmax loop_;
  bool include_batch_;
};

/// Adds up the gradients at their indices, image by image.
template <class T>
class MaxPoolGradWithArgmaxKernel final : public PoolKernel {
 public:
  explicit MaxPoolGradWithArgmaxKernel(KernelInit& init)
      : PoolKernel(init, 2), include_batch_(init.attr<bool>("include_batch_in_index")) {}

  Status compute(KernelContext& ctx) override {
    const Shape& input = ctx.input(0).shape();
    const Tensor& grad = ctx.input(1);
    const Tensor& argmax = ctx.input(2);
    TINYTF_RETURN_IF_ERROR(check_image_rank(attrs_, input, "tensor_in"));
    kernels::PoolShape shape;
    TINYTF_RETURN_IF_ERROR(pool_sizes(attrs_, input, &shape));
    const ImageSizes pooled = pooled_sizes(attrs_, shape);
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled, grad.shape(), "out_backprop"));
    TINYTF_RETURN_IF_ERROR(check_pooled(attrs_, pooled, argmax.shape(), "argmax"));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, input));
    const int64_t total = output->num_elements();
    if (total == 0) return Status();
    kernels::table().copy.fill(output->raw(), kZeroElement, sizeof(T), total, ctx.parallel());
    const int64_t image = total / shape.batch;
    const int64_t per_image = grad.num_elements() / shape.batch;
    T* sums = output->data<T>();
    const T* values = grad.data<T>();
    const int64_t* indices = argmax.data<int64_t>();
    constexpr double kCost = 5;  // nanoseconds
    Status status;
    ctx.parallel().run_in_order(grad.num_elements(), kCost, [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const int64_t index = read_once(indices + i);
        const Size at = Size(index) + (include_batch_ ? 0 : i / per_image * image);
        if (!at.within(0, total - 1)) {
          if (status.ok()) status = invalid_argument("Invalid index of maximum: ", index);
          return;
        }
        T& sum = sums[at.value()];
        sum = add(sum, values[i]);
      }
    });
    return status;
  }

 private:
  static T add(T a, T b) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return T(static_cast<float>(a) + static_cast<float>(b));
    } else {
      return wrapping_add(a, b);
    }
  }

  bool include_batch_;
};

template <class... T>
void add_grad_kernels(KernelRegistry& kernels) {
  (kernels.add<MaxPoolGradWithArgmaxKernel<T>>("MaxPoolGradWithArgmax")
       .where("T", {dtype_of<T>})
       .where("Targmax", {DType::kInt64}),
   ...);
}

void argmax_attrs(OpDefBuilder& op) { op.attr("ksize: list(int) >= 4").attr("strides: list(int) >= 4"); }

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_max_pool_argmax) {
  using namespace tinytf;
  using namespace tinytf::ops;

  OpDefBuilder forward = ops.op("MaxPoolWithArgmax").input("input: T").output("output: T").output("argmax: Targmax");
  argmax_attrs(forward);
  forward.attr("Targmax: {int32, int64} = DT_INT64")
      .attr("padding: {'SAME', 'VALID'}")
      .attr("include_batch_in_index: bool = false")
      .attr("T: realnumbertype")
      .shape(argmax_shape)
      .doc(
          "Computes the maximum of each window of the images `input` [batch, height, width, channels] as `MaxPool` "
          "does, and its flat index `argmax`: `(y * width + x) * channels + c`, or the index within the whole batch if "
          "`include_batch_in_index` is true.");
  kernels.add<MaxPoolWithArgmaxKernel>("MaxPoolWithArgmax").where("Targmax", {DType::kInt64}).where("T", kReals);

  OpDefBuilder backward =
      ops.op("MaxPoolGradWithArgmax").input("input: T").input("grad: T").input("argmax: Targmax").output("output: T");
  argmax_attrs(backward);
  backward.attr("padding: {'SAME', 'VALID'}")
      .attr("include_batch_in_index: bool = false")
      .attr("Targmax: {int32, int64}")
      .attr("T: realnumbertype")
      .shape(argmax_grad_shape)
      .no_gradient()
      .doc(
          "Computes the gradient of `MaxPoolWithArgmax` with respect to its input: adds each element of `grad` at the "
          "index in `argmax`.");
  add_grad_kernels<Half, BFloat16, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(kernels);
}
