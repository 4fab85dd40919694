#include <cinttypes>
#include <cstdio>
#include <utility>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Limit for one number: no double has more nonzero digits, and memory stays bounded.
constexpr int64_t kMostCharacters = 1 << 16;
constexpr double kNanoseconds = 400;  // approximate cost of a number

/// Formats with printf; the format is determined when the kernel is constructed.
class AsStringKernel final : public Kernel {
 public:
  explicit AsStringKernel(KernelInit& init) : dtype_(init.input_type(0)) {
    const int64_t precision = init.attr<int64_t>("precision"), width = init.attr<int64_t>("width");
    const bool scientific = init.attr<bool>("scientific"), shortest = init.attr<bool>("shortest");
    const std::string fill = init.attr<std::string>("fill");
    const bool real = is_floating(dtype_) || is_complex(dtype_);
    if (fill.size() > 1) init.fail(invalid_argument("Fill string must be one or fewer characters."));
    if (!fill.empty() && std::string_view(" +-0#").find(fill[0]) == std::string_view::npos) {
      init.fail(invalid_argument("Fill argument not supported: ", fill));
    }
    if (scientific && shortest) init.fail(invalid_argument("Cannot select both scientific and shortest notation"));
    if (!real && (scientific || shortest)) {
      init.fail(invalid_argument("scientific and shortest format not supported for datatype ", dtype_name(dtype_)));
    }
    if (!real && precision >= 0)
      init.fail(invalid_argument("precision not supported for datatype ", dtype_name(dtype_)));
    for (const auto& [name, value] : {std::pair("precision", precision), std::pair("width", width)}) {
      if (value > kMostCharacters) {
        init.fail(invalid_argument(name, " of ", value, " is more than the ", kMostCharacters, " that are supported"));
      }
    }
    format_ = str_cat("%", fill);
    if (width > -1) format_ += str_cat(width);
    if (precision > -1) format_ += str_cat(".", precision);
    format_ += !real ? PRId64 : scientific ? "e" : shortest ? "g" : "f";
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    const int64_t n = input.num_elements();
    auto* texts = out->data<std::string>();
    ctx.parallel().run(n, 1, kNanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) texts[i] = text(input, i);
    });
    return Status();
  }

 private:
  std::string text(const Tensor& input, int64_t i) const {
    switch (dtype_) {
      case DType::kBool: return input.data<bool>()[i] ? "true" : "false";
      case DType::kInt8: return format(static_cast<int64_t>(input.data<int8_t>()[i]));
      case DType::kInt16: return format(static_cast<int64_t>(input.data<int16_t>()[i]));
      case DType::kInt32: return format(static_cast<int64_t>(input.data<int32_t>()[i]));
      case DType::kInt64: return format(input.data<int64_t>()[i]);
      case DType::kFloat: return format(static_cast<double>(input.data<float>()[i]));
      case DType::kDouble: return format(input.data<double>()[i]);
      case DType::kComplex64: return complex_text(std::complex<double>(input.data<std::complex<float>>()[i]));
      case DType::kComplex128: return complex_text(input.data<std::complex<double>>()[i]);
      default: return "";  // the declaration allows no other dtypes
    }
  }
  std::string complex_text(std::complex<double> value) const {
    return str_cat("(", format(value.real()), ",", format(value.imag()), ")");
  }
  template <class Number>
  std::string format(Number value) const {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, format_.c_str(), value)), '\0');
    std::snprintf(text.data(), text.size() + 1, format_.c_str(), value);
#pragma GCC diagnostic pop
    return text;
  }

  const DType dtype_;
  std::string format_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_as_string) {
  using namespace tinytf::ops;
  ops.op("AsString")
      .input("input: T")
      .output("output: string")
      .attr("T: {int8, int16, int32, int64, complex64, complex128, float, double, bool}")
      .attr("precision: int = -1")
      .attr("scientific: bool = false")
      .attr("shortest: bool = false")
      .attr("width: int = -1")
      .attr("fill: string = ''")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .endpoint("strings.as_string")
      .endpoint("as_string")
      .endpoint("dtypes.as_string")
      .doc(
          "Converts each number in `input` to text with printf's %d or %f, or with %e if `scientific` or %g if "
          "`shortest` is true. Bools become \"true\" and \"false\"; `precision`, `width` and `fill` complete the "
          "format.");
  kernels.add<AsStringKernel>("AsString");
}
