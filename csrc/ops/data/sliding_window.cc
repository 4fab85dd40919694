#include "data/batch_rows.h"
#include "ops/data/shared/window_buffer.h"

namespace tinytf::ops {
namespace {

class SlidingWindowDataset final : public UnaryDataset {
 public:
  SlidingWindowDataset(DatasetParts parts, RefPtr<const Dataset> input, WindowSteps steps)
      : UnaryDataset(std::move(parts), std::move(input)), steps_(steps) {}

  WindowSteps steps() const { return steps_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    return n < 0 ? n : n / steps_.shift;  // As in TensorFlow, whatever the size of windows.
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const WindowSteps steps_;
};

class SlidingWindowIterator final : public UnaryIterator<SlidingWindowDataset> {
 public:
  SlidingWindowIterator(const SlidingWindowDataset& dataset, IteratorPtr input)
      : UnaryIterator(dataset, std::move(input)), buffer_(dataset.steps()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const Pulled filled, buffer_.fill(ctx, input(), /*keeps_errors=*/false));
    if (filled != Pulled::kElement) return filled;
    const std::vector<WindowBuffer::Item> window = buffer_.window();
    buffer_.shift();
    data::BatchRows rows;
    for (const WindowBuffer::Item& item : window) {
      TINYTF_RETURN_IF_ERROR(rows.add(ctx.allocator(), item.element, static_cast<int64_t>(window.size())));
    }
    TINYTF_RETURN_IF_ERROR(rows.take(element));
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    StateWriter buffer = state.inside("buffer");
    TINYTF_RETURN_IF_ERROR(buffer_.save(buffer));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    StateReader buffer = state.inside("buffer");
    TINYTF_RETURN_IF_ERROR(buffer_.restore(buffer, dataset().input().spec()));
    return UnaryIterator::restore(ctx, state);
  }

 private:
  WindowBuffer buffer_;
};

Result<IteratorPtr> SlidingWindowDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<SlidingWindowIterator>(*this, ctx);
}

class SlidingWindowKernel final : public DatasetKernel {
 public:
  explicit SlidingWindowKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    WindowSteps steps;
    TINYTF_ASSIGN_OR_RETURN(steps.size, scalar_input<int64_t>(ctx, 1, "window_size"));
    if (steps.size <= 0) return invalid_argument("Window size must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(steps.shift, scalar_input<int64_t>(ctx, 2, "window_shift"));
    if (steps.shift <= 0) return invalid_argument("Window shift must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(steps.stride, scalar_input<int64_t>(ctx, 3, "window_stride"));
    if (steps.stride <= 0) return invalid_argument("window_stride must be greater than zero.");
    return RefPtr<const Dataset>(make_ref<SlidingWindowDataset>(std::move(parts), std::move(input), steps));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_sliding_window) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<SlidingWindowKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("window_size: int64")
        .input("window_shift: int64")
        .input("window_stride: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::dataset<1, 2, 3>)
        .no_gradient();
  };
  declare("SlidingWindowDataset")
      .doc(
          "Makes a dataset of batches of `window_size` elements of the input that are `window_stride` apart. A "
          "batch begins `window_shift` after the one before.");
  declare("ExperimentalSlidingWindowDataset").doc("An earlier name of SlidingWindowDataset.");
}
