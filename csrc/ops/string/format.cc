#include "op/registration.h"
#include "ops/logging/shared/summarize.h"

namespace tinytf::ops {
namespace {

/// Splits the template at its placeholders.
std::vector<std::string> split_template(const std::string& text, const std::string& placeholder) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t found; !placeholder.empty() && (found = text.find(placeholder, begin)) != std::string::npos;
       begin = found + placeholder.size()) {
    parts.push_back(text.substr(begin, found - begin));
  }
  parts.push_back(text.substr(begin));
  return parts;
}

Status check_count(const std::vector<std::string>& parts, size_t inputs) {
  if (inputs + 1 == parts.size()) return Status();
  return invalid_argument("num placeholders in template and num inputs must match: ", parts.size() - 1, " vs. ",
                          inputs);
}

class StringFormatKernel final : public Kernel {
 public:
  explicit StringFormatKernel(KernelInit& init)
      : parts_(split_template(init.attr<std::string>("template"), init.attr<std::string>("placeholder"))),
        summarize_(init.attr<int64_t>("summarize")) {
    const Status fits = check_count(parts_, init.node().inputs.size());
    if (!fits.ok()) init.fail(fits);
  }

  Status compute(KernelContext& ctx) override {
    std::string text = parts_[0];
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      text += summarize_ends(ctx.input(i), summarize_, ctx.parallel());
      text += parts_[i + 1];
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<std::string>() = std::move(text);
    return Status();
  }

 private:
  const std::vector<std::string> parts_;
  const int64_t summarize_;
};

Status format_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(
      check_count(split_template(c.attr<std::string>("template"), c.attr<std::string>("placeholder")),
                  static_cast<size_t>(c.num_inputs())));
  c.set_output(0, PartialShape::scalar());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_format) {
  using namespace tinytf::ops;
  ops.op("StringFormat")
      .input("inputs: T")
      .output("output: string")
      .attr("T: list(type) >= 0")
      .attr("template: string = '%s'")
      .attr("placeholder: string = '%s'")
      .attr("summarize: int = 3")
      .shape(format_shape)
      .no_gradient()
      .doc(
          "Replaces each `placeholder` in `template` by the values of one of the tensors in `inputs`: the first and "
          "the last `summarize` entries of each dimension, or all entries if `summarize` is -1.");
  kernels.add<StringFormatKernel>("StringFormat");
}
