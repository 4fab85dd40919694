#include "io/file_system.h"

#include "io/file.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

TINYTF_TEST(files_are_renamed_linked_and_deleted) {
  const TemporaryFolder folder;
  testing::write(folder / "a", "a");
  testing::write(folder / "b", "bb");
  EXPECT_EQ(file_size(folder / "b").value(), 2u);
  EXPECT_OK(rename_file(folder / "a", folder / "b"));
  EXPECT_EQ(testing::content(folder / "b"), "a");
  EXPECT_EQ(file_exists(folder / "a").code(), Code::kNotFound);
  testing::write(folder / "c", "c");
  EXPECT_OK(link_file(folder / "b", folder / "c"));
  EXPECT_EQ(testing::content(folder / "c"), "a");
  EXPECT_EQ(link_file(folder / "no", folder / "d").code(), Code::kNotFound);
  EXPECT_OK(delete_file(folder / "c"));
  EXPECT_EQ(delete_file(folder / "c").code(), Code::kNotFound);
  EXPECT_EQ(folder.names().size(), 1u);
}

TINYTF_TEST(folders_are_made_one_level_or_all) {
  const TemporaryFolder folder;
  EXPECT_OK(make_folder(folder / "a"));
  EXPECT_EQ(make_folder(folder / "a").code(), Code::kAlreadyExists);
  EXPECT_EQ(make_folder(folder / "b/c").code(), Code::kNotFound);
  EXPECT_EQ(make_folder("").code(), Code::kAlreadyExists);
  EXPECT_OK(make_folders(folder / "b/c/d"));
  EXPECT_OK(make_folders(folder / "b/c/d"));
  EXPECT_OK(make_folders(""));
  EXPECT_EQ(delete_folder(folder / "b").code(), Code::kFailedPrecondition);
  EXPECT_OK(delete_folder(folder / "b/c/d"));
  EXPECT_OK(sync_folder(folder.path()));
}

std::vector<std::string> matching(const TemporaryFolder& folder, const std::string& pattern) {
  auto found = matching_files(folder / pattern).take();
  for (std::string& name : found) name = name.substr(folder.path().size() + 1);
  std::sort(found.begin(), found.end());
  return found;
}

TINYTF_TEST(patterns_find_what_tensorflow_finds) {
  const TemporaryFolder folder;
  EXPECT_OK(make_folders(folder / "a/b"));
  EXPECT_OK(make_folders(folder / "[x]"));
  for (const char* name : {"f1", "f2", ".hid", "a/f1", "a/b/f1", "[x]/q", "a*b"}) testing::write(folder / name, "");
  using Names = std::vector<std::string>;
  EXPECT(matching(folder, "*") == Names({".hid", "[x]", "a", "a*b", "f1", "f2"}));
  EXPECT(matching(folder, "f?") == Names({"f1", "f2"}));
  EXPECT(matching(folder, "f1") == Names({"f1"}));
  EXPECT(matching(folder, "*/f1") == Names({"a/f1"}));
  EXPECT(matching(folder, "*/*/f1") == Names({"a/b/f1"}));
  EXPECT(matching(folder, "[fa]*") == Names({"a", "a*b", "f1", "f2"}));
  EXPECT(matching(folder, "\\[x\\]/q") == Names({"[x]/q"}));
  EXPECT(matching(folder, "a\\*b") == Names({"a*b"}));
  EXPECT(matching(folder, "[x]/q").empty());
  EXPECT(matching(folder, "*/").empty());
  EXPECT(matching(folder, "").empty());
  EXPECT(matching(folder, "no*/x").empty());
  EXPECT(matching(folder, "a//f1") == Names());
  EXPECT_EQ(matching_files(folder / "no/x").status().to_string(),
            "Not found: " + (folder / "no") + "; No such file or directory");
  EXPECT_EQ(matching_files(folder / "f1/x*").status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(matching_files("file://" + (folder / "f1")).take().front(), "file://" + (folder / "f1"));
  EXPECT(files_called(folder / "a*b").take() == Names({folder / "a*b"}));
  EXPECT(files_called(folder / "[x]/q").take() == Names({folder / "[x]/q"}));
  EXPECT_EQ(files_called(folder / "f?").take().size(), 2u);
  EXPECT_EQ(files_called("file://" + (folder / "f1")).take().front(), "file://" + (folder / "f1"));
  const auto here = matching_files("*").take();
  for (const std::string& name : here) EXPECT_EQ(name.substr(0, 2), "./");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
