#include <algorithm>
#include <deque>

#include "data/background_stage.h"
#include "data/entry.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

/// The number of elements to keep ready. If the program leaves it open, the pipeline's tuner chooses it. Without a
/// tuner, it grows as long as the consumer finds none although there was room for all before.
class PrefetchLimit {
 public:
  PrefetchLimit(const IteratorContext& ctx, int64_t size)
      : tuned_(size < 0 && ctx.tasks.tuner() != nullptr ? ctx.tasks.tuner()->buffer(kMost) : nullptr),
        is_automatic_(size < 0),
        limit_(size < 0 ? 1 : size) {}

  int64_t value() const { return tuned_ ? tuned_->value() : limit_; }
  void note_element(const Element& element) {
    if (tuned_) tuned_->note_bytes(data::bytes_of(element));
  }
  /// The consumer comes and finds `ready` elements.
  void note_ready(int64_t ready) {
    if (!is_automatic_ || tuned_) return;
    if (ready == limit_) was_full_ = true;
    if (ready > 0 || !was_full_) return;
    was_full_ = false;
    limit_ = std::min(2 * limit_, kMost);
  }

 private:
  static constexpr int64_t kMost = 512;
  const RefPtr<data::TunedNumber> tuned_;
  const bool is_automatic_;
  int64_t limit_;
  bool was_full_ = false;
};

/// Pulls the input ahead of the consumer.
class PrefetchBuffer final : public data::BackgroundStage {
 public:
  PrefetchBuffer(IteratorContext& ctx, IteratorPtr input, int64_t size)
      : BackgroundStage(RefPtr<data::PipelineTasks>::share(&ctx.tasks), ctx.nesting),
        input_(std::move(input)),
        limit_(ctx, size) {}

  Result<Pulled> take(PullContext& ctx, Element& element) {
    renew_if_forked();
    measure_with(ctx);
    data::Entry entry;
    Pulled pulled = Pulled::kElement;
    bool has_room = false;
    float ready = 0, limit = 0;
    {
      const std::lock_guard lock(mutex_);
      TINYTF_RETURN_IF_ERROR(broken_);
      limit_.note_ready(static_cast<int64_t>(entries_.size()));
      ready = static_cast<float>(entries_.size());
      limit = static_cast<float>(limit_.value());
      if (!entries_.empty()) {
        entry = std::move(entries_.front());
        entries_.pop_front();
      } else {
        TINYTF_RETURN_IF_ERROR(std::exchange(failure_, Status()));
        pulled = has_ended_ ? Pulled::kEnd : Pulled::kPending;
        if (!has_ended_) consumer_ = RefPtr<data::Waker>::share(&ctx.waker);
      }
      has_room = this->has_room();
    }
    if (has_room) wake();
    if (ctx.statistics != nullptr && pulled == Pulled::kElement) report(*ctx.statistics, ready, limit);
    TINYTF_RETURN_IF_ERROR(entry.status);
    if (pulled == Pulled::kElement) element.swap(entry.element);
    return pulled;
  }

  /// The consumer goes: nothing more is to be prefetched.
  void abandon() {
    renew_if_forked();
    RefPtr<data::Waker> consumer;  // Released after the lock.
    const std::lock_guard lock(mutex_);
    is_abandoned_ = true;
    std::swap(consumer, consumer_);
  }

  data::StageHeld held() const {
    const std::lock_guard lock(mutex_);
    return {static_cast<int64_t>(entries_.size()), limit_.value(), 0};
  }

  Status save(IteratorContext& ctx, StateWriter& state) {
    TINYTF_RETURN_IF_ERROR(pause_until_saved(ctx));
    {
      const std::lock_guard lock(mutex_);
      TINYTF_RETURN_IF_ERROR(broken_);
      state.put_int("has_ended", has_ended_);
      TINYTF_RETURN_IF_ERROR(data::save_entries(state, entries_));
    }
    StateWriter input = state.inside("input");
    return input_->save(ctx, input);
  }
  Status restore(IteratorContext& ctx, StateReader& state, const ElementSpec& spec) {
    Pause pause(*this);
    TINYTF_RETURN_IF_ERROR(pause.begin(ctx));
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(std::deque<data::Entry> entries, data::restore_entries(state, spec));
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = has_ended != 0;
      entries_.swap(entries);
    }
    StateReader input = state.inside("input");
    return input_->restore(ctx, input);
  }

 private:
  /// What the consumer finds, under TensorFlow's names.
  static void report(data::Statistics& statistics, float ready, float limit) {
    statistics.add_to_histogram("PrefetchDataset::buffer_utilization", ready / limit);
    statistics.set_scalar("PrefetchDataset::buffer_capacity", limit);
    statistics.set_scalar("PrefetchDataset::buffer_size", ready);
  }

  bool has_room() const {
    return !has_ended_ && !is_abandoned_ && failure_.ok() && static_cast<int64_t>(entries_.size()) < limit_.value();
  }

  void work(PullContext& ctx) override {
    while (!is_pausing() && ctx.check().ok()) {
      {
        const std::lock_guard lock(mutex_);
        if (!has_room()) return;
      }
      data::Entry entry;
      const Result<Pulled> pulled = input_->next(ctx, entry.element);
      if (was_cut(ctx, pulled) || (pulled.ok() && pulled.value() == Pulled::kPending)) return;
      if (!pulled.ok()) entry.status = pulled.status();
      limit_.note_element(entry.element);
      add(std::move(entry), pulled.ok() && pulled.value() == Pulled::kEnd);
    }
  }

  void add(data::Entry entry, bool has_ended) {
    RefPtr<data::Waker> consumer;
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = has_ended;
      if (!has_ended) entries_.push_back(std::move(entry));
      consumer = std::exchange(consumer_, nullptr);
    }
    if (consumer) consumer->wake();
  }

  /// Without a consumer that waits, its next request will start the work again, or get the error.
  void end(const Status& error) override { set_failure(error, /*keeps=*/false); }
  void end_by_exception(const Status& error) override { set_failure(error, /*keeps=*/true); }
  void set_failure(const Status& error, bool keeps) {
    RefPtr<data::Waker> consumer;
    {
      const std::lock_guard lock(mutex_);
      if (keeps || consumer_) failure_ = error;
      consumer = std::exchange(consumer_, nullptr);
    }
    if (consumer) consumer->wake();
  }

  void renew(bool was_working) override {
    (void)consumer_.release();  // Of the parent.
    if (was_working) broken_ = data::interrupted_by_fork();
  }

  const IteratorPtr input_;  // Used by work(), or during a pause.
  PrefetchLimit limit_;
  std::deque<data::Entry> entries_;
  bool has_ended_ = false;
  bool is_abandoned_ = false;
  Status broken_;
  Status failure_;                // Comes after the entries, before more are made.
  RefPtr<data::Waker> consumer_;  // Waits for an entry.
};

class PrefetchDataset final : public UnaryDataset {
 public:
  PrefetchDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t size)
      : UnaryDataset(std::move(parts), std::move(input)), size_(size) {}

  /// Negative: automatic.
  int64_t size() const { return size_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
  Result<RefPtr<const Dataset>> rewritten(const data::RewriteSite& site) const override {
    return size_ == 0 ? input_without_noop(site) : nullptr;
  }

 private:
  const int64_t size_;
};

class PrefetchIterator final : public IteratorOf<PrefetchDataset> {
 public:
  PrefetchIterator(const PrefetchDataset& dataset, RefPtr<PrefetchBuffer> buffer)
      : IteratorOf(dataset), buffer_(std::move(buffer)) {}
  ~PrefetchIterator() override { buffer_->abandon(); }

  Result<Pulled> pull(PullContext& ctx, Element& element) override { return buffer_->take(ctx, element); }
  data::StageHeld held() const override { return buffer_->held(); }
  Status save(IteratorContext& ctx, StateWriter& state) override { return buffer_->save(ctx, state); }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    return buffer_->restore(ctx, state, dataset().spec());
  }

 private:
  const RefPtr<PrefetchBuffer> buffer_;
};

Result<IteratorPtr> PrefetchDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, this->input().make_iterator(ctx));
  if (size_ == 0) return input;
  auto buffer = make_ref<PrefetchBuffer>(ctx, std::move(input), size_);
  buffer->share_statistics(ctx);
  return IteratorPtr(std::make_unique<PrefetchIterator>(*this, std::move(buffer)));
}

class PrefetchKernel final : public DatasetKernel {
 public:
  explicit PrefetchKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, scalar_input<int64_t>(ctx, 1, "buffer_size"));
    if (size < -1) return invalid_argument("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning");
    return RefPtr<const Dataset>(make_ref<PrefetchDataset>(std::move(parts), std::move(input), size));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_prefetch) {
  using namespace tinytf::ops;
  ops.op("PrefetchDataset")
      .input("input_dataset: variant")
      .input("buffer_size: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("slack_period: int = 0")
      .attr("legacy_autotune: bool = true")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of the elements of the input, up to `buffer_size` of which are made ahead, in the "
          "background; -1: as many as it takes that the consumer does not wait.");
  kernels.add<PrefetchKernel>("PrefetchDataset");
}
