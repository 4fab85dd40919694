#include "ops/data/shared/dataset_kernel.h"

namespace tinytf::ops {
namespace {

/// A dataset as a value that programs may only pass on.
class WrappedDataset final : public VariantValue {
 public:
  explicit WrappedDataset(RefPtr<const Dataset> dataset) : dataset_(std::move(dataset)) {}

  const RefPtr<const Dataset>& dataset() const { return dataset_; }
  std::string type_name() const override { return "tensorflow::WrappedDatasetVariantWrapper"; }
  std::string debug_string() const override { return str_cat("Wrapped ", dataset_->debug_string()); }
  int64_t bytes() const override { return dataset_->bytes(); }
  int depth() const override { return dataset_->depth() + 1; }

 private:
  const RefPtr<const Dataset> dataset_;
};

class WrapDatasetVariantKernel final : public Kernel {
 public:
  explicit WrapDatasetVariantKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Dataset* dataset, data::dataset_of(ctx.input(0)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    out->data<Variant>()->value = make_ref<WrappedDataset>(RefPtr<const Dataset>::share(dataset));
    return Status();
  }
};

class UnwrapDatasetVariantKernel final : public Kernel {
 public:
  explicit UnwrapDatasetVariantKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const WrappedDataset* wrapped = input.rank() == 0 ? input.data<Variant>()->get<WrappedDataset>() : nullptr;
    if (wrapped == nullptr) return invalid_argument("Tensor must be a WrappedDataset variant object.");
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    out->data<Variant>()->value = wrapped->dataset();
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dataset_variant) {
  using namespace tinytf::ops;
  ops.op("WrapDatasetVariant")
      .input("input_handle: variant")
      .output("output_handle: variant")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns a value that holds the dataset and that only UnwrapDatasetVariant understands.");
  kernels.add<WrapDatasetVariantKernel>("WrapDatasetVariant");

  ops.op("UnwrapDatasetVariant")
      .input("input_handle: variant")
      .output("output_handle: variant")
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the dataset in a value that WrapDatasetVariant has made.");
  kernels.add<UnwrapDatasetVariantKernel>("UnwrapDatasetVariant");
}
