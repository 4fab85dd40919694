#include "op/lowered.h"
#include "ops/functional/shared/function_call.h"

namespace tinytf::ops {

Result<bool> truth(const Tensor& value) {
  if (value.rank() != 0) return value.num_elements() > 0;
  switch (value.dtype()) {
#define TINYTF_TRUTH(type)                                  \
  case dtype_of<type>: return *value.data<type>() != type { \
    }
    TINYTF_TRUTH(bool);
    TINYTF_TRUTH(float);
    TINYTF_TRUTH(double);
    TINYTF_TRUTH(int8_t);
    TINYTF_TRUTH(int16_t);
    TINYTF_TRUTH(int32_t);
    TINYTF_TRUTH(int64_t);
    TINYTF_TRUTH(uint8_t);
    TINYTF_TRUTH(uint16_t);
#undef TINYTF_TRUTH
    case DType::kString: return !value.data<std::string>()->empty();
    default: return invalid_argument("Tensor of type ", dtype_name(value.dtype()), " cannot be converted to bool");
  }
}

Result<bool> condition(const NodeInfo& node, const Tensor& value) {
  if (!is_lowered(node)) return truth(value);
  if (value.dtype() != DType::kBool) {
    return invalid_argument("Expects the condition to be bool but ", dtype_name(value.dtype()), " is provided");
  }
  if (value.rank() != 0) {
    return invalid_argument("The second input must be a scalar, but it has shape ", value.shape().to_string());
  }
  return *value.data<bool>();
}

namespace {

class ToBoolKernel final : public Kernel {
 public:
  explicit ToBoolKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const bool holds, truth(ctx.input(0)));
    ctx.set_output(0, Tensor::scalar(holds));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_to_bool) {
  ops.op("ToBool")
      .input("input: T")
      .output("output: bool")
      .attr("T: type")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Computes the truth value of `input`: a scalar is true if it is neither 0 nor an empty string, any other "
          "tensor if it has elements.");
  kernels.add<tinytf::ops::ToBoolKernel>("ToBool");
}
