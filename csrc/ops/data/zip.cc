#include <algorithm>
#include <iterator>

#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class ZipDataset final : public Dataset {
 public:
  ZipDataset(DatasetParts parts, std::vector<RefPtr<const Dataset>> inputs)
      : Dataset(std::move(parts)), inputs_(std::move(inputs)) {}

  const std::vector<RefPtr<const Dataset>>& inputs() const { return inputs_; }
  int64_t cardinality() const override {
    int64_t least = data::kInfiniteCardinality;
    for (const auto& input : inputs_) {
      const int64_t n = input->cardinality();
      if (n == data::kUnknownCardinality) return n;
      if (n != data::kInfiniteCardinality) least = least == data::kInfiniteCardinality ? n : std::min(least, n);
    }
    return least;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::vector<RefPtr<const Dataset>> inputs_;
};

class ZipIterator final : public IteratorOf<ZipDataset> {
 public:
  ZipIterator(const ZipDataset& dataset, std::vector<IteratorPtr> inputs)
      : IteratorOf(dataset), inputs_(std::move(inputs)) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (; !has_ended_ && next_ < inputs_.size(); ++next_) {
      Result<Pulled> pulled = inputs_[next_]->next(ctx, one_);
      if (pulled.ok() && pulled.value() == Pulled::kPending) return pulled;
      if (!pulled.ok()) {  // The element that it belongs to is lost.
        drop();
        return pulled;
      }
      has_ended_ = pulled.value() == Pulled::kEnd;
      if (!has_ended_) std::move(one_.begin(), one_.end(), std::back_inserter(joined_));
    }
    if (has_ended_) {
      drop();
      return Pulled::kEnd;
    }
    element.swap(joined_);
    drop();
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("has_ended", has_ended_);
    state.put_int("next", static_cast<int64_t>(next_));
    for (size_t i = 0; i < inputs_.size(); ++i) {
      StateWriter input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->save(ctx, input));
    }
    return state.put_element("joined", joined_);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t next, state.get_int("next", 0, static_cast<int64_t>(inputs_.size()) - 1));
    ElementSpec spec;
    for (size_t i = 0; i < static_cast<size_t>(next); ++i) {
      const ElementSpec& part = dataset().inputs()[i]->spec();
      spec.types.insert(spec.types.end(), part.types.begin(), part.types.end());
      spec.shapes.insert(spec.shapes.end(), part.shapes.begin(), part.shapes.end());
    }
    TINYTF_ASSIGN_OR_RETURN(joined_, state.get_element("joined", spec));
    has_ended_ = has_ended != 0;
    next_ = static_cast<size_t>(next);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      StateReader input = state.inside(str_cat("input_", i));
      TINYTF_RETURN_IF_ERROR(inputs_[i]->restore(ctx, input));
    }
    return Status();
  }

 private:
  void drop() {
    joined_.clear();
    next_ = 0;
  }

  const std::vector<IteratorPtr> inputs_;
  bool has_ended_ = false;
  size_t next_ = 0;  // The input to be pulled; the components of those before it are joined.
  Element joined_, one_;
};

Result<IteratorPtr> ZipDataset::make_iterator(IteratorContext& ctx) const {
  std::vector<IteratorPtr> inputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const data::AtPlace inside(ctx, data::place_inside(ctx.place, levels(), static_cast<int64_t>(i)));
    TINYTF_ASSIGN_OR_RETURN(IteratorPtr made, inputs_[i]->make_iterator(ctx));
    inputs.push_back(std::move(made));
  }
  return IteratorPtr(std::make_unique<ZipIterator>(*this, std::move(inputs)));
}

class ZipKernel final : public DatasetKernel {
 public:
  explicit ZipKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    std::vector<RefPtr<const Dataset>> inputs;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, i));
      inputs.push_back(std::move(input));
    }
    return RefPtr<const Dataset>(make_ref<ZipDataset>(std::move(parts), std::move(inputs)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_zip) {
  using namespace tinytf::ops;
  ops.op("ZipDataset")
      .input("input_datasets: N * variant")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("N: int >= 1")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset whose elements join the components of one element of each input. It ends with the shortest "
          "input.");
  kernels.add<ZipKernel>("ZipDataset");
}
