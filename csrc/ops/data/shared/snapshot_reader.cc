#include "ops/data/shared/snapshot_reader.h"

#include <algorithm>
#include <utility>

#include "op/guarded.h"

namespace tinytf::ops {

namespace {

// Limits of what a lane reads ahead.
constexpr int64_t kMostAhead = 1024;
constexpr int64_t kMostAheadBytes = int64_t{1} << 24;

constexpr double kRecordNanoseconds = 1e5;  // Reading a record, so that several lanes are worth several threads.

/// Whether reading may be tried again: the step has ended, or memory was exhausted.
bool is_temporary(const IteratorContext& ctx, const Status& error) {
  return error.code() == Code::kResourceExhausted || !ctx.check().ok();
}

}  // namespace

SnapshotReader::SnapshotReader(std::vector<std::string> files, Options options)
    : files_(std::move(files)), options_(std::move(options)) {
  lanes_.resize(std::min(files_.size(), static_cast<size_t>(options_.lanes)));
}

Result<bool> SnapshotReader::next(const IteratorContext& ctx, Element& element) {
  TINYTF_ASSIGN_OR_RETURN(const bool has_more, prepare(ctx));
  if (!has_more) return false;
  Lane& lane = lanes_[turn_];
  if (lane.ready.empty()) {
    const Status error = std::exchange(lane.error, Status());
    if (!is_temporary(ctx, error)) lane.file.reset();
    return error;
  }
  element = std::move(lane.ready.front());
  lane.ready.pop_front();
  end_turn();
  return true;
}

Status SnapshotReader::skip(const IteratorContext& ctx, int64_t count) {
  for (int64_t i = 0; i < count && !lanes_.empty(); ++i) {
    for (;;) {
      if (lanes_.empty()) return Status();
      Lane& lane = lanes_[turn_];
      if (lane.file) {
        TINYTF_ASSIGN_OR_RETURN(const bool has_more, lane.file->skip(ctx));
        if (has_more) break;
        lane.file.reset();
      }
      TINYTF_RETURN_IF_ERROR(open_next(lane));
    }
    end_turn();
  }
  return Status();
}

int64_t SnapshotReader::held() const {
  int64_t held = 0;
  for (const Lane& lane : lanes_) held += static_cast<int64_t>(lane.ready.size());
  return held;
}

Result<bool> SnapshotReader::prepare(const IteratorContext& ctx) {
  while (!lanes_.empty()) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    Lane& lane = lanes_[turn_];
    if (!lane.ready.empty() || !lane.error.ok()) return true;
    TINYTF_RETURN_IF_ERROR(lane.file ? fill(ctx) : open_next(lane));
  }
  return false;
}

/// Opens the next file for the lane of this turn, or removes the lane.
Status SnapshotReader::open_next(Lane& lane) {
  if (next_file_ == files_.size()) {
    lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(turn_));
    if (turn_ == lanes_.size()) turn_ = 0;
    return Status();
  }
  auto file = SnapshotFile::open(options_.prefix + files_[next_file_], options_.compression);
  if (file.status().code() != Code::kResourceExhausted) ++next_file_;
  TINYTF_ASSIGN_OR_RETURN(lane.file, std::move(file));
  return Status();
}

/// Reads ahead in all lanes that have nothing ready.
Status SnapshotReader::fill(const IteratorContext& ctx) {
  std::vector<Lane*> empty;
  for (Lane& lane : lanes_) {
    if (lane.file && lane.ready.empty() && lane.error.ok()) empty.push_back(&lane);
  }
  if (empty.size() == 1) {
    fill_lane(ctx, *empty[0]);
    return Status();
  }
  ctx.step.parallel->run(static_cast<int64_t>(empty.size()), 1, kRecordNanoseconds, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) fill_lane(ctx, *empty[static_cast<size_t>(i)]);
  });
  return Status();
}

void SnapshotReader::fill_lane(const IteratorContext& ctx, Lane& lane) const {
  const int64_t most = std::clamp(options_.buffer / static_cast<int64_t>(lanes_.size()), int64_t{1}, kMostAhead);
  int64_t bytes = 0;
  lane.error = guarded([&]() -> Status {
    while (static_cast<int64_t>(lane.ready.size()) < most && bytes < kMostAheadBytes) {
      Element element;
      TINYTF_ASSIGN_OR_RETURN(const bool has_more, lane.file->read(ctx, element));
      if (!has_more) {
        lane.file.reset();
        break;
      }
      bytes += data::bytes_of(element);
      lane.ready.push_back(std::move(element));
    }
    return Status();
  });
}

}  // namespace tinytf::ops
