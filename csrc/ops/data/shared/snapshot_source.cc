#include "ops/data/shared/snapshot_source.h"

namespace tinytf::ops {

namespace {

/// Whether an error is due to the end of the step, not one of the sequence.
bool is_end_of_step(const IteratorContext& ctx, const Status& error) {
  return error.code() == Code::kCancelled && !ctx.check().ok();
}

}  // namespace

Result<Pulled> SnapshotSource::take(PullContext& ctx, Element& element) {
  if (writer_ && writer_->is_of_parent()) writer_.reset();  // A forked child leaves the files to its parent.
  TINYTF_ASSIGN_OR_RETURN(const bool is_ready, look_ahead(ctx));
  if (!is_ready) return Pulled::kPending;
  TINYTF_RETURN_IF_ERROR(write(ctx));
  if (entries_.empty()) return Pulled::kEnd;
  data::Entry entry = std::move(entries_.front());
  entries_.pop_front();
  TINYTF_RETURN_IF_ERROR(entry.status);
  element = std::move(entry.element);
  return Pulled::kElement;
}

/// Pulls until there is the next element, and as long as there is a writer, the one after it. False if the input is
/// pending. The writer goes with a pull that fails or throws: the snapshot would lack an element.
Result<bool> SnapshotSource::look_ahead(PullContext& ctx) {
  while (!has_ended_ && entries_.size() < (writer_ ? 2 : 1)) {
    std::unique_ptr<SnapshotWriter> writer = std::move(writer_);
    data::Entry entry;
    const Result<Pulled> pulled = input_->next(ctx, entry.element);
    if (!pulled.ok()) {
      if (is_end_of_step(ctx, pulled.status())) return pulled.status();
      entry.status = pulled.status();
      entries_.push_back(std::move(entry));
      return true;
    }
    if (pulled.value() == Pulled::kElement) {
      if (writer) writer->add(entry.element);
      entries_.push_back(std::move(entry));
    }
    writer_ = std::move(writer);
    if (pulled.value() == Pulled::kPending) return false;
    has_ended_ = pulled.value() == Pulled::kEnd;
  }
  return true;
}

/// The writer stays only if it has succeeded, or left the rest to a later call.
Status SnapshotSource::write(const IteratorContext& ctx) {
  if (!writer_ || !(has_ended_ || writer_->is_full())) return Status();
  std::unique_ptr<SnapshotWriter> writer = std::move(writer_);
  const Status written = has_ended_ ? writer->finish(ctx) : writer->write(ctx);
  const bool is_left = !written.ok() && is_end_of_step(ctx, written);
  if (is_left || (written.ok() && !has_ended_)) writer_ = std::move(writer);
  return written;
}

Status SnapshotSource::save(IteratorContext& ctx, StateWriter& state) const {
  state.put_int("has_ended", has_ended_);
  TINYTF_RETURN_IF_ERROR(data::save_entries(state, entries_));
  StateWriter input = state.inside("input");
  return input_->save(ctx, input);
}

Status SnapshotSource::restore(IteratorContext& ctx, StateReader& state, const ElementSpec& spec) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(entries_, data::restore_entries(state, spec, 2));
  has_ended_ = has_ended != 0;
  StateReader input = state.inside("input");
  return input_->restore(ctx, input);
}

}  // namespace tinytf::ops
