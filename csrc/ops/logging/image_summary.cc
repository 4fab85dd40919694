#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "io/png.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {

namespace {

constexpr double kPixelCost = 60;  // approximate cost of an image byte; most of it is compression

/// The arithmetic for images of one dtype: half rounds after each operation.
float affine(float value, float scale, float offset) { return value * scale + offset; }
double affine(double value, double scale, double offset) { return value * scale + offset; }
float affine(Half value, Half scale, Half offset) {
  const Half product(static_cast<float>(value) * static_cast<float>(scale));
  return static_cast<float>(Half(static_cast<float>(product) + static_cast<float>(offset)));
}

/// Converts as x86 does: numbers beyond int32 become 0.
template <class Real>
uint8_t byte_of(Real value) {
  constexpr Real kEnd = 2147483648.0;
  return value >= -kEnd && value < kEnd ? static_cast<uint8_t>(static_cast<int32_t>(value)) : uint8_t{0};
}

template <class T>
bool is_finite(T value) {
  return std::isfinite(value);
}
bool is_finite(Half value) { return std::isfinite(static_cast<float>(value)); }

/// Scales the numbers of an image to bytes: from 0 to the largest number, or around 128 if there are negative numbers.
/// Pixels that are not finite get the bad color and do not affect the scale.
template <class T>
void normalize(const T* numbers, int64_t pixels, int depth, const uint8_t* bad_color, uint8_t* out) {
  std::vector<T> copy(numbers, numbers + pixels * depth);  // the memory of a fed value may be changed concurrently
  const auto finite = [&](int64_t pixel) {
    return std::all_of(copy.begin() + pixel * depth, copy.begin() + (pixel + 1) * depth,
                       [](T value) { return is_finite(value); });
  };
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (int64_t i = 0; i < pixels; ++i) {
    if (!finite(i)) continue;
    for (int64_t j = i * depth; j < (i + 1) * depth; ++j) {
      low = std::min(low, static_cast<float>(copy[j]));
      high = std::max(high, static_cast<float>(copy[j]));
    }
  }
  constexpr float kZero = 1e-6f;
  const float largest = low < 0 ? std::max(std::abs(low), std::abs(high)) : high;
  const T scale(largest < kZero ? 0.0f : (low < 0 ? 127.0f : 255.0f) / largest);
  const T offset(low < 0 ? 128.0f : 0.0f);
  for (int64_t i = 0; i < pixels; ++i) {
    if (finite(i)) {
      for (int64_t j = i * depth; j < (i + 1) * depth; ++j) out[j] = byte_of(affine(copy[j], scale, offset));
    } else {
      std::copy(bad_color, bad_color + depth, out + i * depth);
    }
  }
}

/// Writes the bytes of image i.
void bytes_of(const Tensor& images, int64_t i, int64_t pixels, int depth, const uint8_t* bad_color, uint8_t* out) {
  const int64_t begin = i * pixels * depth;
  switch (images.dtype()) {
    case DType::kUint8: std::copy_n(images.data<uint8_t>() + begin, pixels * depth, out); break;
    case DType::kHalf: return normalize(images.data<Half>() + begin, pixels, depth, bad_color, out);
    case DType::kFloat: return normalize(images.data<float>() + begin, pixels, depth, bad_color, out);
    default: return normalize(images.data<double>() + begin, pixels, depth, bad_color, out);
  }
}

}  // namespace

Status write_images(WireWriter& summary, std::string_view tag, const Tensor& images, int64_t most,
                    const Tensor& bad_color, Parallel& parallel) {
  const Shape& shape = images.shape();
  const int64_t depth = shape.dim(3);
  if (shape.rank() != 4 || (depth != 1 && depth != 3 && depth != 4)) {
    return invalid_argument("Tensor must be 4-D with last dim 1, 3, or 4, not ", shape.to_string());
  }
  if (images.num_elements() > INT32_MAX) return invalid_argument("Tensor too large for summary ", shape.to_string());
  const int64_t height = shape.dim(1), width = shape.dim(2);
  const BatchTags tags{tag, "image", most};
  const int64_t count = tags.count(shape.dim(0));
  if (count == 0) return Status();
  if (images.num_elements() == 0) {
    return invalid_argument("input tensor must have non-zero dims. Found: [", shape.dim(0), ", ", height, ", ", width,
                            ", ", depth, "].");
  }
  if (images.dtype() != DType::kUint8 && bad_color.num_elements() < depth) {
    return invalid_argument("expected depth <= bad_color.size, got depth = ", depth,
                            ", bad_color.size = ", bad_color.num_elements());
  }
  std::vector<Result<std::string>> files(static_cast<size_t>(count), std::string());
  const int64_t bytes = height * width * depth;
  parallel.run(count, 1, kPixelCost * static_cast<double>(bytes), [&](int64_t begin, int64_t end) {
    std::vector<uint8_t> pixels(static_cast<size_t>(bytes));
    for (int64_t i = begin; i < end; ++i) {
      bytes_of(images, i, height * width, static_cast<int>(depth), bad_color.data<uint8_t>(), pixels.data());
      files[static_cast<size_t>(i)] = encode_png({pixels.data(), width, height, static_cast<int>(depth)}, parallel);
    }
  });
  for (int64_t i = 0; i < count; ++i) {
    const Result<std::string>& file = files[static_cast<size_t>(i)];
    if (!file.ok()) return file.status();
    summary.nested(kSummaryValue, [&] {
      summary.bytes(kTag, tags.of(i));
      summary.nested(kImage, [&] {
        constexpr int kHeight = 1, kWidth = 2, kColorspace = 3, kEncoded = 4;
        summary.int64(kHeight, height);
        summary.int64(kWidth, width);
        summary.int64(kColorspace, depth);
        summary.bytes(kEncoded, file.value());
      });
    });
  }
  return Status();
}

namespace {

class ImageSummaryKernel final : public Kernel {
 public:
  explicit ImageSummaryKernel(KernelInit& init)
      : most_(init.attr<int64_t>("max_images")), bad_color_(init.attr<Tensor>("bad_color")) {
    if (!init.status().ok()) return;
    if (bad_color_.dtype() != DType::kUint8) {
      init.fail(invalid_argument("bad_color must be uint8, got ", dtype_name(bad_color_.dtype())));
    } else if (bad_color_.rank() != 1) {
      init.fail(invalid_argument("bad_color must be a vector, got shape ", bad_color_.shape().to_string()));
    }
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string_view tag, scalar_text(ctx, 0, "Tags must be a scalar"));
    return yield_summary(
        ctx, [&](WireWriter& to) { return write_images(to, tag, ctx.input(1), most_, bad_color_, ctx.parallel()); });
  }

 private:
  const int64_t most_;
  const Tensor bad_color_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_image_summary) {
  using namespace tinytf::ops;
  ops.op("ImageSummary")
      .input("tag: string")
      .input("tensor: T")
      .output("summary: string")
      .attr("max_images: int >= 1 = 3")
      .attr("T: {uint8, float, half, double} = DT_FLOAT")
      .attr("bad_color: tensor = uint8[255, 0, 0, 255]")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc(
          "Returns a Summary with the first `max_images` images of the batch `tensor` [b, height, width, channels] as "
          "PNG files. Images have 1, 3 or 4 channels. Floats are scaled to bytes, each image by itself; `bad_color` "
          "marks pixels that are not finite.");
  kernels.add<ImageSummaryKernel>("ImageSummary")
      .where("T", {tinytf::DType::kUint8, tinytf::DType::kFloat, tinytf::DType::kHalf, tinytf::DType::kDouble});
}
