#include <algorithm>
#include <string>
#include <unordered_set>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

bool has_key(DType dtype) { return dtype == DType::kInt32 || dtype == DType::kInt64 || dtype == DType::kString; }

void append_bytes(std::string& key, const void* bytes, size_t size) {
  key.append(static_cast<const char*>(bytes), size);
}

/// Sets `key` to a text that only equal tensors have.
void set_key(const Tensor& tensor, std::string& key) {
  key.assign(1, static_cast<char>(tensor.dtype()));
  const int64_t rank = tensor.rank();
  append_bytes(key, &rank, sizeof rank);
  for (const int64_t dim : tensor.shape().dims()) append_bytes(key, &dim, sizeof dim);
  if (tensor.dtype() != DType::kString) return append_bytes(key, tensor.raw(), tensor.bytes());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    const std::string& text = tensor.data<std::string>()[i];
    const size_t size = text.size();
    append_bytes(key, &size, sizeof size);
    key += text;
  }
}

class UniqueDataset final : public UnaryDataset {
 public:
  UniqueDataset(DatasetParts parts, RefPtr<const Dataset> input) : UnaryDataset(std::move(parts), std::move(input)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
};

class UniqueIterator final : public UnaryIterator<UniqueDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    for (;;) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
      if (pulled != Pulled::kElement) return pulled;
      if (element.size() != 1 || !has_key(element[0].dtype())) {
        return invalid_argument("UniqueDataset has an element of another type than its input declares.");
      }
      set_key(element[0], key_);
      if (keys_.insert(key_).second) return pulled;
    }
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_ASSIGN_OR_RETURN(
        Tensor keys, Tensor::allocate(ctx.allocator(), DType::kString, Shape({static_cast<int64_t>(keys_.size())})));
    std::copy(keys_.begin(), keys_.end(), keys.data<std::string>());
    std::sort(keys.data<std::string>(), keys.data<std::string>() + keys_.size());
    state.put("keys", std::move(keys));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const Tensor keys, state.get("keys"));
    if (keys.dtype() != DType::kString) return Status(Code::kDataLoss, "The saved keys are no texts");
    keys_.clear();
    keys_.insert(keys.data<std::string>(), keys.data<std::string>() + keys.num_elements());
    return UnaryIterator::restore(ctx, state);
  }

 private:
  std::unordered_set<std::string> keys_;  // Of the elements yielded so far.
  std::string key_;                       // Its memory is kept between elements.
};

Result<IteratorPtr> UniqueDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<UniqueIterator>(*this, ctx);
}

class UniqueKernel final : public DatasetKernel {
 public:
  explicit UniqueKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    if (input->spec().types.size() != 1) {
      return invalid_argument("UniqueDataset only supports inputs with a single component.");
    }
    if (!has_key(input->spec().types[0])) {
      return invalid_argument(
          "UniqueDataset only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.");
    }
    return RefPtr<const Dataset>(make_ref<UniqueDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_unique) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<UniqueKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("UniqueDataset")
      .doc("Makes a dataset of the elements of the input without elements that equal an earlier one.");
  declare("ExperimentalUniqueDataset").doc("An earlier name of UniqueDataset.");
}
