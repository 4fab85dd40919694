#include "op/registration.h"
#include "services/function_calls.h"

namespace tinytf::ops {
namespace {

/// Calls a Python function and blocks its thread meanwhile, as TensorFlow does.
class PyFuncKernel final : public Kernel {
 public:
  explicit PyFuncKernel(KernelInit& init) : token_(init.attr<std::string>("token")) {}

  Status compute(KernelContext& ctx) override {
    // Constant folding runs under the graph's lock, which the function or another Python thread may need.
    if (ctx.step().step_id == 0) return failed_precondition(token_, " can only be called while a step runs");
    std::vector<FunctionCall::Input> inputs(ctx.num_inputs());
    for (int i = 0; i < ctx.num_inputs(); ++i) inputs[i] = {&ctx.input(i), may_change(ctx, i)};
    std::vector<Tensor> results;
    TINYTF_RETURN_IF_ERROR(call_function({token_, inputs, ctx.allocator()}, results));
    if (static_cast<int>(results.size()) != ctx.num_outputs()) {
      return invalid_argument(token_, " returns ", results.size(), " values, but expects to see ", ctx.num_outputs(),
                              " values.");
    }
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      const DType expected = ctx.node().outputs[i].dtype;
      if (results[i].dtype() != expected) {
        return invalid_argument(i, "-th value returned by ", token_, " is ", dtype_name(results[i].dtype()),
                                ", but expects ", dtype_name(expected));
      }
      ctx.set_output(i, std::move(results[i]));
    }
    return Status();
  }

 private:
  static bool may_change(const KernelContext& ctx, int i) {
    for (int other = 0; other < ctx.num_inputs(); ++other) {
      if (other != i && &ctx.input(other) == &ctx.input(i)) return false;  // the function gets it twice
    }
    return ctx.can_forward(i, ctx.input(i).dtype(), ctx.input(i).num_elements());
  }

  const std::string token_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(script_py_func) {
  using namespace tinytf::ops;
  ops.op("PyFunc")
      .input("input: Tin")
      .output("output: Tout")
      .attr("token: string")
      .attr("Tin: list(type) >= 0")
      .attr("Tout: list(type) >= 0")
      .may_block()
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::unknown)
      .not_differentiable()
      .doc(
          "Calls the Python function registered as `token` with NumPy arrays of the values of `input`, and returns its "
          "results.");
  kernels.add<PyFuncKernel>("PyFunc");

  ops.op("PyFuncStateless")
      .input("input: Tin")
      .output("output: Tout")
      .attr("token: string")
      .attr("Tin: list(type) >= 0")
      .attr("Tout: list(type) >= 0")
      .may_block()
      .trait(Trait::kReadsExternalState)
      .shape(tinytf::shapes::unknown)
      .not_differentiable()
      .doc(
          "Calls a Python function as PyFunc does. The function must have no side effects and return equal results for "
          "equal arguments.");
  kernels.add<PyFuncKernel>("PyFuncStateless");

  ops.op("EagerPyFunc")
      .input("input: Tin")
      .output("output: Tout")
      .attr("token: string")
      .attr("is_async: bool = false")
      .attr("Tin: list(type) >= 0")
      .attr("Tout: list(type) >= 0")
      .may_block()
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::unknown)
      .doc(
          "Calls a Python function as PyFunc does, but with eager tensors, on which the function calls ops eagerly, as "
          "arguments and results.");
  kernels.add<PyFuncKernel>("EagerPyFunc");
}
