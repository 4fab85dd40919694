#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/nn/shared/image.h"

namespace tinytf::ops {

namespace {

/// Dimensions of x in the loops: [rows, channels], channels last.
struct Rows {
  int64_t rows = 0;
  int64_t channels = 0;
};

Rows rows_of(const ImageSizes& sizes) {
  return {sizes.batch * sizes.spatial[0] * sizes.spatial[1] * sizes.spatial[2], sizes.channels};
}

int feature_axis(const ShapeContext& c, const PartialShape& image) {
  return c.attr<std::string>("data_format").compare(0, 2, "NC") == 0 ? 1 : image.rank() - 1;
}

/// Sets `x` to the known shape of input 0, and `channels` to the number of channels merged from `x` and inputs [begin,
/// end).
Status image_and_channels(const ShapeContext& c, PartialShape* x, int begin, int end, int64_t* channels) {
  const std::string& format = c.attr<std::string>("data_format");
  const bool volume = format.size() == 5;
  if (!volume) {
    // NHWC also accepts volumes, whose channels are last too.
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 4, x));
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_most(0, 5));
  } else {
    TINYTF_RETURN_IF_ERROR(c.with_rank(0, 5, x));
  }
  if (!x->known_rank()) {
    *x = PartialShape::unknown_of_rank(volume ? 5 : 4);  // As in TensorFlow 1, although volumes are accepted.
    *channels = kUnknownDim;
  } else {
    *channels = x->dim(feature_axis(c, *x));
  }
  for (int i = begin; i < end; ++i) {
    PartialShape vector;
    TINYTF_RETURN_IF_ERROR(c.with_rank(i, 1, &vector));
    TINYTF_ASSIGN_OR_RETURN(*channels, merge_dims(*channels, vector.dim(0)));
  }
  if (x->known_rank()) x->set_dim(feature_axis(c, *x), *channels);
  return Status();
}

Status batch_norm_shape(ShapeContext& c) {
  PartialShape x;
  int64_t channels = kUnknownDim;
  TINYTF_RETURN_IF_ERROR(image_and_channels(c, &x, 1, c.attr<bool>("is_training") ? 3 : 5, &channels));
  c.set_output(0, std::move(x));
  for (int i = 1; i < 5; ++i) c.set_output(i, PartialShape::vector(channels));
  return Status();
}

Status batch_norm_grad_shape(ShapeContext& c) {
  PartialShape y_backprop, x;
  int64_t channels = kUnknownDim;
  TINYTF_RETURN_IF_ERROR(image_and_channels(c, &y_backprop, 2, 5, &channels));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, y_backprop.rank(), &x));
  const int axis = feature_axis(c, y_backprop);
  TINYTF_ASSIGN_OR_RETURN(channels, merge_dims(channels, x.dim(axis)));
  y_backprop.set_dim(axis, channels);
  c.set_output(0, std::move(y_backprop));
  c.set_output(1, PartialShape::vector(channels));
  c.set_output(2, PartialShape::vector(channels));
  for (int i : {3, 4}) c.set_output(i, PartialShape::vector(c.attr<bool>("is_training") ? 0 : channels));
  return Status();
}

class BatchNormKernelBase : public Kernel {
 protected:
  explicit BatchNormKernelBase(KernelInit& init)
      : loops_(kernels::table().normalize),
        dtype_(static_cast<int>(init.input_type(0))),
        epsilon_(init.attr<float>("epsilon")),
        is_training_(init.attr<bool>("is_training")) {
    const std::string& format = init.attr<std::string>("data_format");
    channels_first_ = format.compare(0, 2, "NC") == 0;
    volume_ = format.size() == 5;
  }

  WindowAttrs format_of(const Shape& x) const {
    WindowAttrs attrs;
    attrs.axes = x.rank() - 2;
    attrs.format.channels_first = channels_first_;
    return attrs;
  }
  Status check_image(const Shape& x, const char* name) const {
    if (x.rank() == 5 || (x.rank() == 4 && !volume_)) return Status();
    return invalid_argument(name, " must be ", volume_ ? 5 : 4, "-dimensional", x.to_string());
  }
  static Status check_vector(const Tensor& vector, const char* name, int64_t channels) {
    if (vector.rank() != 1) return invalid_argument(name, " must be 1-dimensional", vector.shape().to_string());
    if (vector.dim(0) == channels) return Status();
    return invalid_argument(name, " must have the same number of elements as the channels of x, got ", vector.dim(0),
                            " and ", channels);
  }
  float scale_of(float variance) const { return 1.0f / std::sqrt(variance + epsilon_); }

  const kernels::NormalizeTable& loops_;
  const int dtype_;
  const float epsilon_;
  const bool is_training_;
  bool channels_first_, volume_;
};

class BatchNormKernel final : public BatchNormKernelBase {
 public:
  explicit BatchNormKernel(KernelInit& init) : BatchNormKernelBase(init) {}

  Status compute(KernelContext& ctx) override {
    const Shape& shape = ctx.input(0).shape();
    TINYTF_RETURN_IF_ERROR(check_image(shape, "input"));
    const WindowAttrs attrs = format_of(shape);
    const ImageSizes sizes = image_sizes(shape, attrs);
    const auto [rows, channels] = rows_of(sizes);
    TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(1), "scale", channels));
    TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(2), "offset", channels));
    if (is_training_) {
      for (int i : {3, 4}) {
        const char* const name = i == 3 ? "estimated_mean" : "estimated_variance";
        const Shape& given = ctx.input(i).shape();
        if (given.rank() != 1) return invalid_argument(name, " must be 1-dimensional", given.to_string());
        if (given.dim(0) != 0) return invalid_argument(name, " must be empty for training", given.to_string());
      }
    } else {
      TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(3), "estimated_mean", channels));
      TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(4), "estimated_variance", channels));
    }

    float* outputs[4];  // batch_mean, batch_variance, and the mean and variance for the gradient
    for (int i = 0; i < 4; ++i) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(i + 1, Shape({channels})));
      outputs[i] = output->data<float>();
    }
    if (ctx.num_outputs() > 5) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * unused, ctx.allocate_output(5, Shape()));
      *unused->data<float>() = 0;
    }
    const auto [batch_mean, batch_variance, mean, variance] = outputs;
    TINYTF_ASSIGN_OR_RETURN(const Tensor x, channels_last(ctx, ctx.input(0), attrs));
    ImageOutput y;
    TINYTF_RETURN_IF_ERROR(y.allocate(ctx, 0, sizes, attrs));
    TINYTF_ASSIGN_OR_RETURN(Tensor factors, ctx.allocate(DType::kFloat, Shape({channels})));

    if (!is_training_) {
      std::memcpy(mean, ctx.input(3).raw(), ctx.input(3).bytes());
      std::memcpy(variance, ctx.input(4).raw(), ctx.input(4).bytes());
    } else if (rows > 0) {
      loops_.statistics[dtype_](x.raw(), rows, channels, mean, variance, ctx.parallel());
    }
    // The running variance must be unbiased.
    const float correction =
        is_training_ ? static_cast<float>(rows) / static_cast<float>(std::max<int64_t>(rows - 1, 1)) : 1.0f;
    for (int64_t c = 0; c < channels; ++c) {
      if (is_training_ && rows == 0) mean[c] = variance[c] = std::numeric_limits<float>::quiet_NaN();
      batch_mean[c] = mean[c];
      batch_variance[c] = variance[c] * correction;
      factors.data<float>()[c] = ctx.input(1).data<float>()[c] * scale_of(variance[c]);
    }
    if (rows > 0 && channels > 0) {
      loops_.apply[dtype_](x.raw(), rows, channels, mean, factors.data<float>(), ctx.input(2).data<float>(), y.target(),
                           ctx.parallel());
    }
    y.finish(ctx);
    return Status();
  }
};

class BatchNormGradKernel final : public BatchNormKernelBase {
 public:
  explicit BatchNormGradKernel(KernelInit& init) : BatchNormKernelBase(init) {}

  Status compute(KernelContext& ctx) override {
    const Shape& shape = ctx.input(1).shape();
    TINYTF_RETURN_IF_ERROR(check_image(ctx.input(0).shape(), "input"));
    TINYTF_RETURN_IF_ERROR(check_image(shape, "input"));
    if (ctx.input(0).shape() != shape) {
      return invalid_argument("x and y_backprop must have same shape, but x has shape ", shape.to_string(),
                              " and y_backprop has shape ", ctx.input(0).shape().to_string());
    }
    const WindowAttrs attrs = format_of(shape);
    const ImageSizes sizes = image_sizes(shape, attrs);
    const auto [rows, channels] = rows_of(sizes);
    TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(2), "scale", channels));
    TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(3), "saved mean", channels));
    TINYTF_RETURN_IF_ERROR(check_vector(ctx.input(4), "saved variance", channels));

    TINYTF_ASSIGN_OR_RETURN(Tensor * scale_backprop, ctx.allocate_output(1, Shape({channels})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * offset_backprop, ctx.allocate_output(2, Shape({channels})));
    for (int i : {3, 4}) {  // outputs that are filled on other devices only
      TINYTF_ASSIGN_OR_RETURN(Tensor * spare, ctx.allocate_output(i, Shape({is_training_ ? 0 : channels})));
      std::fill_n(spare->data<float>(), spare->num_elements(), 0.0f);
    }
    TINYTF_ASSIGN_OR_RETURN(const Tensor dy, channels_last(ctx, ctx.input(0), attrs));
    TINYTF_ASSIGN_OR_RETURN(const Tensor x, channels_last(ctx, ctx.input(1), attrs));
    ImageOutput dx;
    TINYTF_RETURN_IF_ERROR(dx.allocate(ctx, 0, sizes, attrs));
    if (channels == 0) return Status();

    const float* scale = ctx.input(2).data<float>();
    const float* mean = ctx.input(3).data<float>();
    const float* variance = ctx.input(4).data<float>();
    float* sum_dy = offset_backprop->data<float>();
    float* sum_dy_x = scale_backprop->data<float>();
    loops_.grad_sums[dtype_](dy.raw(), x.raw(), rows, channels, mean, sum_dy, sum_dy_x, ctx.parallel());

    TINYTF_ASSIGN_OR_RETURN(Tensor parameters, ctx.allocate(DType::kFloat, Shape({3, channels})));
    float* dy_mean = parameters.data<float>();
    float* factor = dy_mean + channels;
    float* x_factor = factor + channels;
    const float per_row = rows > 0 ? 1.0f / static_cast<float>(rows) : 0.0f;
    for (int64_t c = 0; c < channels; ++c) {
      const float inverse = scale_of(variance[c]);
      factor[c] = scale[c] * inverse;
      dy_mean[c] = is_training_ ? sum_dy[c] * per_row : 0.0f;
      x_factor[c] = is_training_ ? factor[c] * inverse * inverse * sum_dy_x[c] * per_row : 0.0f;
      sum_dy_x[c] = rows > 0 ? sum_dy_x[c] * inverse : 0.0f;  // an empty batch has no variance
    }
    if (rows > 0 && !is_training_) {
      // The given statistics are constants, so the gradient does not depend on x, even where x is not finite.
      loops_.apply[dtype_](dy.raw(), rows, channels, /*mean=*/dy_mean, factor, /*offset=*/x_factor, dx.target(),
                           ctx.parallel());
    } else if (rows > 0) {
      loops_.grad_apply[dtype_](dy.raw(), x.raw(), rows, channels, mean, dy_mean, factor, x_factor, dx.target(),
                                ctx.parallel());
    }
    dx.finish(ctx);
    return Status();
  }
};

/// Declares FusedBatchNorm and its gradient in one version. The versions differ in dtypes, and V3 has a third reserved
/// tensor, which is filled on other devices only.
void declare_version(OpRegistry& ops, KernelRegistry& kernels, const std::string& version) {
  const bool first = version.empty();
  const bool third = version == "V3";
  const std::string u = first ? ": T" : ": U";
  const char* const formats =
      third ? "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = 'NHWC'" : "data_format: {'NHWC', 'NCHW'} = 'NHWC'";
  const auto add_attrs = [&](OpDefBuilder& op) {
    op.attr(first ? "T: {float}" : "T: {half, bfloat16, float}");
    if (!first) op.attr("U: {float}");
    op.attr("epsilon: float = 0.0001").attr(formats).attr("is_training: bool = true");
  };

  OpDefBuilder forward = ops.op("FusedBatchNorm" + version);
  forward.input("x: T");
  for (const char* name : {"scale", "offset", "mean", "variance"}) forward.input(name + u);
  forward.output("y: T");
  for (const char* name : {"batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2"}) {
    forward.output(name + u).ignores_gradient(name);
  }
  if (third) forward.output("reserve_space_3: U").ignores_gradient("reserve_space_3");
  add_attrs(forward);
  forward.shape(batch_norm_shape)
      .doc(
          "Normalizes each channel of `x`: `y = (x - m) / sqrt(v + epsilon) * scale + offset`. With `is_training`, `m` "
          "and `v` are the mean and the variance of the batch, `mean` and `variance` are empty, and `batch_variance` "
          "is the unbiased estimate; otherwise `m` and `v` are `mean` and `variance`. The reserved outputs are for the "
          "gradient op.");
  auto kernel = kernels.add<BatchNormKernel>("FusedBatchNorm" + version);
  kernel.where("T", first ? std::vector<DType>{DType::kFloat}
                          : std::vector<DType>{DType::kHalf, DType::kBfloat16, DType::kFloat});

  OpDefBuilder backward = ops.op("FusedBatchNormGrad" + version);
  backward.input("y_backprop: T").input("x: T").input(first ? "scale: T" : "scale: float");
  for (const char* name : {"reserve_space_1", "reserve_space_2"}) backward.input(name + u);
  if (third) backward.input("reserve_space_3: U");
  backward.output("x_backprop: T");
  for (const char* name : {"scale_backprop", "offset_backprop"}) backward.output(name + u);
  for (const char* spare :
       {third ? "reserve_space_4" : "reserve_space_3", third ? "reserve_space_5" : "reserve_space_4"}) {
    backward.output(spare + u).ignores_gradient(spare);
  }
  add_attrs(backward);
  backward.shape(batch_norm_grad_shape)
      .doc(
          "Computes the gradients of `FusedBatchNorm` with respect to `x`, `scale` and `offset`. `reserve_space_1` and "
          "`reserve_space_2` are the mean and the variance that the forward op used.");
  auto grad_kernel = kernels.add<BatchNormGradKernel>("FusedBatchNormGrad" + version);
  grad_kernel.where("T", first ? std::vector<DType>{DType::kFloat}
                               : std::vector<DType>{DType::kHalf, DType::kBfloat16, DType::kFloat});
}

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_batch_norm) {
  for (const char* version : {"", "V2", "V3"}) tinytf::ops::declare_version(ops, kernels, version);
}
