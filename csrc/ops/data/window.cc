#include "data/element_list.h"
#include "ops/data/shared/window_buffer.h"

namespace tinytf::ops {
namespace {

class WindowDataset final : public UnaryDataset {
 public:
  WindowDataset(DatasetParts parts, RefPtr<const Dataset> input, WindowSteps steps, bool drops_remainder)
      : UnaryDataset(std::move(parts), std::move(input)), steps_(steps), drops_remainder_(drops_remainder) {
    const ElementSpec& spec = this->input().spec();
    for (size_t i = 0; i < spec.types.size(); ++i) {
      component_specs_.push_back(std::make_shared<const ElementSpec>(ElementSpec{{spec.types[i]}, {spec.shapes[i]}}));
    }
  }

  WindowSteps steps() const { return steps_; }
  bool drops_remainder() const { return drops_remainder_; }
  /// The specs of the datasets that are the components of elements.
  const std::vector<std::shared_ptr<const ElementSpec>>& component_specs() const { return component_specs_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n < 0) return n;
    if (!drops_remainder_) return n / steps_.shift + (n % steps_.shift > 0 ? 1 : 0);
    return n < steps_.span() ? 0 : (n - steps_.span()) / steps_.shift + 1;
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const WindowSteps steps_;
  const bool drops_remainder_;
  std::vector<std::shared_ptr<const ElementSpec>> component_specs_;
};

class WindowIterator final : public UnaryIterator<WindowDataset> {
 public:
  WindowIterator(const WindowDataset& dataset, IteratorPtr input)
      : UnaryIterator(dataset, std::move(input)), buffer_(dataset.steps()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const Pulled filled, buffer_.fill(ctx, input(), /*keeps_errors=*/true));
    if (filled == Pulled::kPending) return filled;
    if (buffer_.size() == 0 || (dataset().drops_remainder() && !buffer_.is_full())) return Pulled::kEnd;
    std::vector<WindowBuffer::Item> window = buffer_.window();
    buffer_.shift();
    for (const WindowBuffer::Item& item : window) TINYTF_RETURN_IF_ERROR(item.error);
    return make_datasets(std::move(window), element);
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
  Result<Pulled> make_datasets(std::vector<WindowBuffer::Item> window, Element& element) const {
    const size_t components = dataset().component_specs().size();
    element.resize(components);
    for (size_t i = 0; i < components; ++i) {
      auto part = std::make_shared<std::vector<Element>>();
      part->reserve(window.size());
      for (WindowBuffer::Item& item : window) {
        if (item.element.size() != components) {
          return invalid_argument("WindowDataset has an element with ", item.element.size(), " components where ",
                                  components, " are declared.");
        }
        Element one;
        one.push_back(std::move(item.element[i]));
        part->push_back(std::move(one));
      }
      TINYTF_ASSIGN_OR_RETURN(
          element[i],
          data::ElementList::tensor_of(dataset().origin().node, dataset().component_specs()[i], std::move(part)));
    }
    return Pulled::kElement;
  }

  WindowBuffer buffer_;
};

Result<IteratorPtr> WindowDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<WindowIterator>(*this, ctx);
}

class WindowKernel final : public DatasetKernel {
 public:
  explicit WindowKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    WindowSteps steps;
    TINYTF_ASSIGN_OR_RETURN(steps.size, scalar_input<int64_t>(ctx, 1, "size"));
    if (steps.size <= 0) return invalid_argument("Window size must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(steps.shift, scalar_input<int64_t>(ctx, 2, "shift"));
    if (steps.shift <= 0) return invalid_argument("Window shift must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(steps.stride, scalar_input<int64_t>(ctx, 3, "stride"));
    if (steps.stride <= 0) return invalid_argument("Window stride must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(const bool drops_remainder, scalar_input<bool>(ctx, 4, "drop_remainder"));
    return RefPtr<const Dataset>(make_ref<WindowDataset>(std::move(parts), std::move(input), steps, drops_remainder));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_window) {
  using namespace tinytf::ops;
  ops.op("WindowDataset")
      .input("input_dataset: variant")
      .input("size: int64")
      .input("shift: int64")
      .input("stride: int64")
      .input("drop_remainder: bool")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2, 3, 4>)
      .no_gradient()
      .doc(
          "Makes a dataset whose elements are datasets of `size` elements of the input, one for each component. The "
          "elements of a window are `stride` apart, and a window begins `shift` after the one before.");
  kernels.add<WindowKernel>("WindowDataset");
}
