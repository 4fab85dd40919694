#include <cstring>
#include <optional>

#include "ops/data/shared/random_words.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class SamplingDataset final : public UnaryDataset {
 public:
  SamplingDataset(DatasetParts parts, RefPtr<const Dataset> input, float rate, Seeds seeds)
      : UnaryDataset(std::move(parts), std::move(input)), rate_(rate), seeds_(seeds) {}

  float rate() const { return rate_; }
  Seeds seeds() const { return seeds_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const float rate_;
  const Seeds seeds_;
};

class SamplingIterator final : public UnaryIterator<SamplingDataset> {
 public:
  SamplingIterator(const SamplingDataset& dataset, IteratorPtr input)
      : UnaryIterator(dataset, std::move(input)), seeds_(dataset.seeds()) {
    words_.emplace(seeds_.seed, seeds_.seed2);
  }

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled != Pulled::kElement || uniform() < dataset().rate()) return pulled;
    }
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("seed", seeds_.seed);
    state.put_int("seed2", seeds_.seed2);
    state.put_int("drawn", words_->drawn());
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(seeds_.seed, state.get_int("seed"));
    TINYTF_ASSIGN_OR_RETURN(seeds_.seed2, state.get_int("seed2"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t drawn, state.get_int("drawn", 0, INT64_MAX));
    words_.emplace(seeds_.seed, seeds_.seed2);
    words_->set_drawn(drawn);
    return UnaryIterator::restore(ctx, state);
  }

 private:
  /// In [0, 1), of the low 23 bits of a word.
  float uniform() {
    const uint32_t bits = 0x3F800000u | (words_->next() & 0x7FFFFFu);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value - 1.0f;
  }

  Seeds seeds_;
  std::optional<RandomWords> words_;
};

Result<IteratorPtr> SamplingDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<SamplingIterator>(*this, ctx);
}

class SamplingKernel final : public DatasetKernel {
 public:
  explicit SamplingKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const float rate, scalar_input<float>(ctx, 1, "rate"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed, scalar_input<int64_t>(ctx, 2, "seed"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t seed2, scalar_input<int64_t>(ctx, 3, "seed2"));
    return RefPtr<const Dataset>(
        make_ref<SamplingDataset>(std::move(parts), std::move(input), rate, Seeds::of(seed, seed2)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_sampling) {
  using namespace tinytf::ops;
  ops.op("SamplingDataset")
      .input("input_dataset: variant")
      .input("rate: float")
      .input("seed: int64")
      .input("seed2: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2, 3>)
      .no_gradient()
      .doc("Makes a dataset that takes each element of the input with probability `rate`.");
  kernels.add<SamplingKernel>("SamplingDataset");
}
