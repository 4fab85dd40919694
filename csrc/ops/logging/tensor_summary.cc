#include "io/tensor_proto.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/logging/shared/known_fields.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {

namespace {

constexpr std::array<KnownField, 3> kMetadataFields = {{
    {1, WireType::kBytes, KnownField::kMessage},  // plugin_data
    {2, WireType::kBytes, KnownField::kText},     // display_name
    {3, WireType::kBytes, KnownField::kText},     // summary_description
}};

}  // namespace

Status write_shown_tensor(WireWriter& summary, std::string_view tag, const Tensor& tensor, std::string_view metadata,
                          Undescribed undescribed) {
  bool sound = true;
  Status status;
  summary.nested(kSummaryValue, [&] {
    if (!tag.empty()) summary.bytes(kTag, tag);
    summary.nested(kTensor, [&] { status = write_tensor_memory(summary, tensor); });
    if (metadata.empty() && undescribed == Undescribed::kWithoutMetadata) return;
    summary.bytes(kMetadata, in_order(metadata, kMetadataFields, &sound));
  });
  return status;
}

namespace {

class TensorSummaryV2Kernel final : public Kernel {
 public:
  explicit TensorSummaryV2Kernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string_view tag, scalar_text(ctx, 0, "tag must be scalar"));
    TINYTF_ASSIGN_OR_RETURN(const std::string_view metadata,
                            scalar_text(ctx, 2, "serialized_summary_metadata must be scalar"));
    return yield_summary(ctx, [&](WireWriter& to) { return write_shown_tensor(to, tag, ctx.input(1), metadata); });
  }
};

/// Kernel of TensorSummary. The Value has the name of the node instead of a tag.
class TensorSummaryKernel final : public Kernel {
 public:
  explicit TensorSummaryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    return yield_summary(ctx, [&](WireWriter& to) {
      Status status;
      to.nested(kSummaryValue, [&] {
        to.bytes(kNodeName, ctx.node().name);
        to.nested(kTensor, [&] { status = write_tensor_memory(to, ctx.input(0)); });
      });
      return status;
    });
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_tensor_summary) {
  using namespace tinytf::ops;
  const auto types = any_of({kNumbers, kBool, {tinytf::DType::kString}});
  ops.op("TensorSummaryV2")
      .input("tag: string")
      .input("tensor: T")
      .input("serialized_summary_metadata: string")
      .output("summary: string")
      .attr("T: type")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc(
          "Returns a Summary with the value `tensor` under `tag`. `serialized_summary_metadata` is a SummaryMetadata "
          "that names the plugin that displays it.");
  kernels.add<TensorSummaryV2Kernel>("TensorSummaryV2").where("T", types);
  ops.op("TensorSummary")
      .input("tensor: T")
      .output("summary: string")
      .attr("T: type")
      .attr("description: string = ''")
      .attr("labels: list(string) = []")
      .attr("display_name: string = ''")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc(
          "Returns a Summary with the value `tensor` under the name of the node. The attrs `description`, `labels` and "
          "`display_name` have no effect on it.");
  kernels.add<TensorSummaryKernel>("TensorSummary").where("T", types);
}
