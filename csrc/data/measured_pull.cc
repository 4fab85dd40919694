// Measurement of pulls: a file of its own, because stages are known by their datasets, which include iterators.

#include "data/batch_rows.h"
#include "data/dataset.h"
#include "data/stage_profile.h"

namespace tinytf::data {

StageProfile& StageProfile::input(const Dataset& dataset) {
  const std::shared_ptr<const NodeInfo>& node = dataset.origin().node;
  const std::lock_guard lock(mutex_);
  for (const auto& known : inputs_) {
    if (known->node_ == node) return *known;
  }
  return *inputs_.emplace_back(std::make_unique<StageProfile>(node, dataset.site()));
}

AtStage::AtStage(IteratorContext& ctx, StageProfile* stage)
    : ctx_(ctx), frame_{stage, 0}, began_(stage != nullptr ? StageProfile::now() : 0) {
  if (stage == nullptr) return;
  outer_ = ctx.frame;
  ctx.frame = &frame_;
}

AtStage::~AtStage() {
  if (frame_.stage != nullptr) ctx_.frame = outer_;
}

/// Measures a pull of an iterator over a dataset.
class Iterator::MeasuredPull : public AtStage {
 public:
  MeasuredPull(PullContext& ctx, Iterator& iterator)
      : AtStage(ctx, &ctx.frame->stage->input(*iterator.made_of())), iterator_(iterator) {}
  ~MeasuredPull() {
    const int64_t end = StageProfile::now();
    const int64_t total = end - began_;
    outer_->inputs += total;
    int64_t waited = total;
    if (iterator_.pending_since_ != 0) waited += began_ - iterator_.pending_since_;
    iterator_.pending_since_ = is_pending_ ? end : 0;
    frame_.stage->add_time(total - frame_.inputs, waited);
    frame_.stage->set_held(iterator_.held());
  }
  MeasuredPull(const MeasuredPull&) = delete;
  MeasuredPull& operator=(const MeasuredPull&) = delete;

  StageProfile& stage() { return *frame_.stage; }
  void note(const Result<Pulled>& pulled) { is_pending_ = pulled.ok() && pulled.value() == Pulled::kPending; }

 private:
  Iterator& iterator_;
  bool is_pending_ = false;
};

Result<Pulled> Iterator::measured_pull(PullContext& ctx, Element& element) {
  if (made_of() == nullptr) return pull(ctx, element);
  MeasuredPull measured(ctx, *this);
  Result<Pulled> pulled = pull(ctx, element);
  measured.note(pulled);
  if (pulled.ok() && pulled.value() == Pulled::kElement) {
    measured.stage().add_elements(1);
    measured.stage().add_size(bytes_of(element));
  }
  return pulled;
}

Result<Pulled> Iterator::measured_rows(PullContext& ctx, int64_t size, BatchRows& rows) {
  if (made_of() == nullptr) return pull_rows(ctx, size, rows);
  MeasuredPull measured(ctx, *this);
  const int64_t before = rows.collected();
  Result<Pulled> pulled = pull_rows(ctx, size, rows);
  measured.note(pulled);
  measured.stage().add_elements(rows.collected() - before);
  return pulled;
}

}  // namespace tinytf::data
