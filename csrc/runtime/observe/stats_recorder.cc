#include "runtime/observe/stats_recorder.h"

#include "op/kernel.h"

namespace tinytf {

Status StatsRecorder::after(const KernelContext& ctx, int64_t start_ns, const Iterations& iterations) {
  NodeStats stats;
  stats.node = ctx.node().name;
  stats.thread = StepStats::this_thread();
  stats.start_ns = stats_.since_epoch(start_ns);
  stats.end_ns = stats_.now();
  for (int i = 0; i < ctx.num_outputs(); ++i) {
    const Tensor& output = ctx.output(i).tensor;
    if (!output.valid()) continue;
    stats.outputs.push_back({i, output.dtype(), output.shape(), static_cast<int64_t>(output.bytes())});
  }
  stats.iterations = iterations.to_string();
  stats_.add(std::move(stats));
  return Status();
}

}  // namespace tinytf
