#include "io/atomic_file.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

TINYTF_TEST(new_files_take_their_name_when_they_are_whole) {
  const TemporaryFolder folder;
  testing::write(folder / "a", "old");
  {
    auto file = AtomicFile::create(folder / "a").take();
    EXPECT_OK(file->file().append("new"));
    EXPECT_EQ(folder.names()[1].substr(0, 11), "a.tempstate");
    EXPECT_EQ(testing::content(folder / "a"), "old");
    EXPECT_OK(file->keep());
  }
  EXPECT_EQ(testing::content(folder / "a"), "new");
  EXPECT_EQ(folder.names().size(), 1u);
}

TINYTF_TEST(new_files_that_nobody_keeps_go) {
  const TemporaryFolder folder;
  EXPECT_OK(AtomicFile::create(folder / "a").status());
  EXPECT(folder.names().empty());
}

TINYTF_TEST(one_level_of_folders_is_made) {
  const TemporaryFolder folder;
  EXPECT_OK(make_folder_of(folder / "f/a"));
  EXPECT_OK(make_folder_of(folder / "f/a"));
  EXPECT_OK(make_folder_of("a"));
  EXPECT_EQ(make_folder_of(folder / "g/h/a").code(), Code::kNotFound);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
