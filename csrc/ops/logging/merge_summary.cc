#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "op/registration.h"
#include "ops/logging/shared/known_fields.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {
namespace {

constexpr std::array<KnownField, 9> kValueFields = {{
    {kTag, WireType::kBytes, KnownField::kText},
    {kSimpleValue, WireType::kFixed32, KnownField::kChosenValue},
    {3, WireType::kBytes, KnownField::kChosenValue},  // obsolete_old_style_histogram
    {kImage, WireType::kBytes, KnownField::kChosenMessage},
    {kHistogram, WireType::kBytes, KnownField::kChosenMessage},
    {kAudio, WireType::kBytes, KnownField::kChosenMessage},
    {kNodeName, WireType::kBytes, KnownField::kText},
    {kTensor, WireType::kBytes, KnownField::kChosenMessage},
    {kMetadata, WireType::kBytes, KnownField::kMessage},
}};

/// Reads the Values of a Summary. Returns false if it is damaged.
bool read_values(std::string_view summary, std::vector<std::string>* values) {
  WireReader fields(summary);
  while (fields.next()) {
    if (!fields.is(kSummaryValue, WireType::kBytes)) continue;
    bool sound = true;
    values->push_back(in_order(fields.bytes(), kValueFields, &sound));
    if (!sound) return false;
  }
  return fields.ok();
}

/// The tag of a Value whose fields are in order.
std::string tag_of(std::string_view value) {
  WireReader fields(value);
  return fields.next() && fields.is(kTag, WireType::kBytes) ? std::string(fields.bytes()) : "";
}

class MergeSummaryKernel final : public Kernel {
 public:
  explicit MergeSummaryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    return yield_summary(ctx, [&](WireWriter& to) { return merge(ctx, to); });
  }

 private:
  static Status merge(const KernelContext& ctx, WireWriter& to) {
    std::unordered_set<std::string> tags;
    std::vector<std::string> values;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      const Tensor& summaries = ctx.input(i);
      for (int64_t j = 0; j < summaries.num_elements(); ++j) {
        values.clear();
        if (!read_values(summaries.data<std::string>()[j], &values)) {
          return invalid_argument("Could not parse one of the summary inputs");
        }
        for (const std::string& value : values) {
          const std::string tag = tag_of(value);
          if (!tag.empty() && !tags.insert(tag).second) {
            return invalid_argument("Duplicate tag ", tag, " found in summary inputs");
          }
          to.bytes(kSummaryValue, value);
        }
      }
    }
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_merge_summary) {
  using namespace tinytf::ops;
  ops.op("MergeSummary")
      .input("inputs: N * string")
      .output("summary: string")
      .attr("N: int >= 1")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc("Merges the Summaries in `inputs` into one. Fails with InvalidArgument if two values have the same tag.");
  kernels.add<MergeSummaryKernel>("MergeSummary");
}
