#include <algorithm>
#include <chrono>
#include <thread>

#include "ops/data/shared/unary_stage.h"
#include "services/fork_gate.h"

namespace tinytf::ops {
namespace {

class SleepDataset final : public UnaryDataset {
 public:
  SleepDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t micros)
      : UnaryDataset(std::move(parts), std::move(input)), micros_(micros) {}

  int64_t micros() const { return micros_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const int64_t micros_;
};

class SleepIterator final : public UnaryIterator<SleepDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!has_slept_) TINYTF_RETURN_IF_ERROR(sleep(ctx));
    has_slept_ = true;
    Result<Pulled> pulled = input().next(ctx, element);
    has_slept_ = pulled.ok() && pulled.value() == Pulled::kPending;
    return pulled;
  }

 private:
  /// In short pieces, so that the end of the step ends it.
  Status sleep(const IteratorContext& ctx) const {
    using std::chrono::microseconds;
    constexpr microseconds kPiece(10000);
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      const auto slept = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin).count();
      if (slept >= dataset().micros()) return Status();
      const ForkGate::Outside outside;
      std::this_thread::sleep_for(std::min(kPiece, microseconds(dataset().micros() - slept)));
    }
  }

  bool has_slept_ = false;  // Before the pull that is pending.
};

Result<IteratorPtr> SleepDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<SleepIterator>(*this, ctx);
}

class SleepKernel final : public DatasetKernel {
 public:
  explicit SleepKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t micros, scalar_input<int64_t>(ctx, 1, "sleep_microseconds"));
    if (micros < 0) return invalid_argument("`sleep_microseconds` must be >= 0");
    return RefPtr<const Dataset>(make_ref<SleepDataset>(std::move(parts), std::move(input), micros));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_sleep) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<SleepKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("sleep_microseconds: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::dataset<0, 1>)
        .no_gradient();
  };
  declare("SleepDataset")
      .doc("Makes a dataset of the elements of the input that waits `sleep_microseconds` before each.");
  declare("ExperimentalSleepDataset").doc("An earlier name of SleepDataset.");
}
