#include "ops/data/shared/snapshot_writer.h"

#include "io/file_system.h"
#include "tests/cpp/snapshot_fixture.h"
#include "tests/cpp/stored_deflate.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace ops;
using testing::numbers_below;
using testing::SnapshotFolder;

size_t file_count(const SnapshotFolder& snapshots) {
  return snapshot_files(snapshots.graph() + "/" + read_snapshot_metadata(snapshots.graph()).take().run_id)
      .take()
      .size();
}

TINYTF_TEST(snapshots_that_are_written) {
  const SnapshotFolder snapshots;
  {
    const auto writer = snapshots.writer();
    writer->add({Tensor::scalar(int64_t{0})});
    EXPECT(writer->is_full());
    EXPECT_EQ(writer->held(), 1);
    EXPECT_OK(writer->write(snapshots.ctx));
    EXPECT(!writer->is_full());
    EXPECT(!read_snapshot_metadata(snapshots.graph()).take().is_finalized);
    EXPECT_OK(writer->finish(snapshots.ctx));
  }
  EXPECT(read_snapshot_metadata(snapshots.graph()).take().is_finalized);
  EXPECT(snapshots.read() == numbers_below(1));
  EXPECT_EQ(file_count(snapshots), 1u);
}

TINYTF_TEST(snapshots_of_several_lanes) {
  const testing::StoredDeflate codec;
  for (const int64_t lanes : {1, 2, 5}) {
    for (const int64_t buffer : {1, 4, 100}) {
      for (const int64_t count : {0, 3, 23}) {
        const SnapshotFolder snapshots;
        EXPECT_OK(snapshots.write(count, {DeflateFormat::kGzip, "", lanes, buffer}));
        EXPECT_EQ(file_count(snapshots), static_cast<size_t>(lanes));
        EXPECT(snapshots.read({DeflateFormat::kGzip, "", lanes, buffer}) == numbers_below(count));
      }
    }
  }
}

TINYTF_TEST(snapshots_in_several_files) {
  for (const int64_t lanes : {1, 3}) {
    const SnapshotFolder snapshots;
    EXPECT_OK(snapshots.write(40, {{}, "", lanes, 7, /*shard_bytes=*/24}));
    EXPECT(file_count(snapshots) > 3 * static_cast<size_t>(lanes));
    EXPECT(snapshots.read({{}, "", lanes, 4}) == numbers_below(40));
  }
}

TINYTF_TEST(snapshots_that_another_run_overtakes) {
  const SnapshotFolder snapshots;
  const auto slow = snapshots.writer();
  slow->add({Tensor::scalar(int64_t{7})});
  EXPECT_OK(slow->write(snapshots.ctx));
  EXPECT_OK(snapshots.write(2));
  EXPECT_OK(slow->finish(snapshots.ctx));
  EXPECT(snapshots.read() == numbers_below(2));
  EXPECT_EQ(names_in(snapshots.graph()).take().size(), 2u);  // The metadata, and the folder of the other run.
}

TINYTF_TEST(snapshots_whose_step_ends_are_continued) {
  SnapshotFolder snapshots;
  const auto writer = snapshots.writer({{}, "", 2, 2});
  testing::DataStep cancelled;
  cancelled.cancellation.cancel();
  const data::IteratorContext ended{cancelled.services, *snapshots.tasks};
  for (int64_t i = 0; i < 4; ++i) {
    writer->add({Tensor::scalar(i)});
    EXPECT_EQ(writer->write(ended).code(), Code::kCancelled);
  }
  EXPECT_EQ(writer->finish(ended).code(), Code::kCancelled);
  EXPECT_OK(writer->finish(snapshots.ctx));
  EXPECT(snapshots.read({{}, "", 2, 1}) == numbers_below(4));
}

TINYTF_TEST(snapshots_that_cannot_be_written) {
  const SnapshotFolder snapshots;
  EXPECT_OK(write_file(snapshots.graph(), ""));
  EXPECT_EQ(SnapshotWriter::begin(snapshots.graph(), "graph", 1, {}).status().code(), Code::kFailedPrecondition);
  const testing::TemporaryFolder folder;
  const auto writer = SnapshotWriter::begin(folder / "graph", "graph", 1, {{}, "", 1, 1, 1 << 20}).take();
  std::filesystem::remove_all(folder / "graph");
  writer->add({Tensor::scalar(int64_t{0})});
  EXPECT_EQ(writer->write(snapshots.ctx).code(), Code::kNotFound);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
