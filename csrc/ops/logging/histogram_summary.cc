#include <cmath>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/logging/shared/histogram.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {

namespace {

constexpr double kNanoseconds = 2;  // approximate cost of a number
constexpr int64_t kBlock = 512;     // number of values converted at a time

/// Name of the kind of the first value that is not finite; null if all are finite.
const char* first_odd(const double* values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (std::isnan(values[i])) return "Nan";
    if (std::isinf(values[i])) return "Infinity";
  }
  return nullptr;
}

}  // namespace

Status write_histogram(WireWriter& summary, std::string_view tag, const Tensor& values, const std::string& node,
                       Parallel& parallel) {
  const auto convert = kernels::table().cast.loop(values.dtype(), DType::kDouble);
  const char* elements = static_cast<const char*>(values.raw());
  const size_t size = dtype_size(values.dtype());
  Histogram histogram;
  const char* odd = nullptr;
  parallel.run_in_order(values.num_elements(), kNanoseconds, [&](int64_t begin, int64_t end) {
    double block[kBlock];
    for (int64_t i = begin; i < end && odd == nullptr; i += kBlock) {
      const int64_t n = std::min(kBlock, end - i);
      convert(elements + static_cast<size_t>(i) * size, block, n);
      histogram.add(block, n);
      if (!histogram.is_finite()) odd = first_odd(block, n);
    }
  });
  if (odd != nullptr) return invalid_argument(odd, " in summary histogram for: ", node);
  summary.nested(kSummaryValue, [&] {
    if (!tag.empty()) summary.bytes(kTag, tag);
    summary.nested(kHistogram, [&] { histogram.write(summary); });
  });
  return Status();
}

namespace {

class HistogramSummaryKernel final : public Kernel {
 public:
  explicit HistogramSummaryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string_view tag, scalar_text(ctx, 0, "tags must be scalar"));
    return yield_summary(
        ctx, [&](WireWriter& to) { return write_histogram(to, tag, ctx.input(1), ctx.node().name, ctx.parallel()); });
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_histogram_summary) {
  using namespace tinytf::ops;
  ops.op("HistogramSummary")
      .input("tag: string")
      .input("values: T")
      .output("summary: string")
      .attr("T: realnumbertype = DT_FLOAT")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc("Returns a Summary with a histogram of `values`. Fails with InvalidArgument unless all values are finite.");
  kernels.add<HistogramSummaryKernel>("HistogramSummary").where("T", kReals);
}
