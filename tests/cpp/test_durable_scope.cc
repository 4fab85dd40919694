#include "io/durable_scope.h"

#include <set>

#include "io/bundle_merge.h"
#include "io/bundle_writer.h"
#include "io/file_change.h"
#include "io/local_path.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

/// Tracks data that a power failure would lose. A file must be synced before it is renamed; names are durable once
/// their folder is synced.
class Disk final : public FileChangeWatch {
 public:
  Disk() : before_(set_file_change_watch(this)) {}
  ~Disk() override { set_file_change_watch(before_); }
  Status before(FileChange change, const std::string& path, size_t&) override {
    if (change == FileChange::kWrite) unsynced_.insert(path);
    if (change == FileChange::kSync) unsynced_.erase(path);
    if (change == FileChange::kSync) ++syncs;
    if (change == FileChange::kRename && unsynced_.count(path) > 0) ++torn;
    if (change == FileChange::kRename) names_unsynced_ = true;
    if (change == FileChange::kSync && path == folder) names_unsynced_ = false;
    if (change == FileChange::kDelete && names_unsynced_) ++early_deletions;
    return Status();
  }

  std::string folder;
  int syncs = 0, torn = 0, early_deletions = 0;

 private:
  FileChangeWatch* const before_;
  std::set<std::string> unsynced_;
  bool names_unsynced_ = false;
};

Status save(const std::string& prefix) {
  TINYTF_ASSIGN_OR_RETURN(const auto writer, BundleWriter::create(prefix));
  TINYTF_RETURN_IF_ERROR(writer->add("a", tensor_of<float>({2}, {1, 2}), serial));
  return writer->finish();
}

TINYTF_TEST(durable_checkpoints_are_on_the_disk_before_they_take_names) {
  const TemporaryFolder folder;
  const DurableScope scope;
  Disk disk;
  disk.folder = std::string(folder_of(folder / "m"));
  for (int i = 0; i < 2; ++i) EXPECT_OK(save(folder / "m"));  // a new file, and a replacement
  EXPECT_OK(save(folder / "part"));
  EXPECT_OK(merge_bundles({folder / "part"}, folder / "m", true));
  EXPECT_EQ(disk.torn, 0);
  EXPECT_EQ(disk.early_deletions, 0);
  EXPECT(disk.syncs > 10);
}

TINYTF_TEST(other_checkpoints_wait_for_no_disk) {
  const TemporaryFolder folder;
  {
    const DurableScope over;
  }
  EXPECT(!DurableScope::active());
  Disk disk;
  EXPECT_OK(save(folder / "m"));
  EXPECT_EQ(disk.syncs, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
