#include "ops/functional/shared/function_call.h"

namespace tinytf::ops {
namespace {

/// Runs a loop whose functions were not inlined into the plan.
class WhileKernel final : public Kernel {
 public:
  explicit WhileKernel(KernelInit& init) : cond_(init.attr<FuncRef>("cond")), body_(init.attr<FuncRef>("body")) {}

  Status compute(KernelContext& ctx) override {
    std::vector<Tensor> variables = inputs_from(ctx, 0);
    for (;;) {
      std::vector<Tensor> results;
      TINYTF_RETURN_IF_ERROR(ctx.step().functions == nullptr
                                 ? failed_precondition("Function ", cond_.name, " can only be called while a step runs")
                                 : ctx.step().functions->run(cond_, ctx.step(), variables, results));
      if (results.size() != 1) {
        return invalid_argument("Function ", cond_.name, " yields ", results.size(), " values, not 1");
      }
      TINYTF_ASSIGN_OR_RETURN(const bool goes_on, condition(ctx.node(), results[0]));
      if (!goes_on) break;
      results.clear();
      TINYTF_RETURN_IF_ERROR(call_function(ctx, body_, std::move(variables), ctx.node().outputs, results));
      variables = std::move(results);
    }
    set_outputs(ctx, std::move(variables));
    return Status();
  }

 private:
  const FuncRef cond_, body_;
};

/// Output shapes from attr `output_shapes`; if it is empty, the shapes of the inputs.
Status loop_shape(ShapeContext& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  if (!shapes.empty() && static_cast<int>(shapes.size()) != c.num_outputs()) {
    return invalid_argument("`output_shapes` must be the same length as num outputs (", shapes.size(), " vs. ",
                            c.num_outputs());
  }
  for (int i = 0; i < c.num_outputs(); ++i) {
    c.set_output(i, shapes.empty() ? c.input(i) : shapes[static_cast<size_t>(i)]);
    if (const HandleInfo* info = c.input_handle(i)) c.set_output_handle(i, *info);
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_loop) {
  using namespace tinytf::ops;
  for (const bool is_stateful : {false, true}) {
    const char* name = is_stateful ? "While" : "StatelessWhile";
    kernels.add<WhileKernel>(name);
    OpDefBuilder op = ops.op(name);
    op.input("input: T")
        .output("output: T")
        .attr("T: list(type) >= 0")
        .attr("cond: func")
        .attr("body: func")
        .attr("output_shapes: list(shape) = []")
        .attr("parallel_iterations: int = 10")
        .may_block()
        .trait(Trait::kRepeats)
        .shape(loop_shape)
        .doc(
            "Calls the function `body` repeatedly, first with `input` and then with its own results, as long as the "
            "function `cond` returns true for these values. Returns the last values.");
    if (is_stateful) op.stateful();
  }
}
