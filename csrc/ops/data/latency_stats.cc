#include <chrono>
#include <optional>

#include "ops/data/shared/measured_stage.h"

namespace tinytf::ops {
namespace {

class LatencyIterator final : public UnaryIterator<MeasuredDataset<LatencyIterator>> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!start_) start_ = Clock::now();
    Result<Pulled> pulled = input().next(ctx, element);
    if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - *start_).count();
    start_.reset();
    const bool has_ended = pulled.ok() && pulled.value() == Pulled::kEnd;
    if (ctx.statistics != nullptr && !has_ended) {
      ctx.statistics->add_to_histogram(dataset().tag(), static_cast<double>(micros));
    }
    return pulled;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> start_;  // Of the pull that is pending.
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_latency_stats) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MeasuredDatasetKernel<LatencyIterator>>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("tag: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::dataset<1>)
        .no_gradient();
  };
  declare("LatencyStatsDataset")
      .doc(
          "Makes a dataset of the elements of the input that reports the microseconds until each element came, as a "
          "histogram of name `tag`.");
  declare("ExperimentalLatencyStatsDataset").doc("An earlier name of LatencyStatsDataset.");
}
