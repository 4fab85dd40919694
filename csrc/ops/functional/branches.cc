#include "op/lowered.h"
#include "ops/functional/shared/function_call.h"

namespace tinytf::ops {
namespace {

/// Calls one of several functions that were not inlined into the plan.
class BranchKernel final : public Kernel {
 public:
  explicit BranchKernel(KernelInit& init) {
    if (init.node().attrs.get<std::vector<FuncRef>>("branches") != nullptr) {
      branches_ = init.attr<std::vector<FuncRef>>("branches");
    } else {
      branches_ = {init.attr<FuncRef>("else_branch"), init.attr<FuncRef>("then_branch")};
      is_if_ = true;
    }
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const size_t chosen, choice(ctx.node(), ctx.input(0)));
    std::vector<Tensor> results;
    FunctionOwner owner;
    if (is_lowered(ctx.node())) owner = {this, static_cast<int>(chosen)};
    TINYTF_RETURN_IF_ERROR(
        call_function(ctx, branches_[chosen], inputs_from(ctx, 1), ctx.node().outputs, results, owner));
    set_outputs(ctx, std::move(results));
    return Status();
  }

 private:
  Result<size_t> choice(const NodeInfo& node, const Tensor& value) const {
    if (is_if_) {
      TINYTF_ASSIGN_OR_RETURN(const bool holds, condition(node, value));
      return holds ? 1 : 0;
    }
    if (value.rank() != 0) return invalid_argument("branch_index must be scalar");
    const int64_t index = value.int_at(0), count = static_cast<int64_t>(branches_.size());
    return static_cast<size_t>(index < 0 || index >= count ? count - 1 : index);
  }

  std::vector<FuncRef> branches_;
  bool is_if_ = false;
};

/// Output shapes from attr `output_shapes`, unknown if it is empty.
Status branch_shape(ShapeContext& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  if (shapes.empty()) return shapes::unknown(c);
  if (static_cast<int>(shapes.size()) != c.num_outputs()) {
    return invalid_argument("`output_shapes` must be the same length as num outputs (", shapes.size(), " vs. ",
                            c.num_outputs());
  }
  for (size_t i = 0; i < shapes.size(); ++i) c.set_output(static_cast<int>(i), shapes[i]);
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(functional_branches) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name, const char* choice, bool is_stateful) -> OpDefBuilder {
    kernels.add<BranchKernel>(name);
    OpDefBuilder op = ops.op(name);
    op.input(choice).input("input: Tin").output("output: Tout").may_block().trait(Trait::kChooses).shape(branch_shape);
    if (is_stateful) op.stateful();
    return op;
  };
  for (const bool is_stateful : {false, true}) {
    declare(is_stateful ? "If" : "StatelessIf", "cond: Tcond", is_stateful)
        .attr("Tcond: type")
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("then_branch: func")
        .attr("else_branch: func")
        .attr("output_shapes: list(shape) = []")
        .doc(
            "Calls the function `then_branch` with `input` if `cond` is true, else the function `else_branch`, and "
            "returns its results. `cond` is true if it is a nonzero number, a non-empty string or a non-scalar with "
            "elements.");
    declare(is_stateful ? "Case" : "StatelessCase", "branch_index: int32", is_stateful)
        .attr("Tin: list(type) >= 0")
        .attr("Tout: list(type) >= 0")
        .attr("branches: list(func) >= 1")
        .attr("output_shapes: list(shape) = []")
        .doc(
            "Calls the function at position `branch_index` of `branches` with `input` and returns its results. If "
            "`branch_index` is out of range, it calls the last one.");
  }
}
