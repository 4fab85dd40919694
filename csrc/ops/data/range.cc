#include <algorithm>
#include <cstdint>

#include "base/wrapping.h"
#include "data/batch_rows.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class RangeDataset final : public Dataset {
 public:
  RangeDataset(DatasetParts parts, int64_t start, int64_t stop, int64_t step)
      : Dataset(std::move(parts)), start_(start), step_(step), count_(count(start, stop, step)) {}

  int64_t start() const { return start_; }
  int64_t step() const { return step_; }
  int64_t cardinality() const override { return count_; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

 private:
  /// Differences of two int64 fit in uint64. Counts beyond int64 cannot be reached.
  static int64_t count(int64_t start, int64_t stop, int64_t step) {
    if (step > 0 ? start >= stop : start <= stop) return 0;
    const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                                       : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
    const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
    const uint64_t steps = (distance - 1) / stride + 1;
    return steps > static_cast<uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<int64_t>(steps);
  }

  const int64_t start_, step_, count_;
};

class RangeIterator final : public IteratorOf<RangeDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (at_ == dataset().cardinality()) return Pulled::kEnd;
    element.resize(1);
    Tensor& number = element[0];
    if (number.dtype() != DType::kInt64 || number.rank() != 0 || !number.writable_in_place()) {
      TINYTF_ASSIGN_OR_RETURN(number, Tensor::allocate(ctx.allocator(), DType::kInt64, Shape()));
    }
    *number.data<int64_t>() = value(at_++);
    return Pulled::kElement;
  }
  Result<Pulled> pull_rows(PullContext& ctx, int64_t size, data::BatchRows& rows) override {
    const int64_t n = std::min({size - rows.collected(), dataset().cardinality() - at_, kMostAtOnce});
    if (n < 2) return IteratorOf::pull_rows(ctx, size, rows);
    TINYTF_ASSIGN_OR_RETURN(Tensor values, Tensor::allocate(ctx.allocator(), DType::kInt64, Shape({n})));
    for (int64_t i = 0; i < n; ++i) values.data<int64_t>()[i] = value(at_ + i);
    rows.collect_batch(ctx.allocator(), {std::move(values)}, size);
    at_ += n;
    return rows.collected() == size ? Pulled::kElement : IteratorOf::pull_rows(ctx, size, rows);
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("at", at_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(at_, state.get_int("at", 0, dataset().cardinality()));
    return Status();
  }

 private:
  static constexpr int64_t kMostAtOnce = 1 << 16;

  int64_t value(int64_t i) const { return wrapping_add(dataset().start(), wrapping_multiply(i, dataset().step())); }

  int64_t at_ = 0;
};

Result<IteratorPtr> RangeDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<RangeIterator>(*this));
}

class RangeKernel final : public DatasetKernel {
 public:
  explicit RangeKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t start, scalar_input<int64_t>(ctx, 0, "start"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t stop, scalar_input<int64_t>(ctx, 1, "stop"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t step, scalar_input<int64_t>(ctx, 2, "step"));
    if (step == 0) return invalid_argument("step must be a non-zero integer.");
    return RefPtr<const Dataset>(make_ref<RangeDataset>(std::move(parts), start, stop, step));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_range) {
  using namespace tinytf::ops;
  ops.op("RangeDataset")
      .input("start: int64")
      .input("stop: int64")
      .input("step: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::dataset<0, 1, 2>)
      .no_gradient()
      .doc("Makes a dataset of the numbers from `start` on in steps of `step`, without `stop`. Fails if `step` is 0.");
  kernels.add<RangeKernel>("RangeDataset");
}
