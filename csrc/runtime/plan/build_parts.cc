#include "runtime/plan/build_parts.h"

#include <algorithm>
#include <utility>

#include "graph/passes/value_origins.h"
#include "graph/shape_claims.h"
#include "op/async_kernel.h"
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

Status check_claims(const KernelContext& ctx, const std::vector<PartialShape>& claims) {
  for (int i = 0; i < static_cast<int>(claims.size()); ++i) {
    const Tensor& value = ctx.output(i).tensor;
    if (value.valid()) TINYTF_RETURN_IF_ERROR(check_claim(ctx.node(), i, claims[i], value.shape()));
  }
  return Status();
}

class ClaimCheckingKernel final : public Kernel {
 public:
  ClaimCheckingKernel(std::shared_ptr<Kernel> kernel, std::vector<PartialShape> claims)
      : kernel_(std::move(kernel)), claims_(std::move(claims)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(kernel_->compute(ctx));
    return check_claims(ctx, claims_);
  }
  void note_constant_input(int i) override { kernel_->note_constant_input(i); }

 private:
  const std::shared_ptr<Kernel> kernel_;
  const std::vector<PartialShape> claims_;
};

class ClaimCheckingAsyncKernel final : public AsyncKernel {
 public:
  ClaimCheckingAsyncKernel(std::shared_ptr<Kernel> kernel, std::vector<PartialShape> claims)
      : kernel_(std::move(kernel)), claims_(std::move(claims)) {}

  void compute_async(KernelContext& ctx, Done done) override {
    static_cast<AsyncKernel&>(*kernel_).compute_async(ctx, [this, &ctx, done = std::move(done)](Status computed) {
      done(computed.ok() ? check_claims(ctx, claims_) : std::move(computed));
    });
  }

 private:
  const std::shared_ptr<Kernel> kernel_;
  const std::vector<PartialShape> claims_;
};

std::string name_of(Endpoint e) { return str_cat(e.node->name(), ":", e.index); }

/// TensorFlow's name for the feed of an output. Feeds are numbered in the order of their names.
std::string name_of_feed(const NodeInfo& source, int output, const std::vector<Endpoint>& feeds) {
  const std::string name = str_cat(source.name, ":", output);
  const auto number = std::count_if(feeds.begin(), feeds.end(), [&](Endpoint e) { return name_of(e) < name; });
  return str_cat("_arg_", source.name, "_", output, "_", number);
}

/// The tensor that an input is a copy of. TensorFlow removes such copies from a step, except for copies that read a
/// reference.
SubgraphNode::Input copied_from(const Subgraph& subgraph, SubgraphNode::Input input) {
  for (;;) {
    const SubgraphNode& node = subgraph.source(input);
    if (subgraph.fed(input) || !node.control_inputs.empty() || !only_copies(subgraph, node)) return input;
    input = node.inputs[0];
  }
}

std::string tensor_name(const SubgraphNode& source, int output, const std::vector<Endpoint>& feeds,
                        bool are_arguments) {
  if (source.fed(output) && !are_arguments) return name_of_feed(*source.info, output, feeds);
  return output == 0 ? source.info->name : str_cat(source.info->name, ":", output);
}

}  // namespace

std::shared_ptr<Kernel> claim_checking_kernel(std::shared_ptr<Kernel> kernel, std::vector<PartialShape> claims) {
  if (kernel->is_async()) return std::make_shared<ClaimCheckingAsyncKernel>(std::move(kernel), std::move(claims));
  return std::make_shared<ClaimCheckingKernel>(std::move(kernel), std::move(claims));
}

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

void name_checked_inputs(Subgraph& subgraph, const std::vector<Endpoint>& feeds, bool are_arguments) {
  for (SubgraphNode& node : subgraph.nodes) {
    if (node.removed || node.info->op->name != "EnsureShape" || node.inputs.size() != 1) continue;
    const auto [source, output] = copied_from(subgraph, node.inputs[0]);
    auto named = std::make_shared<NodeInfo>(*node.info);
    named->attrs.set("_input", AttrValue(tensor_name(subgraph.nodes[source], output, feeds, are_arguments)));
    node.info = std::move(named);
  }
}

Status no_reference(const NodeInfo& node, size_t index, const SubgraphNode& source, int output,
                    const std::vector<Endpoint>& feeds, bool is_partial) {
  const auto type = dtype_name(node.inputs[index].dtype);
  std::string from = str_cat(source.info->name, ":", output);
  if (source.fed(output)) {
    from = is_partial ? str_cat("_recv_", source.info->name, "_", output, ":0")
                      : str_cat(name_of_feed(*source.info, output, feeds), ":0");
  }
  return invalid_argument("Input ", index, " of node ", node.name, " was passed ", type, " from ", from,
                          " incompatible with expected ", type, "_ref.");
}

}  // namespace tinytf
