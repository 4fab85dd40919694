#include "runtime/plan/build_parts.h"

#include <algorithm>
#include <utility>

#include "op/op_registry.h"

namespace tinytf {

namespace {

class KnownValuesKernel final : public Kernel {
 public:
  explicit KnownValuesKernel(std::vector<Tensor> values) : values_(std::move(values)) {}

  Status compute(KernelContext& ctx) override {
    for (size_t i = 0; i < values_.size(); ++i) ctx.set_output(static_cast<int>(i), values_[i]);
    return Status();
  }

 private:
  const std::vector<Tensor> values_;
};

class FailingKernel final : public Kernel {
 public:
  explicit FailingKernel(Status status) : status_(std::move(status)) {}

  Status compute(KernelContext&) override { return status_; }

 private:
  const Status status_;
};

}  // namespace

std::shared_ptr<Kernel> failing_kernel(Status status) { return std::make_shared<FailingKernel>(std::move(status)); }

std::shared_ptr<Kernel> known_values_kernel(std::vector<Tensor> values) {
  return std::make_shared<KnownValuesKernel>(std::move(values));
}

std::shared_ptr<const NodeInfo> known_values_node(const NodeInfo& of) {
  auto info = std::make_shared<NodeInfo>();
  info->name = of.name;
  info->op = OpRegistry::global().find("Const");
  info->device = of.device;
  info->outputs = of.outputs;
  return info;
}

Status no_reference(const NodeInfo& node, size_t index, const SubgraphNode& source, int output,
                    const std::vector<Endpoint>& feeds, bool is_partial) {
  const auto type = dtype_name(node.inputs[index].dtype);
  std::string from = str_cat(source.info->name, ":", output);
  if (source.fed(output)) {
    const auto name_of = [](Endpoint e) { return str_cat(e.node->name(), ":", e.index); };
    // Feeds are numbered by their names' order there.
    const auto number = std::count_if(feeds.begin(), feeds.end(), [&](Endpoint e) { return name_of(e) < from; });
    from = is_partial ? str_cat("_recv_", source.info->name, "_", output, ":0")
                      : str_cat("_arg_", source.info->name, "_", output, "_", number, ":0");
  }
  return invalid_argument("Input ", index, " of node ", node.name, " was passed ", type, " from ", from,
                          " incompatible with expected ", type, "_ref.");
}

}  // namespace tinytf
