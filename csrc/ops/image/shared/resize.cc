#include "ops/image/shared/resize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/checked.h"

namespace tinytf::ops {

ResizeAttrs ResizeAttrs::of(KernelInit& init, bool both) {
  const ResizeAttrs attrs{init.attr<bool>("align_corners"), init.attr<bool>("half_pixel_centers")};
  if (attrs.align_corners && attrs.half_pixel_centers && !both) {
    init.fail(invalid_argument("If half_pixel_centers is True, align_corners must be False."));
  }
  return attrs;
}

void ResizePlaces::write(kernels::Between* to, Parallel& parallel) const {
  const bool aligned = attrs.align_corners && out > 1;
  const float scale = aligned ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  constexpr double kCost = 3;  // ns
  parallel.run(out, 1, kCost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float place = static_cast<float>(i) * scale;
      if (attrs.half_pixel_centers) place = (static_cast<float>(i) + 0.5f) * scale - (nearest ? 0.0f : 0.5f);
      const auto within = [this](float at) {
        return static_cast<int32_t>(std::clamp(static_cast<int64_t>(at), int64_t{0}, in - 1));
      };
      if (nearest) {
        const int32_t one = within(attrs.align_corners ? std::round(place) : std::floor(place));
        to[i] = {one, one, 0.0f};
      } else {
        const float lower = std::floor(place);
        to[i] = {within(lower), within(std::ceil(place)), place - lower};
      }
    }
  });
}

Status Resizing::check_image(const Shape& image) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (image.dim(1) <= kMost && image.dim(2) <= kMost) return Status();
  return invalid_argument("input sizes must be between 0 and max int32");
}

Status Resizing::read(const Shape& image, const Tensor& size, kernels::ResizeShape* shape) {
  if (image.rank() != 4) return invalid_argument("input must be 4-dimensional", image.to_string());
  if (size.rank() != 1) return invalid_argument("shape_t must be 1-dimensional", size.shape().to_string());
  if (size.num_elements() != 2) return invalid_argument("shape_t must have two elements", size.shape().to_string());
  TINYTF_RETURN_IF_ERROR(check_image(image));
  *shape = {image.dim(0), image.dim(1), image.dim(2), size.int_at(0), size.int_at(1), image.dim(3)};
  if (shape->out_height <= 0 || shape->out_width <= 0) return invalid_argument("output dimensions must be positive");
  if (shape->channels == 0) return invalid_argument("image must have at least one channel");
  if (shape->in_height == 0 || shape->in_width == 0) return invalid_argument("input image must be of non-zero size");
  return Status();
}

Resizing::Resizing(KernelContext& ctx, const kernels::ResizeShape& shape, const ResizeAttrs& attrs, bool nearest)
    : shape_(shape), memory_(static_cast<size_t>(shape.out_height + shape.out_width) * sizeof(kernels::Between)) {
  auto* rows = static_cast<kernels::Between*>(memory_.get());
  auto* columns = rows + shape.out_height;
  ResizePlaces{shape.in_height, shape.out_height, attrs, nearest}.write(rows, ctx.parallel());
  ResizePlaces{shape.in_width, shape.out_width, attrs, nearest}.write(columns, ctx.parallel());
  shape_.rows = rows;
  shape_.columns = columns;
}

Status resized_shape(ShapeContext& c) {
  PartialShape image, size;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 4, &image));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &size));
  if (size.dim(0) != kUnknownDim && size.dim(0) != 2) {
    return invalid_argument("Dimension must be 2 but is ", size.dim(0));
  }
  PartialShape out({image.dim(0), kUnknownDim, kUnknownDim, image.dim(3)});
  if (const Tensor* value = c.input_tensor(1)) {
    for (int axis = 0; axis < 2; ++axis) {
      const int64_t wanted = value->int_at(axis);
      if (wanted < kUnknownDim) return invalid_argument("Dimension ", wanted, " must be >= 0");
      out.set_dim(1 + axis, wanted);
    }
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace tinytf::ops
