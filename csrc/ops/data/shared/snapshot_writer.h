#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/data/shared/snapshot_files.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Writes the elements of a run: one to each lane in turn, each lane to a file at a time. The lanes are written on
/// several threads. What was written stays incomplete, and is not read, unless finish() has succeeded. One thread at a
/// time.
class SnapshotWriter {
 public:
  struct Options {
    std::optional<DeflateFormat> compression;
    std::string prefix;  ///< of the run's folder
    int64_t lanes = 1;
    int64_t buffer = 1;       ///< elements that are collected before they are written
    int64_t shard_bytes = 0;  ///< of elements in a file; more are written to another file
  };

  /// Makes the folder of the run, and writes the metadata of a run that has begun into the folder of the graph.
  static Result<std::unique_ptr<SnapshotWriter>> begin(const std::string& folder, const std::string& graph_hash,
                                                       int64_t now_micros, Options options);

  /// Collects an element, whose tensors must not change.
  void add(const Element& element);
  /// Whether enough elements were collected.
  bool is_full() const { return collected_ >= options_.buffer || collected_bytes_ >= kMostBytes; }
  /// Writes what was collected. If the step ends meanwhile, a later call goes on. After an error the run is lost.
  Status write(const IteratorContext& ctx);
  /// Writes what was collected and completes the snapshot, unless another run has begun meanwhile. Then nobody will
  /// read the files of this run, and they are deleted. As write().
  Status finish(const IteratorContext& ctx);
  /// Whether the process was forked: the files are those of the parent.
  bool is_of_parent() const { return renewal_.due(); }
  int64_t held() const { return collected_; }

 private:
  static constexpr int64_t kMostBytes = int64_t{1} << 26;

  struct Job {
    Element element;
    int64_t file;
  };
  struct Lane {
    int64_t file = 0;   // Of the elements that are added.
    int64_t bytes = 0;  // Of elements in it.
    std::deque<Job> jobs;
    int64_t open_file = -1;
    std::optional<ByteSink> sink;
    Status error;
  };

  SnapshotWriter(std::string folder, SnapshotMetadata metadata, std::string run_folder, Options options);
  std::string file_name(int64_t file) const { return str_cat(run_folder_, "/", snapshot_file_name(file)); }
  void write_lane(const IteratorContext& ctx, Lane& lane) const;
  Status open(Lane& lane, int64_t file) const;
  void delete_files() const;

  const std::string folder_;
  SnapshotMetadata metadata_;
  const std::string run_folder_;
  const Options options_;
  std::vector<Lane> lanes_;
  size_t turn_ = 0;
  int64_t next_file_;
  int64_t collected_ = 0, collected_bytes_ = 0;
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops
