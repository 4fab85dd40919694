#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ops/data/shared/snapshot_files.h"

namespace tinytf::ops {

/// Reads the elements of a run: as many files at a time as there are lanes, one element of each lane in turn. A lane
/// whose file ends goes on with the first file that no lane has. The elements of lanes are read on several threads. So
/// the order does not depend on their speed, and is that of writing if as many lanes wrote. One thread at a time.
class SnapshotReader {
 public:
  struct Options {
    std::optional<DeflateFormat> compression;
    std::string prefix;  ///< of file names
    int64_t lanes = 1;
    int64_t buffer = 1;  ///< elements that are read ahead
  };

  /// `files` is not empty.
  SnapshotReader(std::vector<std::string> files, Options options);

  /// Sets `element` to the next one; false at the end. After an error that is none of the step's end nor a lack of
  /// memory, the rest of the file is left out.
  Result<bool> next(const IteratorContext& ctx, Element& element);
  /// Skips `count` elements, or all to the end.
  Status skip(const IteratorContext& ctx, int64_t count);
  int64_t held() const;

 private:
  struct Lane {
    std::optional<SnapshotFile> file;  // Unset if it has ended.
    std::deque<Element> ready;
    Status error;  // Comes after the ready ones.
  };

  /// Makes lane turn_ have an element or an error, or removes it and goes on with the next lane; false at the end.
  Result<bool> prepare(const IteratorContext& ctx);
  Status open_next(Lane& lane);
  Status fill(const IteratorContext& ctx);
  void fill_lane(const IteratorContext& ctx, Lane& lane) const;
  void end_turn() { turn_ = (turn_ + 1) % lanes_.size(); }

  const std::vector<std::string> files_;
  const Options options_;
  std::vector<Lane> lanes_;
  size_t turn_ = 0;
  size_t next_file_ = 0;
};

}  // namespace tinytf::ops
