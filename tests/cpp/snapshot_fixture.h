#pragma once

// Snapshots of numbers in a temporary folder.

#include "ops/data/shared/snapshot_reader.h"
#include "ops/data/shared/snapshot_writer.h"
#include "tests/cpp/data_fixture.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace testing {

/// A folder for snapshots, and a step.
struct SnapshotFolder {
  std::string graph() const { return folder / "graph"; }
  std::unique_ptr<ops::SnapshotWriter> writer(ops::SnapshotWriter::Options options = {}) const {
    if (options.shard_bytes == 0) options.shard_bytes = 1 << 20;
    return ops::SnapshotWriter::begin(graph(), "graph", 1, std::move(options)).take();
  }
  /// Writes the numbers below `count`.
  Status write(int64_t count, ops::SnapshotWriter::Options options = {}) const {
    const auto to = writer(std::move(options));
    for (int64_t i = 0; i < count; ++i) {
      to->add({Tensor::scalar(i)});
      if (to->is_full()) TINYTF_RETURN_IF_ERROR(to->write(ctx));
    }
    return to->finish(ctx);
  }
  ops::SnapshotReader reader(ops::SnapshotReader::Options options = {}) const {
    const ops::SnapshotMetadata metadata = ops::read_snapshot_metadata(graph()).take();
    return ops::SnapshotReader(ops::snapshot_files(graph() + "/" + metadata.run_id).take(), std::move(options));
  }
  /// The numbers to the end; -1 for an error.
  std::vector<int64_t> numbers_of(ops::SnapshotReader& reader) const {
    std::vector<int64_t> numbers;
    data::Element element;
    while (numbers.size() < 10000) {
      const Result<bool> has_more = reader.next(ctx, element);
      if (has_more.ok() && !has_more.value()) break;
      numbers.push_back(has_more.ok() ? element[0].int_at(0) : -1);
    }
    return numbers;
  }
  std::vector<int64_t> read(ops::SnapshotReader::Options options = {}) const {
    ops::SnapshotReader from = reader(std::move(options));
    return numbers_of(from);
  }

  TemporaryFolder folder;
  DataStep step;
  RefPtr<data::PipelineTasks> tasks = make_ref<data::PipelineTasks>();
  data::IteratorContext ctx{step.services, *tasks};
};

inline std::vector<int64_t> numbers_below(int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace testing
}  // namespace tinytf
