#include "op/gradient_name.h"
#include "ops/functional/shared/function_call.h"

namespace tinytf::ops {
namespace {

/// Calls a function that was not inlined into the plan, or with `kGradient` its gradient.
template <bool kGradient>
class CallKernel final : public Kernel {
 public:
  explicit CallKernel(KernelInit& init)
      : function_(kGradient ? gradient_name(init.attr<FuncRef>("f")) : init.attr<FuncRef>("f")) {}

  Status compute(KernelContext& ctx) override {
    std::vector<Tensor> results;
    TINYTF_RETURN_IF_ERROR(call_function(ctx, function_, inputs_from(ctx, 0), ctx.node().outputs, results));
    set_outputs(ctx, std::move(results));
    return Status();
  }

 private:
  const FuncRef function_;
};

/// Each gradient has the shape of the input that it belongs to.
Status symbolic_gradient_shape(ShapeContext& c) {
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, i < c.num_inputs() ? c.input(i) : PartialShape());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_partitioned_call) {
  using namespace tinytf::ops;
  for (const bool is_stateful : {false, true}) {
    const char* name = is_stateful ? "StatefulPartitionedCall" : "PartitionedCall";
    auto op = ops.op(name);
    op.input("args: Tin")
        .output("output: Tout")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("f: func")
        .attr("config: string = ''")
        .attr("config_proto: string = ''")
        .attr("executor_type: string = ''")
        .may_block()
        .trait(Trait::kCallsFunction)
        .shape(tinytf::shapes::unknown)
        .doc(is_stateful ? "Calls the function `f`, which may be stateful, with `args` and returns its results."
                         : "Calls the function `f`, which must not be stateful, with `args` and returns its results.");
    if (is_stateful) op.stateful();
    kernels.add<CallKernel<false>>(name);
  }

  ops.op("SymbolicGradient")
      .input("input: Tin")
      .output("output: Tout")
      .attr("Tin: list(type) >= 1")
      .attr("Tout: list(type) >= 1")
      .attr("f: func")
      .may_block()
      .trait(Trait::kDerives)
      .shape(symbolic_gradient_shape)
      .doc(
          "Calls the gradient of the function `f`. `input` holds the arguments of `f` followed by the gradients of its "
          "results; `output` holds the gradients of the arguments.");
  kernels.add<CallKernel<true>>("SymbolicGradient");
}
