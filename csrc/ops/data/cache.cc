#include <optional>

#include "ops/data/shared/cache_files.h"
#include "ops/data/shared/memory_cache.h"
#include "ops/data/shared/resource_input.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// A cache in memory, shared by the iterators at one place of a pipeline, or by all that have its handle.
class MemoryCacheDataset final : public UnaryDataset {
 public:
  MemoryCacheDataset(DatasetParts parts, RefPtr<const Dataset> input, RefPtr<MemoryCache> cache)
      : UnaryDataset(std::move(parts), std::move(input)), cache_(std::move(cache)) {}
  bool is_shared_by_place() const { return !cache_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const RefPtr<MemoryCache> cache_;  // Null: one for each place.
};

Status put_elements(StateWriter& state, const std::vector<Element>& elements) {
  state.put_int("size", static_cast<int64_t>(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(state.put_element(str_cat("element_", i), elements[i]));
  }
  return Status();
}

Result<std::vector<Element>> get_elements(const StateReader& state, const ElementSpec& spec) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t size, state.get_int("size", 0, INT64_MAX));
  std::vector<Element> elements;
  for (int64_t i = 0; i < size; ++i) {  // Ends at the first element that the state lacks.
    TINYTF_ASSIGN_OR_RETURN(Element element, state.get_element(str_cat("element_", i), spec));
    elements.push_back(std::move(element));
  }
  return elements;
}

/// The cache that the iterators at one place of a pipeline share.
class PipelineCache final : public data::SharedState {
 public:
  explicit PipelineCache(const MemoryCacheDataset& dataset, const data::IteratorState* saved)
      : spec_(std::make_shared<const ElementSpec>(dataset.spec())) {
    if (saved != nullptr) saved_ = *saved;
  }
  static Result<RefPtr<MemoryCache>> at_place(IteratorContext& ctx, const MemoryCacheDataset& dataset) {
    const auto make = [&](const data::IteratorState* saved) -> Result<RefPtr<data::SharedState>> {
      return RefPtr<data::SharedState>(make_ref<PipelineCache>(dataset, saved));
    };
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<data::SharedState> state,
                            ctx.tasks.shared_state(ctx.place, dataset.levels(), make));
    auto& cache = static_cast<PipelineCache&>(*state);
    TINYTF_RETURN_IF_ERROR(cache.take_saved(ctx));
    return cache.cache_;
  }

  Status save(StateWriter& state) const override {
    const MemoryCache::Elements elements = cache_->elements();
    state.put_int("is_complete", elements != nullptr);
    return elements ? put_elements(state, *elements) : Status();
  }
  Status restore(const StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_complete, state.get_int("is_complete", 0, 1));
    if (is_complete == 0 || cache_->elements()) return Status();
    TINYTF_ASSIGN_OR_RETURN(std::vector<Element> elements, get_elements(state, *spec_));
    cache_->complete(std::make_shared<const std::vector<Element>>(std::move(elements)));
    return Status();
  }

 private:
  /// Restores what was saved before the cache was made. Used by the one thread that makes an iterator at the place.
  Status take_saved(IteratorContext& ctx) {
    if (saved_.empty()) return Status();
    const data::IteratorState saved = std::exchange(saved_, {});
    return restore(StateReader(saved, &ctx.step));
  }

  const std::shared_ptr<const ElementSpec> spec_;
  const RefPtr<MemoryCache> cache_ = make_ref<MemoryCache>();
  data::IteratorState saved_;
};

/// Reads the cache, or fills it if it is not complete when the iterator is made. Several may fill it at a time.
class MemoryCacheIterator final : public IteratorOf<MemoryCacheDataset> {
 public:
  MemoryCacheIterator(const MemoryCacheDataset& dataset, RefPtr<MemoryCache> cache, IteratorPtr input)
      : IteratorOf(dataset), cache_(std::move(cache)), cached_(cache_->elements()), input_(std::move(input)) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (cached_) {
      if (next_ == cached_->size()) return Pulled::kEnd;
      element = (*cached_)[next_++];
      return Pulled::kElement;
    }
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input_->next(ctx, element));
    if (pulled == Pulled::kElement) collected_.push_back(element);
    if (pulled == Pulled::kEnd) {
      cached_ = std::make_shared<const std::vector<Element>>(std::move(collected_));
      next_ = cached_->size();
      cache_->complete(cached_);
    }
    return pulled;
  }

  data::StageHeld held() const override {
    return {static_cast<int64_t>(cached_ ? cached_->size() : collected_.size()), 0, 0};
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("is_complete", cached_ != nullptr);
    state.put_int("next", static_cast<int64_t>(next_));
    const bool is_at_end = cached_ && next_ == cached_->size();
    state.put_int("is_at_end", is_at_end);
    if (cached_) return dataset().is_shared_by_place() ? Status() : put_elements(state, *cached_);
    TINYTF_RETURN_IF_ERROR(put_elements(state, collected_));
    StateWriter input = state.inside("input");
    return input_->save(ctx, input);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_complete, state.get_int("is_complete", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t next, state.get_int("next", 0, INT64_MAX));
    next_ = static_cast<size_t>(next);
    if (is_complete != 0) return restore_cached(state);
    cached_ = nullptr;
    TINYTF_ASSIGN_OR_RETURN(collected_, get_elements(state, dataset().spec()));
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 private:
  Status restore_cached(const StateReader& state) {
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_at_end, state.get_int("is_at_end", 0, 1));
    if (!dataset().is_shared_by_place()) {
      TINYTF_ASSIGN_OR_RETURN(std::vector<Element> elements, get_elements(state, dataset().spec()));
      cached_ = std::make_shared<const std::vector<Element>>(std::move(elements));
      cache_->complete(cached_);
    } else if (is_at_end != 0) {  // It does not read the cache, which may be another iterator's.
      cached_ = std::make_shared<const std::vector<Element>>();
      next_ = 0;
    } else {
      cached_ = cache_->elements();
    }
    if (cached_ && next_ <= cached_->size()) return Status();
    return state.damaged("next", "is in a cache that is not there:");
  }

  const RefPtr<MemoryCache> cache_;
  MemoryCache::Elements cached_;  // Null while the input is pulled.
  size_t next_ = 0;               // Among the cached ones.
  std::vector<Element> collected_;
  const IteratorPtr input_;
};

Result<IteratorPtr> MemoryCacheDataset::make_iterator(IteratorContext& ctx) const {
  RefPtr<MemoryCache> cache = cache_;
  if (!cache) {
    TINYTF_ASSIGN_OR_RETURN(cache, PipelineCache::at_place(ctx, *this));
  }
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, this->input().make_iterator(ctx));
  return IteratorPtr(std::make_unique<MemoryCacheIterator>(*this, std::move(cache), std::move(input)));
}

/// A cache in files.
class FileCacheDataset final : public UnaryDataset {
 public:
  FileCacheDataset(DatasetParts parts, RefPtr<const Dataset> input, std::string prefix)
      : UnaryDataset(std::move(parts), std::move(input)), prefix_(std::move(prefix)) {}

  const std::string& prefix() const { return prefix_; }
  int64_t components() const { return static_cast<int64_t>(spec().types.size()); }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const std::string prefix_;
};

/// Reads the files, or writes them if there are none when the iterator is made.
class FileCacheIterator final : public UnaryIterator<FileCacheDataset> {
 public:
  FileCacheIterator(const FileCacheDataset& dataset, IteratorPtr input) : UnaryIterator(dataset, std::move(input)) {
    has_cache(dataset.prefix()) ? read_from(0) : write();
  }

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (reader_) {
      TINYTF_ASSIGN_OR_RETURN(const bool has_element, reader_->read(ctx.step, element));
      if (!has_element) return Pulled::kEnd;
      TINYTF_RETURN_IF_ERROR(data::check_element(dataset().spec(), element));
      return Pulled::kElement;
    }
    if (writer_->has_finished()) return Pulled::kEnd;
    TINYTF_RETURN_IF_ERROR(writer_->begin());
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (pulled == Pulled::kElement) TINYTF_RETURN_IF_ERROR(writer_->add(ctx.step, element));
    if (pulled == Pulled::kEnd) TINYTF_RETURN_IF_ERROR(writer_->finish());
    return pulled;
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("is_reading", reader_.has_value());
    if (reader_) {
      state.put_int("next", reader_->next());
      return Status();
    }
    if (!writer_->has_finished()) TINYTF_RETURN_IF_ERROR(writer_->finish_part());
    writer_->save(state);
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t is_reading, state.get_int("is_reading", 0, 1));
    if (is_reading != 0) {
      TINYTF_ASSIGN_OR_RETURN(const int64_t next, state.get_int("next", 0, INT64_MAX - 1));
      read_from(next);
      return Status();
    }
    write();
    TINYTF_RETURN_IF_ERROR(writer_->restore(state));
    // As in TensorFlow, files that were completed since the position was saved are read.
    if (!writer_->has_finished() && has_cache(dataset().prefix())) {
      read_from(writer_->size());
      return Status();
    }
    return UnaryIterator::restore(ctx, state);
  }

 private:
  void read_from(int64_t next) {
    writer_.reset();
    reader_.emplace(dataset().prefix(), dataset().components(), next);
  }
  void write() {
    reader_.reset();
    writer_.emplace(dataset().prefix(), dataset().components());
  }

  std::optional<CacheReader> reader_;  // One of the two exists.
  std::optional<CacheWriter> writer_;
};

Result<IteratorPtr> FileCacheDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<FileCacheIterator>(*this, ctx);
}

/// Input 2, if there is one, is the handle of the cache in memory.
class CacheKernel final : public DatasetKernel {
 public:
  explicit CacheKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(std::string prefix, scalar_input<std::string>(ctx, 1, "filename"));
    if (!prefix.empty()) {
      return RefPtr<const Dataset>(make_ref<FileCacheDataset>(std::move(parts), std::move(input), std::move(prefix)));
    }
    RefPtr<MemoryCache> cache;
    if (ctx.num_inputs() > 2) {
      TINYTF_ASSIGN_OR_RETURN(cache, resource_input<MemoryCache>(ctx, 2));
    }
    return RefPtr<const Dataset>(make_ref<MemoryCacheDataset>(std::move(parts), std::move(input), std::move(cache)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_cache) {
  using namespace tinytf::ops;
  ops.op("CacheDataset")
      .input("input_dataset: variant")
      .input("filename: string")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input. The first iterator that reaches the end keeps them in memory, "
          "for the other iterators of the pipeline, or if `filename` is not empty, in files that begin so.");
  kernels.add<CacheKernel>("CacheDataset");

  ops.op("CacheDatasetV2")
      .input("input_dataset: variant")
      .input("filename: string")
      .input("cache: resource")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input. The first iterator that reaches the end keeps them in "
          "`cache`, or if `filename` is not empty, in files that begin so.");
  kernels.add<CacheKernel>("CacheDatasetV2");
}
