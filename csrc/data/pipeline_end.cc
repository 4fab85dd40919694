#include "data/pipeline_end.h"

#include <utility>

namespace tinytf::data {

namespace {

/// What a pipeline knows about its end.
struct PipelineEnd final : RefCounted {
  explicit PipelineEnd(RefPtr<const Dataset> last) : dataset(std::move(last)) {}
  const RefPtr<const Dataset> dataset;
};

}  // namespace

Result<std::unique_ptr<Iterator>> make_last_iterator(IteratorContext& ctx, const Dataset& dataset) {
  ctx.tasks.set_end(make_ref<PipelineEnd>(RefPtr<const Dataset>::share(&dataset)));
  return dataset.make_iterator(ctx);
}

const Dataset* enclosing_dataset(const IteratorContext& ctx) {
  if (ctx.inner != nullptr) return ctx.inner;
  const auto* const end = static_cast<const PipelineEnd*>(ctx.tasks.end());
  return end != nullptr ? end->dataset.get() : nullptr;
}

}  // namespace tinytf::data
