#include <array>

#include "op/registration.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr double kByteCost = 2;  // approximate, in nanoseconds

/// The value of each byte as a digit, or kNoDigit.
constexpr uint8_t kNoDigit = 255;
constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  for (uint8_t& value : values) value = kNoDigit;
  for (size_t i = 0; i < kDigits.size(); ++i) values[static_cast<uint8_t>(kDigits[i])] = static_cast<uint8_t>(i);
  return values;
}
constexpr std::array<uint8_t, 256> kValues = make_values();

std::string encode(const std::string& bytes, bool pad) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t taken = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (k < taken ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    for (size_t k = 0; k <= taken; ++k) out += kDigits[group >> (18 - 6 * k) & 63];
    if (pad) out.append(3 - taken, '=');
  }
  return out;
}

/// Decodes base64. Padding at the end must complete the last four digits, or be omitted.
Status decode(std::string_view text, std::string& out) {
  out.clear();
  if (text.size() % 4 == 0 && !text.empty()) {
    if (text.back() == '=') text.remove_suffix(1);
    if (text.size() % 4 == 3 && text.back() == '=') text.remove_suffix(1);
  }
  const bool lacks_digits = text.size() % 4 == 1;
  out.reserve(text.size() / 4 * 3 + 2);
  uint32_t group = 0;
  int bits = 0;
  for (const char c : text.substr(0, text.size() - (lacks_digits ? 1 : 0))) {
    const uint8_t value = kValues[static_cast<uint8_t>(c)];
    if (value == kNoDigit) return invalid_argument("Invalid character found in base64.");
    group = (group << 6 | value) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(group >> bits);
    }
  }
  if (lacks_digits) return invalid_argument("Base64 string length cannot be 1 modulo 4.");
  return Status();
}

class EncodeKernel final : public Kernel {
 public:
  explicit EncodeKernel(KernelInit& init) : pad_(init.attr<bool>("pad")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    ctx.parallel().run(input.num_elements(), 1, text_cost(input, kByteCost), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out->data<std::string>()[i] = encode(input.data<std::string>()[i], pad_);
    });
    return Status();
  }

 private:
  const bool pad_;
};

class DecodeKernel final : public Kernel {
 public:
  explicit DecodeKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    for (int64_t i = 0; i < input.num_elements(); ++i) {
      TINYTF_RETURN_IF_ERROR(decode(input.data<std::string>()[i], out->data<std::string>()[i]));
    }
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_base64) {
  using namespace tinytf::ops;
  ops.op("EncodeBase64")
      .input("input: string")
      .output("output: string")
      .attr("pad: bool = false")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .endpoint("io.encode_base64")
      .endpoint("encode_base64")
      .doc(
          "Encodes the bytes of each string in `input` in web-safe base64, which uses - and _. With `pad` it is padded "
          "with =.");
  kernels.add<EncodeKernel>("EncodeBase64");

  ops.op("DecodeBase64")
      .input("input: string")
      .output("output: string")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .endpoint("io.decode_base64")
      .endpoint("decode_base64")
      .doc("Decodes each string in `input` from web-safe base64, with or without padding.");
  kernels.add<DecodeKernel>("DecodeBase64");
}
