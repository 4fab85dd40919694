#include "ops/data/shared/snapshot_writer.h"

#include <algorithm>
#include <random>
#include <utility>

#include "io/file_system.h"
#include "op/guarded.h"

namespace tinytf::ops {

namespace {

constexpr double kByteNanoseconds = 1;  // Serializing and writing; compression takes longer.

std::string random_id() {
  std::random_device source;
  return snapshot_id(uint64_t{source()} << 32 | source());
}

}  // namespace

Result<std::unique_ptr<SnapshotWriter>> SnapshotWriter::begin(const std::string& folder, const std::string& graph_hash,
                                                              int64_t now_micros, Options options) {
  SnapshotMetadata metadata{graph_hash, random_id(), now_micros};
  std::string run_folder = str_cat(options.prefix, folder, "/", metadata.run_id);
  std::unique_ptr<SnapshotWriter> writer(
      new SnapshotWriter(folder, std::move(metadata), std::move(run_folder), std::move(options)));
  TINYTF_RETURN_IF_ERROR(make_folders(writer->run_folder_));
  TINYTF_RETURN_IF_ERROR(write_snapshot_metadata(folder, writer->metadata_));
  return writer;
}

SnapshotWriter::SnapshotWriter(std::string folder, SnapshotMetadata metadata, std::string run_folder, Options options)
    : folder_(std::move(folder)),
      metadata_(std::move(metadata)),
      run_folder_(std::move(run_folder)),
      options_(std::move(options)),
      lanes_(static_cast<size_t>(options_.lanes)),
      next_file_(options_.lanes) {
  for (size_t i = 0; i < lanes_.size(); ++i) lanes_[i].file = static_cast<int64_t>(i);
}

void SnapshotWriter::add(const Element& element) {
  Lane& lane = lanes_[turn_];
  turn_ = (turn_ + 1) % lanes_.size();
  const int64_t bytes = data::bytes_of(element);
  lane.bytes += bytes;
  if (lane.bytes > options_.shard_bytes) {  // As in TensorFlow, the first element of such a file does not count.
    lane.file = next_file_++;
    lane.bytes = 0;
  }
  lane.jobs.push_back({element, lane.file});
  ++collected_;
  collected_bytes_ += bytes;
}

Status SnapshotWriter::write(const IteratorContext& ctx) {
  const auto count = static_cast<int64_t>(lanes_.size());
  const double cost = kByteNanoseconds * static_cast<double>(collected_bytes_) / static_cast<double>(count);
  ctx.step.parallel->run(count, 1, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) write_lane(ctx, lanes_[static_cast<size_t>(i)]);
  });
  for (const Lane& lane : lanes_) TINYTF_RETURN_IF_ERROR(lane.error);
  TINYTF_RETURN_IF_ERROR(ctx.check());  // Then lanes may have been left.
  collected_ = 0;
  collected_bytes_ = 0;
  return Status();
}

void SnapshotWriter::write_lane(const IteratorContext& ctx, Lane& lane) const {
  lane.error = guarded([&]() -> Status {
    for (; !lane.jobs.empty(); lane.jobs.pop_front()) {
      if (!ctx.check().ok()) return Status();
      const Job& job = lane.jobs.front();
      if (lane.open_file != job.file) TINYTF_RETURN_IF_ERROR(open(lane, job.file));
      TINYTF_RETURN_IF_ERROR(write_snapshot_record(job.element, *lane.sink));
    }
    return Status();
  });
}

/// Closes the open file of the lane, and opens this one.
Status SnapshotWriter::open(Lane& lane, int64_t file) const {
  if (lane.sink) TINYTF_RETURN_IF_ERROR(lane.sink->close());
  std::optional<DeflateOptions> deflate;
  if (options_.compression) {
    deflate.emplace();
    deflate->format = *options_.compression;
  }
  TINYTF_ASSIGN_OR_RETURN(lane.sink, ByteSink::create(file_name(file), deflate));
  lane.open_file = file;
  return Status();
}

Status SnapshotWriter::finish(const IteratorContext& ctx) {
  TINYTF_RETURN_IF_ERROR(write(ctx));
  for (size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (!lane.sink) TINYTF_RETURN_IF_ERROR(open(lane, static_cast<int64_t>(i)));  // Of a lane without elements.
    TINYTF_RETURN_IF_ERROR(lane.sink->close());
  }
  TINYTF_ASSIGN_OR_RETURN(const SnapshotMetadata now, read_snapshot_metadata(folder_));
  if (now.run_id != metadata_.run_id) {
    delete_files();
    return Status();
  }
  metadata_.is_finalized = true;
  return write_snapshot_metadata(folder_, metadata_);
}

/// Errors do not matter: the files are not read.
void SnapshotWriter::delete_files() const {
  for (int64_t file = 0; file < next_file_; ++file) (void)delete_file(file_name(file));
  (void)delete_folder(run_folder_);
}

}  // namespace tinytf::ops
