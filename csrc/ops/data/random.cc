#include <cstdint>
#include <random>

#include "kernels/random.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

/// 32-bit random numbers, without end.
class RandomDataset final : public Dataset {
 public:
  RandomDataset(DatasetParts parts, const kernels::Philox& generator)
      : Dataset(std::move(parts)), generator_(generator) {}

  const kernels::Philox& generator() const { return generator_; }
  int64_t cardinality() const override { return data::kInfiniteCardinality; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

 private:
  const kernels::Philox generator_;
};

class RandomIterator final : public IteratorOf<RandomDataset> {
 public:
  explicit RandomIterator(const RandomDataset& dataset) : IteratorOf(dataset), generator_(dataset.generator()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    element.resize(1);
    Tensor& value = element[0];
    if (value.dtype() != DType::kInt64 || value.rank() != 0 || !value.writable_in_place()) {
      TINYTF_ASSIGN_OR_RETURN(value, Tensor::allocate(ctx.allocator(), DType::kInt64, Shape()));
    }
    if (drawn_ % kWords == 0) generator_.next(words_);
    *value.data<int64_t>() = words_[drawn_++ % kWords];
    return Pulled::kElement;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("drawn", static_cast<int64_t>(drawn_));
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t drawn, state.get_int("drawn", 0, INT64_MAX));
    drawn_ = static_cast<uint64_t>(drawn);
    generator_ = dataset().generator();
    generator_.skip(drawn_ / kWords);
    if (drawn_ % kWords != 0) generator_.next(words_);
    return Status();
  }

 private:
  static constexpr uint64_t kWords = 4;  // Numbers of one call of the generator.
  kernels::Philox generator_;
  uint32_t words_[kWords] = {};
  uint64_t drawn_ = 0;
};

Result<IteratorPtr> RandomDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<RandomIterator>(*this));
}

int64_t drawn_seed() {
  std::random_device device;
  return static_cast<int64_t>(uint64_t{device()} << 32 | device());
}

class RandomKernel final : public DatasetKernel {
 public:
  explicit RandomKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(int64_t seed, scalar_input<int64_t>(ctx, 0, "seed"));
    TINYTF_ASSIGN_OR_RETURN(int64_t seed2, scalar_input<int64_t>(ctx, 1, "seed2"));
    if (seed == 0 && seed2 == 0) {  // The dataset has the seeds that were drawn for it, also as a graph.
      seed = drawn_seed();
      seed2 = drawn_seed();
      parts.origin.inputs = {Tensor::scalar(seed), Tensor::scalar(seed2)};
    }
    const auto generator = kernels::Philox::from_seeds(seed, seed2);
    return RefPtr<const Dataset>(make_ref<RandomDataset>(std::move(parts), generator));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_random) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<RandomKernel>(name);
    return ops.op(name)
        .input("seed: int64")
        .input("seed2: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(shapes::dataset<0, 1>)
        .no_gradient();
  };
  declare("RandomDataset")
      .doc(
          "Makes a dataset of random numbers in [0, 2^32), without end. If both seeds are 0, each execution makes "
          "another one.");
  declare("ExperimentalRandomDataset").doc("An earlier name of RandomDataset.");
}
