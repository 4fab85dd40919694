#include "base/checked.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class ConcatenateDataset final : public Dataset {
 public:
  ConcatenateDataset(DatasetParts parts, RefPtr<const Dataset> first, RefPtr<const Dataset> second)
      : Dataset(std::move(parts)), first_(std::move(first)), second_(std::move(second)) {}

  const Dataset& part(int64_t i) const { return i == 0 ? *first_ : *second_; }
  int64_t cardinality() const override {
    const int64_t a = first_->cardinality(), b = second_->cardinality();
    for (const int64_t kind : {data::kInfiniteCardinality, data::kUnknownCardinality}) {
      if (a == kind || b == kind) return kind;
    }
    const Size sum = Size(a) + b;
    return sum.ok() ? sum.value() : data::kUnknownCardinality;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const RefPtr<const Dataset> first_, second_;
};

class ConcatenateIterator final : public IteratorOf<ConcatenateDataset> {
 public:
  ConcatenateIterator(const ConcatenateDataset& dataset, uint64_t place) : IteratorOf(dataset), place_(place) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (; part_ < 2; ++part_, input_ = nullptr) {
      if (!input_) TINYTF_RETURN_IF_ERROR(start_part(ctx));
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input_->next(ctx, element));
      if (pulled != Pulled::kEnd) return pulled;
    }
    return Pulled::kEnd;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("part", part_);
    state.put_int("has_input", input_ != nullptr);
    StateWriter input = state.inside("input");
    return input_ ? input_->save(ctx, input) : Status();
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(part_, state.get_int("part", 0, 2));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_input, state.get_int("has_input", 0, part_ < 2 ? 1 : 0));
    input_ = nullptr;
    if (has_input == 0) return Status();
    TINYTF_RETURN_IF_ERROR(start_part(ctx));
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 private:
  Status start_part(IteratorContext& ctx) {
    const data::AtPlace inside(ctx, data::place_inside(place_, dataset().levels(), part_));
    TINYTF_ASSIGN_OR_RETURN(input_, dataset().part(part_).make_iterator(ctx));
    return Status();
  }

  const uint64_t place_;
  int64_t part_ = 0;
  IteratorPtr input_;  // Null before the first pull of a part.
};

Result<IteratorPtr> ConcatenateDataset::make_iterator(IteratorContext& ctx) const {
  return IteratorPtr(std::make_unique<ConcatenateIterator>(*this, ctx.place));
}

class ConcatenateKernel final : public DatasetKernel {
 public:
  explicit ConcatenateKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> first, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> second, dataset_input(ctx, 1));
    return RefPtr<const Dataset>(make_ref<ConcatenateDataset>(std::move(parts), std::move(first), std::move(second)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_concatenate) {
  using namespace tinytf::ops;
  ops.op("ConcatenateDataset")
      .input("input_dataset: variant")
      .input("another_dataset: variant")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a dataset of the elements of the input followed by the elements of `another_dataset`.");
  kernels.add<ConcatenateKernel>("ConcatenateDataset");
}
