#include "io/line_stream.h"

#include <vector>

#include "io/file.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

std::vector<std::string> lines_of(const std::string& content) {
  const testing::TemporaryFile file;
  TINYTF_CHECK(write_file(file.path(), content).ok());
  LineStream stream = LineStream::open(file.path()).take();
  std::vector<std::string> lines;
  for (std::string_view line; stream.next(&line).value();) lines.emplace_back(line);
  EXPECT_EQ(stream.offset(), content.size());
  return lines;
}

using Lines = std::vector<std::string>;

TINYTF_TEST(lines_end_with_line_feeds_or_with_the_file) {
  EXPECT(lines_of("") == Lines());
  EXPECT(lines_of("a") == Lines({"a"}));
  EXPECT(lines_of("a\nbc\n") == Lines({"a", "bc"}));
  EXPECT(lines_of("\n\na\n\n") == Lines({"", "", "a", ""}));
}

TINYTF_TEST(carriage_returns_before_ends_of_lines_go) {
  EXPECT(lines_of("a\r\nb\r") == Lines({"a", "b"}));
  EXPECT(lines_of("a\n\r") == Lines({"a"}));
  EXPECT(lines_of("a\rb\r\r\n\rc") == Lines({"a\rb\r", "\rc"}));
}

TINYTF_TEST(lines_may_be_longer_than_what_is_read_at_a_time) {
  const std::string large(3'000'000, 'x');
  EXPECT(lines_of("a\n" + large + "\nb\n" + large) == Lines({"a", large, "b", large}));
}

TINYTF_TEST(lines_tell_where_the_next_one_begins) {
  const testing::TemporaryFile file;
  EXPECT_OK(write_file(file.path(), "a\r\n\nbc"));
  LineStream stream = LineStream::open(file.path()).take();
  std::vector<uint64_t> offsets;
  for (std::string_view line; stream.next(&line).value();) offsets.push_back(stream.offset());
  EXPECT(offsets == std::vector<uint64_t>({3, 4, 6}));
}

TINYTF_TEST(lines_of_no_file) { EXPECT_EQ(LineStream::open("/nowhere/at/all").status().code(), Code::kNotFound); }

}  // namespace TINYTF_FILE
}  // namespace tinytf
