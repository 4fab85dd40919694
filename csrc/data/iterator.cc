#include "data/iterator.h"

#include "data/batch_rows.h"
#include "services/thread_pool.h"

namespace tinytf::data {

namespace {

const Status kCancelled(Code::kCancelled, "Iteration was cancelled");  // Made at start-up. Copies share the text.

}  // namespace

Status iteration_cancelled() { return kCancelled; }

Status IteratorContext::check() const {
  const bool is_over = step.stop_check != nullptr ? step.stop_check->is_over() : step.cancellation->cancelled();
  return is_over ? iteration_cancelled() : Status();
}

Result<Pulled> Iterator::pull_rows(PullContext& ctx, int64_t size, BatchRows& rows) {
  Element element;
  while (rows.collected() < size) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, pull(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
    rows.collect(ctx.allocator(), element, size);
  }
  return Pulled::kElement;
}

uint64_t place_inside(uint64_t place, int levels, int64_t index) {
  uint64_t mixed = place;
  for (const uint64_t word : {static_cast<uint64_t>(levels) + 1, static_cast<uint64_t>(index) + 1}) {
    mixed = (mixed ^ word) * 0x9E3779B97F4A7C15u;  // the finalizer of SplitMix64
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
  }
  return mixed;
}

}  // namespace tinytf::data
