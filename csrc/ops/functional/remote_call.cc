#include <algorithm>
#include <cctype>

#include "ops/functional/shared/function_call.h"

namespace tinytf::ops {
namespace {

/// Whether the text names a device of this process: all devices are CPUs.
bool names_cpu(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text.find("cpu:") != std::string::npos;
}

/// Calls the function here, because all devices are those of this process.
class RemoteCallKernel final : public Kernel {
 public:
  explicit RemoteCallKernel(KernelInit& init) : function_(init.attr<FuncRef>("f")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& target = ctx.input(0);
    if (target.rank() != 0) return invalid_argument("The target of a remote call must be a scalar");
    const std::string& device = *target.data<std::string>();
    if (!names_cpu(device)) return invalid_argument("Could not find device: ", device);
    std::vector<Tensor> results;
    TINYTF_RETURN_IF_ERROR(call_function(ctx, function_, inputs_from(ctx, 1), ctx.node().outputs, results));
    set_outputs(ctx, std::move(results));
    return Status();
  }

 private:
  FunctionCallee function_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_remote_call) {
  using namespace tinytf::ops;
  ops.op("RemoteCall")
      .input("target: string")
      .input("args: Tin")
      .output("output: Tout")
      .attr("Tin: list(type) >= 1")
      .attr("Tout: list(type) >= 1")
      .attr("f: func")
      .stateful()
      .may_block()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shapes::unknown)
      .no_gradient()
      .doc("Calls the function `f` with `args` on the device with the name `target`, and returns its results.");
  kernels.add<RemoteCallKernel>("RemoteCall");
}
