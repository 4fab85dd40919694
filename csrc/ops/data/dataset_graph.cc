#include "data/dataset_graph.h"

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class DatasetToGraphKernel final : public Kernel {
 public:
  explicit DatasetToGraphKernel(KernelInit& init)
      : allowed_(init.attr<std::vector<std::string>>("stateful_whitelist")) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Dataset* dataset, data::dataset_of(ctx.input(0)));
    TINYTF_ASSIGN_OR_RETURN(std::string bytes, data::write_dataset(*dataset, {allowed_}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<std::string>() = std::move(bytes);
    return Status();
  }

 private:
  const std::vector<std::string> allowed_;
};

class DatasetFromGraphKernel final : public Kernel {
 public:
  explicit DatasetFromGraphKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string bytes, scalar_input<std::string>(ctx, 0, "graph_def"));
    TINYTF_ASSIGN_OR_RETURN(Tensor made, data::read_dataset(bytes, ctx.step()));
    ctx.set_output(0, std::move(made));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dataset_graph) {
  using namespace tinytf::ops;
  ops.op("DatasetToGraph")
      .input("input_dataset: variant")
      .output("graph: string")
      .attr("stateful_whitelist: list(string) >= 0 = []")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns a serialized GraphDef whose node `dataset` yields an equal dataset. Fails if a function of the "
          "dataset has a stateful op that is not in `stateful_whitelist`.");
  kernels.add<DatasetToGraphKernel>("DatasetToGraph");

  ops.op("DatasetFromGraph")
      .input("graph_def: string")
      .output("handle: variant")
      .shape(shapes::dataset<0>)
      .no_gradient()
      .doc("Returns the dataset that the graph in a serialized GraphDef yields, as DatasetToGraph writes it.");
  kernels.add<DatasetFromGraphKernel>("DatasetFromGraph");
}
