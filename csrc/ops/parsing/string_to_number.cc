#include "base/parse_number.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

constexpr double kNanoseconds = 40;  // approximate cost of a string

template <class T>
class StringToNumberKernel final : public Kernel {
 public:
  explicit StringToNumberKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    const auto* texts = input.data<std::string>();
    auto* numbers = out->data<T>();
    const int64_t count = input.num_elements();
    std::vector<uint8_t> is_number(static_cast<size_t>(count));
    ctx.parallel().run(count, 64, kNanoseconds, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) is_number[i] = parse_number(texts[i], numbers[i]) ? 1 : 0;
    });
    for (int64_t i = 0; i < count; ++i) {
      if (is_number[i] == 0) {
        return invalid_argument("StringToNumberOp could not correctly convert string: ", texts[i]);
      }
    }
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_string_to_number) {
  using namespace tinytf::ops;
  ops.op("StringToNumber")
      .input("string_tensor: string")
      .output("output: out_type")
      .attr("out_type: {float, double, int32, int64} = DT_FLOAT")
      .shape(tinytf::shapes::unchanged)
      .not_differentiable()
      .doc(
          "Converts each string to a number of type `out_type`. Numbers are decimal; floats may also have an exponent "
          "or be hexadecimal, inf or nan; surrounding white space is ignored. Fails with InvalidArgument for other "
          "text, and for integers that are out of range.");
  kernels.add<StringToNumberKernel<float>>("StringToNumber").where("out_type", {tinytf::DType::kFloat});
  kernels.add<StringToNumberKernel<double>>("StringToNumber").where("out_type", {tinytf::DType::kDouble});
  kernels.add<StringToNumberKernel<int32_t>>("StringToNumber").where("out_type", {tinytf::DType::kInt32});
  kernels.add<StringToNumberKernel<int64_t>>("StringToNumber").where("out_type", {tinytf::DType::kInt64});
}
