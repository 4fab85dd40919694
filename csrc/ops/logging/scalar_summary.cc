#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {

void write_scalar(WireWriter& summary, std::string_view tag, const Tensor& values, int64_t i) {
  const char* element = static_cast<const char*>(values.raw()) + static_cast<size_t>(i) * dtype_size(values.dtype());
  float value = 0;
  kernels::table().cast.loop(values.dtype(), DType::kFloat)(element, &value, 1);
  summary.nested(kSummaryValue, [&] {
    if (!tag.empty()) summary.bytes(kTag, tag);
    summary.float32(kSimpleValue, value);
  });
}

namespace {

class ScalarSummaryKernel final : public Kernel {
 public:
  explicit ScalarSummaryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& tags = ctx.input(0);
    const Tensor& values = ctx.input(1);
    if (tags.shape() != values.shape()) {
      return invalid_argument("tags and values not the same shape: ", tags.shape().to_string(),
                              " != ", values.shape().to_string(), which_tag(tags));
    }
    return yield_summary(ctx, [&](WireWriter& to) {
      for (int64_t i = 0; i < tags.num_elements(); ++i) write_scalar(to, tags.data<std::string>()[i], values, i);
      return Status();
    });
  }

 private:
  static std::string which_tag(const Tensor& tags) {
    return tags.num_elements() == 1 ? str_cat(" (tag '", *tags.data<std::string>(), "')") : "";
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_scalar_summary) {
  using namespace tinytf::ops;
  ops.op("ScalarSummary")
      .input("tags: string")
      .input("values: T")
      .output("summary: string")
      .attr("T: realnumbertype")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc("Returns a Summary with the numbers `values`, one for each tag in `tags`. Both have equal shapes.");
  kernels.add<ScalarSummaryKernel>("ScalarSummary").where("T", kReals);
}
