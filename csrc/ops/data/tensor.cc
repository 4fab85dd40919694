#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class TensorDataset final : public Dataset {
 public:
  explicit TensorDataset(DatasetParts parts) : Dataset(std::move(parts)) {}
  int64_t cardinality() const override { return 1; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;
};

class TensorIterator final : public IteratorOf<TensorDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext&, Element& element) override {
    if (is_done_) return Pulled::kEnd;
    is_done_ = true;
    element = dataset().origin().inputs;
    return Pulled::kElement;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("is_done", is_done_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_done, state.get_int("is_done", 0, 1));
    is_done_ = is_done != 0;
    return Status();
  }

 private:
  bool is_done_ = false;
};

Result<IteratorPtr> TensorDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<TensorIterator>(*this));
}

class TensorDatasetKernel final : public DatasetKernel {
 public:
  explicit TensorDatasetKernel(KernelInit& init) : DatasetKernel(init, "Toutput_types") {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext&, DatasetParts parts) override {
    return RefPtr<const Dataset>(make_ref<TensorDataset>(std::move(parts)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_tensor) {
  using namespace tinytf::ops;
  ops.op("TensorDataset")
      .input("components: Toutput_types")
      .output("handle: variant")
      .attr("Toutput_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a dataset of one element, whose components are the inputs.");
  kernels.add<TensorDatasetKernel>("TensorDataset");
}
