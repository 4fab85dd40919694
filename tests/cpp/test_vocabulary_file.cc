#include "io/vocabulary_file.h"

#include "io/file.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/temporary_folder.h"

namespace tinytf {
namespace TINYTF_FILE {

/// "0=word 1=word = count", or the error without the file name.
std::string read(const std::string& content, int64_t size = -1) {
  const testing::TemporaryFile file;
  TINYTF_CHECK(write_file(file.path(), content).ok());
  std::string text;
  const auto count = read_vocabulary(file.path(), size, [&](std::string_view word, int64_t number) {
    text += str_cat(number, "=", word, " ");
    return word == "stop" ? Status(Code::kAborted, "stopped") : Status();
  });
  if (count.ok()) return str_cat(text, "= ", count.value());
  std::string message = count.status().message();
  if (const size_t at = message.find(file.path()); at != std::string::npos)
    message.replace(at, file.path().size(), "F");
  return message;
}

TINYTF_TEST(vocabularies_have_a_word_a_line) {
  EXPECT_EQ(read("a\nb c\n"), "0=a 1=b c = 2");
  EXPECT_EQ(read("a\r\nb"), "0=a 1=b = 2");
  EXPECT_EQ(read("a\nb\n\n", 2), "0=a 1=b = 2");
}

TINYTF_TEST(vocabularies_that_are_not_as_they_should) {
  EXPECT_EQ(read("a\n\nb"), "Invalid content in F: empty line found at position 3.");
  EXPECT_EQ(read("a\nb\n", 3), "Invalid vocab_size in F: expected 3 but got 2");
  EXPECT_EQ(read("", 1), "Invalid vocab_size in F: expected 1 but got 0");
  EXPECT_EQ(read(""), "Read less bytes than requested: F has no lines");
  EXPECT_EQ(read("a\n", 0), "Finished reading 0 of lines from F");
  EXPECT_EQ(read_vocabulary("/nowhere", -1, nullptr).status().code(), Code::kNotFound);
}

TINYTF_TEST(vocabularies_end_with_the_first_error) { EXPECT_EQ(read("a\nstop\n\n"), "stopped"); }

}  // namespace TINYTF_FILE
}  // namespace tinytf
