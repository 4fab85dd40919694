#include "io/file.h"

#include <sys/stat.h>

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::content;
using testing::TemporaryFolder;

TINYTF_TEST(files_are_written_in_order_through_the_buffer_and_past_it) {
  const TemporaryFolder folder;
  std::string all;
  auto file = WritableFile::create(folder / "a").take();
  for (const size_t bytes : {0, 1, 70000, 10, 65536, 65535, 200000, 3}) {
    const std::string piece(bytes, static_cast<char>('a' + bytes % 26));
    EXPECT_OK(file->append(piece));
    all += piece;
    EXPECT_EQ(file->written(), all.size());
  }
  EXPECT_OK(file->flush());
  EXPECT(content(folder / "a") == all);
  EXPECT_OK(file->append("end"));
  EXPECT_OK(file->close());
  EXPECT_OK(file->close());
  EXPECT(content(folder / "a") == all + "end");
  EXPECT_EQ(file->append(std::string(1 << 17, 'x')).code(), Code::kFailedPrecondition);
}

TINYTF_TEST(files_are_replaced_or_gone_on_with) {
  const TemporaryFolder folder;
  EXPECT_OK(write_file(folder / "a", "first"));
  EXPECT_OK(write_file(folder / "a", "2nd"));
  EXPECT_EQ(read_file(folder / "a").value(), "2nd");
  auto more = WritableFile::append_to(folder / "a").take();
  EXPECT_OK(more->append(" and more"));
  EXPECT_OK(more->close());
  EXPECT_EQ(read_file(folder / "a").value(), "2nd and more");
}

TINYTF_TEST(files_are_read_at_any_place) {
  const TemporaryFolder folder;
  testing::write(folder / "a", "0123456789");
  const auto file = RandomAccessFile::open(folder / "a").take();
  EXPECT_EQ(file->size(), 10u);
  std::string bytes(4, ' ');
  EXPECT_OK(file->read(3, bytes.data(), 4));
  EXPECT_EQ(bytes, "3456");
  EXPECT_OK(file->read(10, bytes.data(), 0));
  const Status beyond = file->read(8, bytes.data(), 4);
  EXPECT_EQ(beyond.to_string(), "Out of range: Read less bytes than requested");
  EXPECT_EQ(file->read(UINT64_MAX - 1, bytes.data(), 4).code(), Code::kOutOfRange);
  EXPECT_EQ(file->read_some(8, bytes.data(), 4).value(), 2u);
}

TINYTF_TEST(files_that_are_none_are_errors_with_their_name) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder / "no").status().to_string(),
            "Not found: " + (folder / "no") + "; No such file or directory");
  EXPECT_EQ(read_file(folder.path()).status().to_string(),
            "Failed precondition: " + folder.path() + "; Is a directory");
  EXPECT_EQ(write_file(folder / "no/a", "").code(), Code::kNotFound);
  EXPECT_EQ(write_file("", "").code(), Code::kNotFound);
  EXPECT_EQ(write_file("s3://a/b", "").code(), Code::kUnimplemented);
  EXPECT_EQ(write_file(std::string("a\0b", 3), "").code(), Code::kInvalidArgument);
  EXPECT_OK(write_file("file://" + (folder / "a"), "x"));
  EXPECT_EQ(read_file("file://" + (folder / "a")).value(), "x");
}

TINYTF_TEST(pipes_without_a_writer_are_empty) {
  const TemporaryFolder folder;
  EXPECT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(RandomAccessFile::open(folder / "pipe").value()->size(), 0u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
