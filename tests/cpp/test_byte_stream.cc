#include "io/byte_stream.h"

#include "tests/cpp/harness.h"
#include "tests/cpp/stored_deflate.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

ByteStream open(const std::string& path, std::optional<DeflateFormat> compression = {}) {
  auto stream = ByteStream::open(path, compression);
  TINYTF_CHECK(stream.ok());
  return stream.take();
}

TINYTF_TEST(byte_streams_have_what_the_file_has) {
  const testing::TemporaryFile file;
  EXPECT_OK(write_file(file.path(), "abcdef"));
  ByteStream stream = open(file.path());
  EXPECT(stream.ready() == "");
  EXPECT(stream.has(6).value());
  EXPECT(!stream.has(7).value());
  EXPECT(stream.ready() == "abcdef");
  stream.drop(2);
  EXPECT(stream.ready() == "cdef");
  EXPECT(stream.has(4).value());
  EXPECT(!stream.has(SIZE_MAX).value());
}

TINYTF_TEST(byte_streams_skip_what_they_have_not_read) {
  const testing::TemporaryFile file;
  EXPECT_OK(write_file(file.path(), std::string(1'000'000, 'a') + "bc"));
  ByteStream stream = open(file.path());
  EXPECT_OK(stream.skip(1'000'000));
  EXPECT(stream.has(2).value());
  EXPECT(stream.ready() == "bc");
  EXPECT_OK(stream.skip(2));
  EXPECT_EQ(stream.skip(1).message(), "reached end of file");
  EXPECT_OK(stream.skip(0));
}

TINYTF_TEST(byte_streams_of_no_file) {
  EXPECT_EQ(ByteStream::open("/nowhere/at/all").status().code(), Code::kNotFound);
}

TINYTF_TEST(byte_streams_decompress) {
  const testing::StoredDeflate codec;
  const testing::TemporaryFile file;
  EXPECT_OK(write_file(file.path(), deflate("hello").take()));
  ByteStream stream = open(file.path(), DeflateFormat::kZlib);
  EXPECT(stream.has(5).value());
  EXPECT(!stream.has(6).value());
  EXPECT(stream.ready() == "hello");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
