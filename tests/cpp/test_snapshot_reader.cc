#include "ops/data/shared/snapshot_reader.h"

#include <algorithm>

#include "io/file_system.h"
#include "tests/cpp/snapshot_fixture.h"
#include "tests/cpp/stored_deflate.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace ops;
using testing::numbers_below;
using testing::SnapshotFolder;
using Numbers = std::vector<int64_t>;

TINYTF_TEST(snapshots_are_read_in_the_order_of_lanes) {
  const SnapshotFolder snapshots;
  EXPECT_OK(snapshots.write(7, {{}, "", 3, 1}));
  EXPECT(snapshots.read({{}, "", 3, 1}) == numbers_below(7));
  EXPECT(snapshots.read({{}, "", 1, 1}) == (Numbers{0, 3, 6, 1, 4, 2, 5}));
  EXPECT(snapshots.read({{}, "", 2, 1}) == (Numbers{0, 1, 3, 4, 6, 2, 5}));
  EXPECT(snapshots.read({{}, "", 60, 1000}) == numbers_below(7));
}

TINYTF_TEST(snapshots_are_read_from_a_position) {
  for (const int64_t lanes : {1, 2, 3}) {
    const SnapshotFolder snapshots;
    EXPECT_OK(snapshots.write(11, {{}, "", 3, 2, /*shard_bytes=*/8}));
    const Numbers all = snapshots.read({{}, "", lanes, 5});
    for (size_t begin = 0; begin <= all.size() + 2; ++begin) {
      SnapshotReader reader = snapshots.reader({{}, "", lanes, 5});
      EXPECT_OK(reader.skip(snapshots.ctx, static_cast<int64_t>(begin)));
      EXPECT(snapshots.numbers_of(reader) == Numbers(all.begin() + std::min(begin, all.size()), all.end()));
    }
    SnapshotReader reader = snapshots.reader({{}, "", lanes, 5});
    EXPECT_OK(reader.skip(snapshots.ctx, INT64_MAX));
    EXPECT(snapshots.numbers_of(reader).empty());
  }
}

TINYTF_TEST(snapshots_are_read_ahead) {
  const SnapshotFolder snapshots;
  EXPECT_OK(snapshots.write(9));
  SnapshotReader reader = snapshots.reader({{}, "", 1, 4});
  data::Element element;
  EXPECT(reader.next(snapshots.ctx, element).take());
  EXPECT_EQ(reader.held(), 3);
}

TINYTF_TEST(snapshots_with_damaged_files) {
  const SnapshotFolder snapshots;
  EXPECT_OK(snapshots.write(6, {{}, "", 2, 1}));
  const std::string run = read_snapshot_metadata(snapshots.graph()).take().run_id;
  const std::string first = snapshots.graph() + "/" + run + "/00000000.snapshot";
  EXPECT_OK(write_file(first, read_file(first).take().substr(0, 40)));
  EXPECT(snapshots.read() == (Numbers{0, -1, 1, 3, 5}));
  EXPECT(snapshots.read({{}, "", 2, 8}) == (Numbers{0, 1, -1, 3, 5}));
  EXPECT_OK(delete_file(first));
  SnapshotReader reader({first, snapshots.graph() + "/" + run + "/00000001.snapshot"}, {});
  EXPECT(snapshots.numbers_of(reader) == (Numbers{-1, 1, 3, 5}));
}

TINYTF_TEST(snapshots_whose_compressed_data_are_cut) {
  const testing::StoredDeflate codec;
  const SnapshotFolder snapshots;
  EXPECT_OK(snapshots.write(1, {DeflateFormat::kGzip, "", 1, 1}));
  const std::string run = read_snapshot_metadata(snapshots.graph()).take().run_id;
  const std::string file = snapshots.graph() + "/" + run + "/00000000.snapshot";
  const std::string whole = read_file(file).take();
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_OK(write_file(file, whole.substr(0, size)));
    const Numbers found = snapshots.read({DeflateFormat::kGzip, "", 1, 1});
    EXPECT(!found.empty() && found.back() == -1);
  }
}

TINYTF_TEST(snapshots_whose_step_ends_are_read_later) {
  const SnapshotFolder snapshots;
  EXPECT_OK(snapshots.write(3));
  SnapshotReader reader = snapshots.reader();
  testing::DataStep cancelled;
  cancelled.cancellation.cancel();
  const data::IteratorContext ended{cancelled.services, *snapshots.tasks};
  data::Element element;
  EXPECT_EQ(reader.next(ended, element).status().code(), Code::kCancelled);
  EXPECT_EQ(reader.skip(ended, 1).code(), Code::kCancelled);
  EXPECT(snapshots.numbers_of(reader) == numbers_below(3));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
