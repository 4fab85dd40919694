#include <algorithm>
#include <cstring>

#include "op/registration.h"
#include "op/size_input.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

/// Reverses the bytes of each number in `data`, each of which has `size` bytes.
void reverse_each(char* data, int64_t bytes, int64_t size) {
  for (int64_t i = 0; i < bytes; i += size) std::reverse(data + i, data + i + size);
}

/// The conversion of bytes to numbers that DecodeRaw and DecodePaddedRaw share.
class RawNumbers {
 public:
  explicit RawNumbers(KernelInit& init)
      : dtype_(init.output_type(0)),
        size_(static_cast<int64_t>(dtype_size(dtype_))),
        is_reversed_(!init.attr<bool>("little_endian")) {}

  int64_t size() const { return size_; }
  DType dtype() const { return dtype_; }
  /// Converts a string to numbers that fill `room` bytes at `to`: a shorter string is padded with zeros, a longer one
  /// is cut.
  void put(const std::string& bytes, char* to, int64_t room) const {
    const auto taken = std::min(room, static_cast<int64_t>(bytes.size()));
    std::memcpy(to, bytes.data(), static_cast<size_t>(taken));
    std::memset(to + taken, 0, static_cast<size_t>(room - taken));
    if (is_reversed_) reverse_each(to, room, size_);
    if (dtype_ == DType::kBool) {  // other bytes are not valid bools
      for (int64_t i = 0; i < room; ++i) to[i] = static_cast<char>(to[i] != 0);
    }
  }
  /// Converts all strings of a tensor, each to `room` bytes.
  void put_all(KernelContext& ctx, const Tensor& strings, Tensor& out, int64_t room) const {
    if (room == 0) return;
    auto* to = static_cast<char*>(out.raw());
    const double cost = 10 + 0.2 * static_cast<double>(room);
    ctx.parallel().run(strings.num_elements(), 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) put(strings.data<std::string>()[i], to + i * room, room);
    });
  }

 private:
  const DType dtype_;
  const int64_t size_;
  const bool is_reversed_;
};

class DecodeRawKernel final : public Kernel {
 public:
  explicit DecodeRawKernel(KernelInit& init) : numbers_(init) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const auto* strings = input.data<std::string>();
    const int64_t count = input.num_elements();
    const size_t bytes = count > 0 ? strings[0].size() : 0;
    for (int64_t i = 1; i < count; ++i) {
      if (strings[i].size() != bytes) {
        return invalid_argument("DecodeRaw requires input strings to all be the same size, but element ", i,
                                " has size ", bytes, " != ", strings[i].size());
      }
    }
    const auto room = static_cast<int64_t>(bytes);
    if (room % numbers_.size() != 0) {
      return invalid_argument("Input to DecodeRaw has length ", bytes, " that is not a multiple of ", numbers_.size(),
                              ", the size of ", dtype_name(numbers_.dtype()));
    }
    Shape shape = input.shape();
    shape.add_dim(room / numbers_.size());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    numbers_.put_all(ctx, input, *out, room);
    return Status();
  }

 private:
  const RawNumbers numbers_;
};

class DecodePaddedRawKernel final : public Kernel {
 public:
  explicit DecodePaddedRawKernel(KernelInit& init) : numbers_(init) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &input = ctx.input(0), &length = ctx.input(1);
    if (length.rank() != 0) return invalid_argument("k must be scalar, got shape ", length.shape().to_string());
    const int64_t bytes = length.int_at(0);
    if (bytes % numbers_.size() != 0) {
      return invalid_argument("fixed_length (", bytes, ") must be a multiple of the size of out_type (",
                              numbers_.size(), ")");
    }
    if (bytes <= 0) return invalid_argument("fixed_length (", bytes, ") must be greater than zero.");
    Shape shape = input.shape();
    shape.add_dim(bytes / numbers_.size());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    numbers_.put_all(ctx, input, *out, bytes);
    return Status();
  }

 private:
  const RawNumbers numbers_;
};

Status raw_shape(ShapeContext& c) {
  c.set_output(0, c.input(0).concatenate(PartialShape::vector(kUnknownDim)));
  return Status();
}

Status padded_shape(ShapeContext& c) {
  const int64_t size = static_cast<int64_t>(dtype_size(c.attr<DType>("out_type")));
  TINYTF_ASSIGN_OR_RETURN(const int64_t bytes, shapes::size_input(c, 1));
  if (bytes != kUnknownDim && bytes % size != 0) {
    return invalid_argument("Dimension size must be evenly divisible by ", size, " but is ", bytes);
  }
  const int64_t numbers = bytes == kUnknownDim ? kUnknownDim : bytes / size;
  c.set_output(0, c.input(0).concatenate(PartialShape::vector(numbers)));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_decode_raw) {
  using namespace tinytf::ops;
  ops.op("DecodeRaw")
      .input("bytes: string")
      .output("output: out_type")
      .attr("out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool}")
      .attr("little_endian: bool = true")
      .shape(raw_shape)
      .not_differentiable()
      .doc(
          "Reinterprets the bytes of each string in `bytes` as numbers of type `out_type`, in a new last dimension. "
          "All strings must have the same length, a multiple of the size of `out_type`.");
  kernels.add<DecodeRawKernel>("DecodeRaw");

  ops.op("DecodePaddedRaw")
      .input("input_bytes: string")
      .input("fixed_length: int32")
      .output("output: out_type")
      .attr("out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64}")
      .attr("little_endian: bool = true")
      .shape(padded_shape)
      .not_differentiable()
      .doc(
          "Reinterprets the first `fixed_length` bytes of each string in `input_bytes` as numbers of type `out_type`, "
          "in a new last dimension. Shorter strings are padded with zeros.");
  kernels.add<DecodePaddedRawKernel>("DecodePaddedRaw");
}
