#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "data/entry.h"
#include "ops/data/shared/snapshot_writer.h"

namespace tinytf::ops {

/// Pulls the input of a snapshot and passes the elements on; with a writer, it has them written. Used by one thread at
/// a time.
class SnapshotSource {
 public:
  /// `writer` may be null.
  SnapshotSource(IteratorPtr input, std::unique_ptr<SnapshotWriter> writer)
      : input_(std::move(input)), writer_(std::move(writer)) {}

  /// As Iterator::pull. With a writer it pulls one element more: the snapshot is complete once the last element was
  /// taken, as in TensorFlow. An error of the writer takes no element's place: later pulls pass elements on.
  Result<Pulled> take(PullContext& ctx, Element& element);

  bool is_writing() const { return writer_ != nullptr; }
  int64_t held() const { return static_cast<int64_t>(entries_.size()) + (writer_ ? writer_->held() : 0); }
  /// Writes the position, which is that of a source without a writer.
  Status save(IteratorContext& ctx, StateWriter& state) const;
  /// Of a new source without a writer; `spec` is that of elements.
  Status restore(IteratorContext& ctx, StateReader& state, const ElementSpec& spec);

 private:
  Result<bool> look_ahead(PullContext& ctx);
  Status write(const IteratorContext& ctx);

  const IteratorPtr input_;
  std::unique_ptr<SnapshotWriter> writer_;
  std::deque<data::Entry> entries_;
  bool has_ended_ = false;
};

}  // namespace tinytf::ops
