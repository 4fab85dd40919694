#include "io/file_change.h"

#include <utility>

#include "io/file.h"
#include "io/file_system.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

class Noted final : public FileChangeWatch {
 public:
  Noted() : before_(set_file_change_watch(this)) {}
  ~Noted() override { set_file_change_watch(before_); }
  Status before(FileChange change, const std::string&, size_t& bytes) override {
    text += str_cat(file_change_name(change), " ");
    if (change == FileChange::kWrite && bytes > 3) bytes = 3;
    return Status();
  }
  std::string text;

 private:
  FileChangeWatch* before_;
};

TINYTF_TEST(every_change_of_files_is_seen) {
  const TemporaryFolder folder;
  std::string seen;
  {
    Noted noted;
    EXPECT_OK(make_folder(folder / "f"));
    auto file = WritableFile::create(folder / "f/a").take();
    EXPECT_OK(file->append("12345678"));
    EXPECT_OK(file->sync());
    EXPECT_OK(file->close());
    EXPECT_OK(rename_file(folder / "f/a", folder / "f/b"));
    EXPECT_OK(link_file(folder / "f/b", folder / "f/c"));
    EXPECT_EQ(testing::content(folder / "f/c"), "12345678");
    EXPECT_OK(delete_file(folder / "f/b"));
    EXPECT_OK(delete_file(folder / "f/c"));
    EXPECT_OK(sync_folder(folder / "f"));
    EXPECT_OK(delete_folder(folder / "f"));
    seen = noted.text;
  }
  EXPECT_EQ(seen, "make_folder create write write write sync close rename create delete delete sync delete_folder ");
  EXPECT(folder.names().empty());
}

TINYTF_TEST(changes_that_are_refused_are_not_made) {
  const TemporaryFolder folder;
  testing::write(folder / "a", "old");
  const testing::ChangesEnd ended(0);
  EXPECT_EQ(WritableFile::create(folder / "a").status().code(), Code::kAborted);
  EXPECT_EQ(rename_file(folder / "a", folder / "b").code(), Code::kAborted);
  EXPECT_EQ(delete_file(folder / "a").code(), Code::kAborted);
  EXPECT_EQ(make_folder(folder / "f").code(), Code::kAborted);
  EXPECT_EQ(testing::content(folder / "a"), "old");
  EXPECT_EQ(folder.names().size(), 1u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
