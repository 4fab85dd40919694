#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "ops/data/shared/inner_buffer.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// How datasets are interleaved in parallel.
struct ParallelCycleOptions {
  Cycle cycle;
  int64_t ahead = 1;  ///< datasets that are opened before the cycle reaches them
  /// If not 0: at most so many datasets are open, and each that is opened later takes over the place in the pipeline of
  /// one that has ended. Else no two have the same place.
  int64_t workers = 0;
  int64_t working = 1;  ///< datasets that are pulled at a time
  int64_t room = 1;     ///< elements of a dataset that are made ahead
  bool is_sloppy = false;
  const char* stage = nullptr;                ///< TensorFlow's name of the stage, for errors
  RefPtr<data::TunedNumber> tuned = nullptr;  ///< if not null, the number in place of `ahead` and `working`
};

/// Opens the datasets that a function makes of the elements of an input, ahead of its consumer.
class InnerSource final : public ServedStage {
 public:
  InnerSource(const IteratorContext& ctx, IteratorPtr input, std::shared_ptr<const InnerBufferParts> parts,
              const ParallelCycleOptions& options)
      : ServedStage(ctx),
        input_(std::move(input)),
        parts_(std::move(parts)),
        ahead_(options.ahead),
        workers_(options.workers),
        tuned_(options.tuned) {}

  Result<Pulled> take(PullContext& ctx, RefPtr<InnerBuffer>& buffer);
  /// The dataset of this buffer, which was taken, has ended.
  void release(const InnerBuffer& buffer);
  void abandon_all();
  /// A buffer at a saved position. The specs are those of the function's arguments, and of elements.
  Result<RefPtr<InnerBuffer>> restored_buffer(IteratorContext& ctx, StateReader& state, const ElementSpec& arguments,
                                              const ElementSpec& elements) const;
  Status save(IteratorContext& ctx, StateWriter& state);
  Status restore(IteratorContext& ctx, StateReader& state, const ElementSpec& arguments, const ElementSpec& elements);
  const data::BoundFunction& function() const { return *parts_->function; }

 private:
  bool has_room() const {
    const int64_t ahead = tuned_ ? tuned_->value() : ahead_;
    return !has_ended_ && !is_abandoned() && !has_failed() && static_cast<int64_t>(opened_.size()) < ahead &&
           (workers_ == 0 || made_ < workers_ || !free_.empty());
  }
  int64_t take_index();
  RefPtr<InnerBuffer> new_buffer(int64_t index) const;
  void work(PullContext& ctx) override;

  const IteratorPtr input_;  // Used by work(), or during a pause.
  const std::shared_ptr<const InnerBufferParts> parts_;
  const int64_t ahead_, workers_;
  const RefPtr<data::TunedNumber> tuned_;  // If not null, the number in place of ahead_.
  int64_t made_ = 0;                       // Indices that were given to buffers.
  std::deque<int64_t> free_;               // Indices of buffers that have ended, for later ones.
  std::deque<RefPtr<InnerBuffer>> opened_;
  bool has_ended_ = false;
};

/// The iterator over interleaved datasets, whose elements are made in the background. Without is_sloppy, the order of
/// elements does not depend on time.
class ParallelCycleIterator final : public IteratorOf<FunctionDataset> {
 public:
  static Result<IteratorPtr> make(const FunctionDataset& dataset, IteratorContext& ctx,
                                  const ParallelCycleOptions& options);
  ParallelCycleIterator(const FunctionDataset& dataset, ParallelCycleOptions options, RefPtr<InnerSource> source)
      : IteratorOf(dataset), options_(std::move(options)), source_(std::move(source)) {}
  ~ParallelCycleIterator() override;

  Result<Pulled> pull(PullContext& ctx, Element& element) override;
  data::StageHeld held() const override;
  Status save(IteratorContext& ctx, StateWriter& state) override;
  Status restore(IteratorContext& ctx, StateReader& state) override;

 private:
  Result<Pulled> pull_in_order(PullContext& ctx, Element& element);
  Result<Pulled> pull_sloppily(PullContext& ctx, Element& element);
  Result<Pulled> fill(PullContext& ctx, size_t place);
  Status fill_all(PullContext& ctx);
  void close(size_t place);
  void leave_empty_place(bool was_filled);
  /// Places are made when they are reached, so that their memory is bounded by the input.
  int64_t places() const { return has_ended_ ? static_cast<int64_t>(places_.size()) : options_.cycle.length; }

  const ParallelCycleOptions options_;
  const RefPtr<InnerSource> source_;
  std::vector<RefPtr<InnerBuffer>> places_;  // Null: the place is empty.
  CyclePosition position_;
  int64_t open_ = 0;  // Places that are not empty.
  bool has_ended_ = false;
  bool is_replacing_ = false;  // The dataset of the current place has ended, and its worker's next one takes the place.
};

}  // namespace tinytf::ops
