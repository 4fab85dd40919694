#include "op/function_runner.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// Calls a function that did not become a part of the plan.
class CallKernel final : public Kernel {
 public:
  explicit CallKernel(KernelInit& init) : function_(init.attr<FuncRef>("f")) {}

  Status compute(KernelContext& ctx) override {
    FunctionRunner* functions = ctx.step().functions;
    if (functions == nullptr) return failed_precondition("Function ", function_.name, " can only be called in steps");
    std::vector<Tensor> arguments(ctx.num_inputs()), results;
    for (int i = 0; i < ctx.num_inputs(); ++i) arguments[i] = ctx.input(i);
    TINYTF_RETURN_IF_ERROR(functions->run(function_, ctx.step(), std::move(arguments), results));
    if (static_cast<int>(results.size()) != ctx.num_outputs()) {
      return invalid_argument("Function ", function_.name, " yields ", results.size(), " values, not ",
                              ctx.num_outputs());
    }
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      const DType expected = ctx.node().outputs[i].dtype;
      if (results[i].dtype() != expected) {
        return invalid_argument("Value ", i, " of function ", function_.name, " is ", dtype_name(results[i].dtype()),
                                ", but expects ", dtype_name(expected));
      }
      ctx.set_output(i, std::move(results[i]));
    }
    return Status();
  }

 private:
  const FuncRef function_;
};

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
        .doc(is_stateful ? "What the function `f`, which may be stateful, yields for `args`."
                         : "What the function `f`, which is not stateful, yields for `args`.");
    if (is_stateful) op.stateful();
    kernels.add<CallKernel>(name);
  }
}
