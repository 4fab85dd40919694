#include "ops/data/shared/snapshot_files.h"

#include "tests/cpp/snapshot_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::Element;
using namespace ops;
using testing::SnapshotFolder;

const std::string kFinal(
    "\x1b\0\0\0\0\0\0\0\x0a\x0a"
    "0123456789\x12\x08"
    "abcdef01\x18\x05\xc0\x3e\x01",
    35);

TINYTF_TEST(snapshot_metadata_are_tensorflows) {
  const testing::TemporaryFolder folder;
  const std::string graph = folder / "some/graph";
  EXPECT_EQ(read_snapshot_metadata(graph).status().code(), Code::kNotFound);
  const SnapshotMetadata metadata{"0123456789", "abcdef01", 5, true};
  EXPECT_OK(write_snapshot_metadata(graph, metadata));
  EXPECT(read_file(graph + "/snapshot.metadata").take() == kFinal);
  const SnapshotMetadata found = read_snapshot_metadata(graph).take();
  EXPECT_EQ(found.graph_hash, "0123456789");
  EXPECT_EQ(found.run_id, "abcdef01");
  EXPECT_EQ(found.created_micros, 5);
  EXPECT(found.is_finalized);
  EXPECT_OK(write_snapshot_metadata(graph, {"0123456789", "abcdef01", 5}));
  EXPECT(!read_snapshot_metadata(graph).take().is_finalized);
}

TINYTF_TEST(snapshot_metadata_that_are_damaged) {
  const testing::TemporaryFolder folder;
  const std::string file = folder / "snapshot.metadata";
  const auto code_of = [&](const std::string& content) {
    EXPECT_OK(write_file(file, content));
    return read_snapshot_metadata(folder.path()).status().code();
  };
  for (size_t size = 0; size < kFinal.size(); ++size) EXPECT_EQ(code_of(kFinal.substr(0, size)), Code::kDataLoss);
  EXPECT_EQ(code_of(kFinal + "more"), Code::kOk);
  EXPECT_EQ(code_of(std::string(8, '\xff') + "x"), Code::kDataLoss);
  for (const std::string& run : {std::string("..\0\0\0\0\0\0", 8), std::string("../../ab"), std::string("/abcdefg")}) {
    std::string other = kFinal;
    EXPECT_EQ(code_of(other.replace(22, 8, run)), Code::kDataLoss);
  }
  for (const char* name : {"", ".", "..", "a/b", "/"}) EXPECT(!is_run_id(name));
  EXPECT(is_run_id("1a2b") && is_run_id("..."));
}

TINYTF_TEST(snapshot_modes) {
  const auto mode = [](int64_t created, bool is_finalized, int64_t now, int64_t expiry) {
    const SnapshotMetadata metadata{"", "run", created, is_finalized};
    return snapshot_mode(&metadata, now, expiry);
  };
  EXPECT(snapshot_mode(nullptr, 0, 1) == SnapshotMode::kWrite);
  EXPECT(mode(0, true, INT64_MAX, 1) == SnapshotMode::kRead);
  EXPECT(mode(5, false, 1'000'004, 1) == SnapshotMode::kPass);
  EXPECT(mode(5, false, 1'000'005, 1) == SnapshotMode::kWrite);
  EXPECT(mode(7, false, 5, 1) == SnapshotMode::kPass);
  EXPECT(mode(INT64_MIN, false, INT64_MAX, 1) == SnapshotMode::kWrite);
  EXPECT(mode(INT64_MIN, false, INT64_MAX, INT64_MAX) == SnapshotMode::kPass);
}

TINYTF_TEST(snapshot_file_names) {
  EXPECT_EQ(snapshot_file_name(12), "00000012.snapshot");
  EXPECT_EQ(snapshot_file_name(1234567890), "1234567890.snapshot");
  EXPECT_EQ(snapshot_id(0xabc), "0000000000000abc");
  const testing::TemporaryFolder folder;
  EXPECT_EQ(snapshot_files(folder / "missing").status().code(), Code::kNotFound);
  EXPECT_OK(write_file(folder / "other", ""));
  EXPECT_EQ(snapshot_files(folder.path()).status().message(), "Could not find any files in dir: " + folder.path());
  for (const char* name : {"00000010.snapshot", "00000009.snapshot"}) EXPECT_OK(write_file(folder / name, ""));
  EXPECT(snapshot_files(folder.path()).take() ==
         (std::vector<std::string>{folder / "00000009.snapshot", folder / "00000010.snapshot"}));
}

TINYTF_TEST(snapshot_records) {
  const SnapshotFolder snapshots;
  const std::string name = snapshots.folder / "file";
  ByteSink sink = ByteSink::create(name).take();
  for (int64_t i = 0; i < 3; ++i) EXPECT_OK(write_snapshot_record({Tensor::scalar(i), Tensor::scalar(1.5f)}, sink));
  EXPECT_OK(write_snapshot_record({}, sink));
  EXPECT_OK(sink.close());
  SnapshotFile file = SnapshotFile::open(name, {}).take();
  Element element;
  EXPECT(file.read(snapshots.ctx, element).take() && element[0].int_at(0) == 0 && element.size() == 2);
  EXPECT(file.skip(snapshots.ctx).take());
  EXPECT(file.read(snapshots.ctx, element).take() && element[0].int_at(0) == 2);
  EXPECT(file.read(snapshots.ctx, element).take() && element.empty());
  EXPECT(!file.read(snapshots.ctx, element).take());
  EXPECT(!file.skip(snapshots.ctx).take());
}

TINYTF_TEST(snapshot_records_that_are_damaged) {
  const SnapshotFolder snapshots;
  const std::string name = snapshots.folder / "file";
  ByteSink sink = ByteSink::create(name).take();
  EXPECT_OK(write_snapshot_record({Tensor::scalar(int64_t{7})}, sink));
  EXPECT_OK(sink.close());
  const std::string whole = read_file(name).take();
  const auto code_of = [&](const std::string& content, bool skips = false) {
    EXPECT_OK(write_file(name, content));
    SnapshotFile file = SnapshotFile::open(name, {}).take();
    Element element;
    return (skips ? file.skip(snapshots.ctx) : file.read(snapshots.ctx, element)).status().code();
  };
  for (size_t size = 1; size < whole.size(); ++size) {
    EXPECT_EQ(code_of(whole.substr(0, size)), Code::kDataLoss);
    EXPECT_EQ(code_of(whole.substr(0, size), true), Code::kDataLoss);
  }
  EXPECT_EQ(code_of(std::string(8, '\xff') + whole), Code::kDataLoss);
  std::string other = whole;
  other[8] = '\xff';
  EXPECT_EQ(code_of(other), Code::kDataLoss);
  other = whole;
  other[11] = '\x63';  // No dtype.
  EXPECT_EQ(code_of(other), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
