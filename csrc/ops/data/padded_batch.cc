#include "ops/data/shared/padded_rows.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

struct PaddedBatchOptions {
  int64_t size = 1;
  bool drops_remainder = false;
  std::vector<ComponentPadding> paddings;  ///< of each component
};

class PaddedBatchDataset final : public UnaryDataset {
 public:
  PaddedBatchDataset(DatasetParts parts, RefPtr<const Dataset> input, PaddedBatchOptions options)
      : UnaryDataset(std::move(parts), std::move(input)), options_(std::move(options)) {}

  const PaddedBatchOptions& options() const { return options_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n < 0) return n;
    return n / options_.size + (n % options_.size == 0 || options_.drops_remainder ? 0 : 1);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const PaddedBatchOptions options_;
};

class PaddedBatchIterator final : public UnaryIterator<PaddedBatchDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    const auto size = static_cast<size_t>(dataset().options().size);
    while (!has_ended_ && elements_.size() < size) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      Result<Pulled> pulled = input().next(ctx, element);
      if (!pulled.ok()) elements_.clear();  // As in TensorFlow, the batch's elements so far are lost.
      if (!pulled.ok() || pulled.value() == Pulled::kPending) return pulled;
      has_ended_ = pulled.value() == Pulled::kEnd;
      if (!has_ended_) elements_.push_back(std::move(element));
    }
    const bool is_dropped = elements_.size() < size && dataset().options().drops_remainder;
    const Result<Pulled> made = elements_.empty() || is_dropped ? Pulled::kEnd : make_batch(ctx, element);
    elements_.clear();
    return made;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("has_ended", has_ended_);
    state.put_int("elements", static_cast<int64_t>(elements_.size()));
    for (size_t i = 0; i < elements_.size(); ++i) {
      TINYTF_RETURN_IF_ERROR(state.put_element(str_cat("element_", i), elements_[i]));
    }
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("elements", 0, dataset().options().size - 1));
    has_ended_ = has_ended != 0;
    elements_.clear();
    for (int64_t i = 0; i < count; ++i) {  // Each takes stored values.
      TINYTF_ASSIGN_OR_RETURN(Element element, state.get_element(str_cat("element_", i), dataset().input().spec()));
      elements_.push_back(std::move(element));
    }
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Result<Pulled> make_batch(IteratorContext& ctx, Element& batch) const {
    const std::vector<ComponentPadding>& paddings = dataset().options().paddings;
    for (const Element& element : elements_) {
      if (element.size() == paddings.size()) continue;
      return invalid_argument("Number of padded shapes (", paddings.size(),
                              ") must match the number of components in the input dataset's elements (", element.size(),
                              ")");
    }
    batch.resize(paddings.size());
    for (size_t i = 0; i < paddings.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(batch[i], padded_rows(ctx.allocator(), elements_, i, paddings[i]));
    }
    return Pulled::kElement;
  }

  std::vector<Element> elements_;  // Of the batch that is being made.
  bool has_ended_ = false;
};

Result<IteratorPtr> PaddedBatchDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<PaddedBatchIterator>(*this, ctx);
}

Result<PartialShape> shape_of_padding(const Tensor& dims) {
  if (dims.rank() != 1) return invalid_argument("All padded shapes must be vectors");
  if (dims.dim(0) > Shape::kMaxRank) return invalid_argument("A padded shape has too many dimensions");
  PartialShape shape = PartialShape::scalar();
  for (int64_t i = 0; i < dims.dim(0); ++i) {
    const int64_t dim = dims.int_at(i);
    if (dim < -1) return invalid_argument("Dimension ", dim, " must be >= -1");
    shape.add_dim(dim);
  }
  return shape;
}

class PaddedBatchKernel final : public DatasetKernel {
 public:
  explicit PaddedBatchKernel(KernelInit& init)
      : DatasetKernel(init, "Toutput_types"), components_(static_cast<int>(init.attr<int64_t>("N"))) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    PaddedBatchOptions options;
    TINYTF_ASSIGN_OR_RETURN(options.size, scalar_input<int64_t>(ctx, 1, "batch_size"));
    if (options.size <= 0) return invalid_argument("Batch size must be greater than zero.");
    const int first_value = 2 + components_, values = static_cast<int>(parts.spec->types.size());
    if (ctx.num_inputs() > first_value + values) {
      TINYTF_ASSIGN_OR_RETURN(options.drops_remainder, scalar_input<bool>(ctx, first_value + values, "drop_remainder"));
    }
    TINYTF_ASSIGN_OR_RETURN(options.paddings, read_paddings(ctx, input->spec().types, values));
    return RefPtr<const Dataset>(make_ref<PaddedBatchDataset>(std::move(parts), std::move(input), std::move(options)));
  }

 private:
  Result<std::vector<ComponentPadding>> read_paddings(const KernelContext& ctx, const std::vector<DType>& types,
                                                      int values) const {
    const auto check_count = [&](const char* noun, int count) {
      if (static_cast<size_t>(count) == types.size()) return Status();
      return invalid_argument("Number of ", noun, " (", count,
                              ") must match the number of components in the input dataset's elements (", types.size(),
                              ")");
    };
    TINYTF_RETURN_IF_ERROR(check_count("padded shapes", components_));
    TINYTF_RETURN_IF_ERROR(check_count("padding values", values));
    std::vector<ComponentPadding> paddings(types.size());
    for (int i = 0; i < components_; ++i) {
      ComponentPadding& padding = paddings[static_cast<size_t>(i)];
      TINYTF_ASSIGN_OR_RETURN(padding.shape, shape_of_padding(ctx.input(2 + i)));
      padding.value = ctx.input(2 + components_ + i);
      if (padding.value.rank() != 0) return invalid_argument("All padding values must be scalars");
      if (const DType type = types[static_cast<size_t>(i)]; padding.value.dtype() != type) {
        return invalid_argument("Mismatched type between padding value ", i, " and input dataset's component ", i, ": ",
                                dtype_name(padding.value.dtype()), " vs. ", dtype_name(type));
      }
    }
    return paddings;
  }

  const int components_;
};

Status padded_batch_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(c.num_inputs() - 1, 0));
  return shapes::dataset<1>(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_padded_batch) {
  using namespace tinytf::ops;
  ops.op("PaddedBatchDataset")
      .input("input_dataset: variant")
      .input("batch_size: int64")
      .input("padded_shapes: N * int64")
      .input("padding_values: Toutput_types")
      .output("handle: variant")
      .attr("Toutput_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("N: int >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of batches of `batch_size` elements of the input, each padded to `padded_shapes` by "
          "`padding_values`. A dimension of -1 is as large as in the largest element of the batch.");
  kernels.add<PaddedBatchKernel>("PaddedBatchDataset");

  ops.op("PaddedBatchDatasetV2")
      .input("input_dataset: variant")
      .input("batch_size: int64")
      .input("padded_shapes: N * int64")
      .input("padding_values: Toutput_types")
      .input("drop_remainder: bool")
      .output("handle: variant")
      .attr("parallel_copy: bool = false")
      .attr("Toutput_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("N: int >= 1")
      .shape(padded_batch_shape)
      .no_gradient()
      .doc(
          "Makes a dataset of batches of `batch_size` elements of the input, each padded to `padded_shapes` by "
          "`padding_values`. If `drop_remainder` is true, a last batch with fewer elements is left out.");
  kernels.add<PaddedBatchKernel>("PaddedBatchDatasetV2");
}
