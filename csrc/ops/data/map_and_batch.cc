#include <algorithm>

#include "data/batch_rows.h"
#include "ops/data/shared/map_and_batch.h"
#include "ops/data/shared/parallel_calls.h"
#include "ops/data/shared/row_calls.h"

namespace tinytf::ops {
namespace {

struct MapAndBatchOptions {
  int64_t size = 1;
  int64_t parallelism = 1;
  bool drops_remainder = false;
  bool keeps_cardinality = false;
  bool waits = false;  ///< calls are made when a batch is wanted, on the consumer's thread
};

class MapAndBatchDataset final : public FunctionDataset {
 public:
  MapAndBatchDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function,
                     MapAndBatchOptions options)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)), options_(options) {}

  const MapAndBatchOptions& options() const { return options_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n < 0) return n;
    return n / options_.size + (n % options_.size == 0 || options_.drops_remainder ? 0 : 1);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const MapAndBatchOptions options_;
};

/// Collects the results of calls. How these are made is up to derived classes.
class MapAndBatchIterator : public IteratorOf<MapAndBatchDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext& ctx, Element& element) final {
    while (taken_ < dataset().options().size) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, advance(ctx));
      if (pulled == Pulled::kPending) return pulled;
      if (pulled == Pulled::kEnd) break;
    }
    return finish(element);
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("taken", taken_);
    state.put_status("error", error_);
    TINYTF_ASSIGN_OR_RETURN(const Element rows, rows_.copy(ctx.allocator()));
    state.put_int("rows", rows_.size());
    TINYTF_RETURN_IF_ERROR(state.put_element("batch", rows));
    StateWriter calls = state.inside("calls");
    return save_calls(ctx, calls);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(taken_, state.get_int("taken", 0, dataset().options().size - 1));
    TINYTF_RETURN_IF_ERROR(state.get_status("error", error_));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("rows", 0, taken_));
    TINYTF_ASSIGN_OR_RETURN(const Element rows,
                            state.get_element("batch", count == 0 ? ElementSpec() : dataset().spec()));
    TINYTF_RETURN_IF_ERROR(rows_.set(ctx.allocator(), rows, dataset().options().size));
    if (rows_.size() != count) return Status(Code::kDataLoss, "The saved position has a batch of another size");
    shapes_.clear();
    for (const Tensor& component : rows) shapes_.push_back(row_shape(component));
    StateReader calls = state.inside("calls");
    return restore_calls(ctx, calls);
  }

 protected:
  /// Makes or waits for more calls and adds what became of them: kElement; kEnd if there are no more elements.
  virtual Result<Pulled> advance(PullContext& ctx) = 0;
  virtual Status save_calls(IteratorContext& ctx, StateWriter& state) = 0;
  virtual Status restore_calls(IteratorContext& ctx, StateReader& state) = 0;

  /// Adds what became of an element of the input. The batch ends with its first error, but consumes all its elements.
  void add(PullContext& ctx, const Status& status, Element& element) {
    ++taken_;
    if (error_.ok()) error_ = status.ok() ? add_row(ctx, element) : checked(ctx, status);
  }
  void add_lost(const IteratorContext& ctx, const Status& status, int64_t elements) {
    taken_ += elements;
    if (error_.ok()) error_ = checked(ctx, status);
  }
  /// Adds rows of equal shapes to a batch without errors.
  Status add_rows(PullContext& ctx, Element batch) {
    const int64_t count = batch[0].dim(0);
    if (rows_.size() == 0) {
      shapes_.clear();
      for (const Tensor& component : batch) shapes_.push_back(row_shape(component));
    }
    taken_ += count;
    error_ = rows_.add_batch(ctx.allocator(), std::move(batch), dataset().options().size);
    return Status();
  }
  bool has_error() const { return !error_.ok(); }
  /// The number of elements that the batch lacks.
  int64_t missing() const { return dataset().options().size - taken_; }
  /// Of single results, whose batches have the dataset's spec.
  ElementSpec element_spec() const {
    ElementSpec spec = dataset().spec();
    for (PartialShape& shape : spec.shapes) shape = PartialShape();
    return spec;
  }

 private:
  Status checked(const IteratorContext& ctx, const Status& status) const {
    const Result<Pulled> result = data::mapped(ctx, status, dataset().options().keeps_cardinality);
    return result.ok() ? status : result.status();  // OutOfRange ends the batch.
  }

  /// Adds a row. As in TensorFlow, only the numbers of elements must match: the first row decides about the shape.
  Status add_row(PullContext& ctx, Element& element) {
    if (rows_.size() == 0) shapes_.clear();
    for (size_t i = 0; i < element.size(); ++i) {
      if (i == shapes_.size()) shapes_.push_back(element[i].shape());
      const Shape& shape = shapes_[i];
      if (element[i].num_elements() != shape.num_elements()) {
        return invalid_argument("Cannot add tensor to the batch: number of elements does not match. Shapes are: ",
                                "[tensor]: ", element[i].shape().to_string(), ", [batch]: ", shape.to_string());
      }
      if (element[i].shape() == shape) continue;
      TINYTF_ASSIGN_OR_RETURN(element[i], element[i].view(0, shape));
    }
    return rows_.add(ctx.allocator(), element, dataset().options().size);
  }

  Result<Pulled> finish(Element& element) {
    const Status error = std::exchange(error_, Status());
    const bool is_full = rows_.size() == dataset().options().size;
    taken_ = 0;
    if (!error.ok() && error.code() != Code::kOutOfRange) {
      rows_.clear();
      return error;
    }
    if (rows_.size() == 0 || (!is_full && dataset().options().drops_remainder)) {
      rows_.clear();
      return Pulled::kEnd;
    }
    TINYTF_RETURN_IF_ERROR(rows_.take(element));
    return Pulled::kElement;
  }

  static Shape row_shape(const Tensor& batch) {
    return Shape(Dims(batch.shape().dims().begin() + 1, batch.shape().dims().end()));
  }
  data::BatchRows rows_;
  std::vector<Shape> shapes_;  // Of the components of a row.
  int64_t taken_ = 0;          // Elements that the batch has consumed.
  Status error_;               // The first one of the batch.
};

class AheadMapAndBatchIterator final : public MapAndBatchIterator {
 public:
  AheadMapAndBatchIterator(const MapAndBatchDataset& dataset, RefPtr<ParallelCalls> calls)
      : MapAndBatchIterator(dataset), calls_(std::move(calls)) {}
  ~AheadMapAndBatchIterator() override { calls_->abandon(); }
  data::StageHeld held() const override { return calls_->held(); }

 protected:
  Result<Pulled> advance(PullContext& ctx) override {
    ParallelCalls::Outcome outcome;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, calls_->take(ctx, outcome));
    if (pulled == Pulled::kElement) add(ctx, outcome.status, outcome.element);
    return pulled;
  }
  Status save_calls(IteratorContext& ctx, StateWriter& state) override { return calls_->save(ctx, state); }
  Status restore_calls(IteratorContext& ctx, StateReader& state) override {
    return calls_->restore(ctx, state, element_spec());
  }

 private:
  const RefPtr<ParallelCalls> calls_;
};

class WaitingMapAndBatchIterator final : public MapAndBatchIterator {
 public:
  WaitingMapAndBatchIterator(const MapAndBatchDataset& dataset, IteratorPtr input,
                             std::unique_ptr<data::BoundFunction> function)
      : MapAndBatchIterator(dataset), calls_(dataset.input().spec(), std::move(input), std::move(function)) {}

 protected:
  Result<Pulled> advance(PullContext& ctx) override {
    if (calls_.makes_batches() && !has_error()) return advance_by_batch(ctx);
    Status called;
    const Result<Pulled> pulled = calls_.pull(ctx, element_, called);
    if (!pulled.ok()) {
      add_lost(ctx, pulled.status(), 1);
      return Pulled::kElement;
    }
    if (pulled.value() == Pulled::kElement) add(ctx, called, element_);
    return pulled;
  }
  Status save_calls(IteratorContext& ctx, StateWriter& state) override { return calls_.save(ctx, state); }
  Status restore_calls(IteratorContext& ctx, StateReader& state) override { return calls_.restore(ctx, state); }

 private:
  Result<Pulled> advance_by_batch(PullContext& ctx) {
    Element results;
    int64_t lost = 0;
    const Result<Pulled> pulled = calls_.pull_batch(ctx, missing(), results, lost);
    if (!pulled.ok()) {
      add_lost(ctx, pulled.status(), std::max<int64_t>(lost, 1));
      return Pulled::kElement;
    }
    if (!results.empty()) TINYTF_RETURN_IF_ERROR(add_rows(ctx, std::move(results)));
    return pulled;
  }

  RowCalls calls_;
  Element element_;  // Its memory is kept between calls.
};

Result<IteratorPtr> MapAndBatchDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<data::BoundFunction> function, this->function().bind(ctx));
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, this->input().make_iterator(ctx));
  if (options_.waits) {
    return IteratorPtr(std::make_unique<WaitingMapAndBatchIterator>(*this, std::move(input), std::move(function)));
  }
  CallLimits limits;
  limits.running = options_.parallelism < 0 ? automatic_parallelism() : options_.parallelism;
  limits.statistic = "MapAndBatchDataset::thread_utilization";
  limits.results = std::max(limits.running, options_.size);
  if (options_.parallelism < 0) limits.tuned = tuned_parallelism(ctx, limits.running);
  if (limits.tuned) limits.results = options_.size;
  auto calls = make_ref<ParallelCalls>(ctx, std::move(input), std::move(function), std::move(limits));
  return IteratorPtr(std::make_unique<AheadMapAndBatchIterator>(*this, std::move(calls)));
}

class MapAndBatchKernel final : public FunctionDatasetKernel {
 public:
  explicit MapAndBatchKernel(KernelInit& init)
      : FunctionDatasetKernel(init),
        keeps_cardinality_(init.attr<bool>("preserve_cardinality")),
        waits_(init.node().attrs.get<bool>(kWaits) != nullptr) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    const int first = first_option();
    MapAndBatchOptions options;
    options.keeps_cardinality = keeps_cardinality_;
    options.waits = waits_;
    TINYTF_ASSIGN_OR_RETURN(options.size, scalar_input<int64_t>(ctx, first, "batch_size"));
    if (options.size <= 0) return invalid_argument("batch_size must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(options.parallelism, scalar_input<int64_t>(ctx, first + 1, "num_parallel_calls"));
    if (options.parallelism < -1 || options.parallelism == 0) {
      return invalid_argument("num_parallel_calls must be greater than zero.");
    }
    TINYTF_ASSIGN_OR_RETURN(options.drops_remainder, scalar_input<bool>(ctx, first + 2, "drop_remainder"));
    return RefPtr<const Dataset>(
        make_ref<MapAndBatchDataset>(std::move(parts), std::move(input), std::move(function), options));
  }

 private:
  const bool keeps_cardinality_, waits_;
};

/// The three inputs after the captured ones are scalars.
Status map_and_batch_shape(ShapeContext& c) {
  for (int i = c.num_inputs() - 3; i < c.num_inputs(); ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  return shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_map_and_batch) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MapAndBatchKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("other_arguments: Targuments")
        .input("batch_size: int64")
        .input("num_parallel_calls: int64")
        .input("drop_remainder: bool")
        .output("handle: variant")
        .attr("f: func")
        .attr("Targuments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("preserve_cardinality: bool = false")
        .shape(map_and_batch_shape)
        .no_gradient();
  };
  declare("MapAndBatchDataset")
      .doc(
          "Makes a dataset of batches of `batch_size` results of `f`, stacked along a new first dimension, with up to "
          "`num_parallel_calls` calls at a time; -1: as many as pay, at most as there are threads. The last batch may "
          "have fewer rows, "
          "or is left out if `drop_remainder` is true.");
  declare("ExperimentalMapAndBatchDataset").doc("An earlier name of MapAndBatchDataset.");
}
