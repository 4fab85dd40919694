#include <algorithm>
#include <cctype>

#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/string/shared/utf8_case.h"

namespace tinytf::ops {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
/// Changes ASCII letters only; all other bytes, including UTF-8 sequences, stay unchanged.
std::string lower(const std::string& text) {
  std::string out = text;
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return out;
}
std::string upper(const std::string& text) {
  std::string out = text;
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  return out;
}
std::string strip(const std::string& text) {
  size_t begin = 0, end = text.size();
  while (begin < end && is_space(text[begin])) ++begin;
  while (end > begin && is_space(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

using Transform = std::string (*)(const std::string&);

/// Applies kTransform to each string, or kUtf8 if attr `encoding` exists and is utf-8.
template <Transform kTransform, Transform kUtf8 = kTransform>
class TransformKernel final : public Kernel {
 public:
  explicit TransformKernel(KernelInit& init) {
    const std::string* encoding = init.node().attrs.get<std::string>("encoding");
    if (encoding == nullptr || encoding->empty()) return;
    transform_ = kUtf8;
    byte_cost_ = 20;
    if (*encoding != "utf-8") {
      init.fail(invalid_argument("only utf-8 or '' (no encoding) is supported, received ", *encoding));
    }
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    ctx.parallel().run(input.num_elements(), 1, text_cost(input, byte_cost_), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out->data<std::string>()[i] = transform_(input.data<std::string>()[i]);
    });
    return Status();
  }

 private:
  Transform transform_ = kTransform;
  double byte_cost_ = 1;  // nanoseconds
};

class StringLengthKernel final : public Kernel {
 public:
  explicit StringLengthKernel(KernelInit& init) : characters_(init.attr<std::string>("unit") == "UTF8_CHAR") {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    const double cost = text_cost(input, characters_ ? 1 : 0);
    ctx.parallel().run(input.num_elements(), 16, cost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const std::string& text = input.data<std::string>()[i];
        const auto length =
            characters_ ? std::count_if(text.begin(), text.end(), begins_character) : static_cast<int64_t>(text.size());
        out->data<int32_t>()[i] = static_cast<int32_t>(length);
      }
    });
    return Status();
  }

 private:
  const bool characters_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_transform) {
  using namespace tinytf::ops;
  ops.op("StringStrip")
      .input("input: string")
      .output("output: string")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .endpoint("strings.strip")
      .endpoint("string_strip")
      .doc("Removes white space from both ends of each string.");
  kernels.add<TransformKernel<strip>>("StringStrip");

  ops.op("StringLower")
      .input("input: string")
      .output("output: string")
      .attr("encoding: string = ''")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .endpoint("strings.lower")
      .doc("Converts each string to lower case: ASCII letters only, or all of Unicode if `encoding` is \"utf-8\".");
  kernels.add<TransformKernel<lower, utf8_lower>>("StringLower");

  ops.op("StringUpper")
      .input("input: string")
      .output("output: string")
      .attr("encoding: string = ''")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .endpoint("strings.upper")
      .doc("Converts each string to upper case: ASCII letters only, or all of Unicode if `encoding` is \"utf-8\".");
  kernels.add<TransformKernel<upper, utf8_upper>>("StringUpper");

  ops.op("StringLength")
      .input("input: string")
      .output("output: int32")
      .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .doc("Returns the length of each string, in bytes or UTF-8 characters as `unit` says.");
  kernels.add<StringLengthKernel>("StringLength");
}
