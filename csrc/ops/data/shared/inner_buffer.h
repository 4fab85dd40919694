#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "data/entry.h"
#include "ops/data/shared/inner_datasets.h"
#include "ops/data/shared/served_stage.h"
#include "ops/data/shared/work_limit.h"

namespace tinytf::ops {

/// What the buffers of one iterator share. Immutable.
struct InnerBufferParts {
  std::shared_ptr<data::BoundFunction> function;
  RefPtr<WorkLimit> limit;
  RefPtr<data::TunedNumber> tuned;  ///< of which the sizes of elements are told; may be null
  uint64_t place = 0;               ///< of the iterator
  int levels = 0;                   ///< of its dataset
  int64_t room = 1;                 ///< elements that a buffer holds
  const char* stage = nullptr;      ///< TensorFlow's name of the stage, for errors
};

/// Makes an iterator of the dataset that a function makes of an element, and pulls it ahead of the consumer.
class InnerBuffer final : public ServedStage {
 public:
  /// Of dataset `index` of those that `maker` opens; see data::place_inside.
  InnerBuffer(const ServedStage& maker, std::shared_ptr<const InnerBufferParts> parts, int64_t index)
      : ServedStage(maker), parts_(std::move(parts)), index_(index) {}

  int64_t index() const { return index_; }
  /// Begins with the arguments of the function. Call it once.
  void begin(Element arguments) {
    prepare(std::move(arguments));
    wake();
  }
  /// As begin(), but work starts with the first wake().
  void prepare(Element arguments);
  /// Yields this error and then nothing. Call it instead of begin().
  void fail(Status error);
  /// After an error, the next element or the end follows.
  Result<Pulled> take(PullContext& ctx, Element& element);

  /// The number of elements that can be taken.
  int64_t ready() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int64_t>(entries_.size());
  }
  /// Waits until no call runs.
  Status save(IteratorContext& ctx, StateWriter& state);
  /// Instead of begin(). The specs are those of the function's arguments, and of elements.
  Status restore(IteratorContext& ctx, StateReader& state, const ElementSpec& arguments, const ElementSpec& elements);

 private:
  enum class Phase : uint8_t { kBegun, kCalling, kCalled, kPulling, kEnded };
  enum class Step : uint8_t { kMore, kNothing, kCalls };

  bool has_room() const {
    return phase_ != Phase::kCalling && phase_ != Phase::kEnded && !is_abandoned() && !has_failed() &&
           static_cast<int64_t>(entries_.size()) < parts_->room;
  }
  void work(PullContext& ctx) override;
  void end(const Status& error) override;
  Step step(PullContext& ctx);
  void call(Element arguments);
  void finish(const Status& status, Element results);
  void make_iterator(PullContext& ctx);
  Step pull(PullContext& ctx);
  void add(data::Entry entry, Phase next);

  uint64_t place() const { return data::place_inside(parts_->place, parts_->levels, index_); }

  const std::shared_ptr<const InnerBufferParts> parts_;
  const int64_t index_;
  Phase phase_ = Phase::kEnded;
  MakingCall call_;
  Element results_;  // Of the function, until the iterator is made.
  std::deque<data::Entry> entries_;
  IteratorPtr iterator_;  // Used by work(), or during a pause.
};

}  // namespace tinytf::ops
