#include <algorithm>
#include <iterator>

#include "data/blocking_iterator.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/data/shared/unary_stage.h"
#include "ops/output_shapes.h"

namespace tinytf::ops {
namespace {

class ReduceDatasetKernel final : public Kernel {
 public:
  explicit ReduceDatasetKernel(KernelInit& init)
      : function_(init.attr<FuncRef>("f")), states_(list_length(init.node(), "Tstate")), spec_(spec_of(init)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    Element state = inputs_between(ctx, 1, states_);
    const int first = 1 + states_;
    TINYTF_ASSIGN_OR_RETURN(
        const data::CapturedFunction captured,
        data::CapturedFunction::of(ctx, function_, inputs_between(ctx, first, ctx.num_inputs() - first)));
    data::BlockingIterator iterator(ctx.step());
    TINYTF_RETURN_IF_ERROR(iterator.start(*dataset));
    TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<data::BoundFunction> function, captured.bind(iterator.context()));
    TINYTF_RETURN_IF_ERROR(run(iterator, *function, state));
    TINYTF_RETURN_IF_ERROR(data::check_element(spec_, state));
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(state[static_cast<size_t>(i)]));
    return Status();
  }

 private:
  static Status run(data::BlockingIterator& iterator, data::BoundFunction& function, Element& state) {
    Element element;
    for (;;) {
      TINYTF_ASSIGN_OR_RETURN(const bool has_element, iterator.next(element));
      if (!has_element) return Status();
      std::move(element.begin(), element.end(), std::back_inserter(state));
      TINYTF_RETURN_IF_ERROR(function.run(iterator.context(), state));
    }
  }

  const FuncRef function_;
  const int states_;
  const ElementSpec spec_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_reduce) {
  using namespace tinytf::ops;
  ops.op("ReduceDataset")
      .input("input_dataset: variant")
      .input("initial_state: Tstate")
      .input("other_arguments: Targuments")
      .output("components: output_types")
      .attr("f: func")
      .attr("Tstate: list(type) >= 1")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("use_inter_op_parallelism: bool = true")
      .stateful()
      .may_block()
      .trait(Trait::kReadsExternalState)
      .shape(shapes::output_shapes)
      .not_differentiable()
      .doc("Applies `f` to the state and each element of the dataset, in order, and returns the last state.");
  kernels.add<ReduceDatasetKernel>("ReduceDataset");
}
