#include "services/user_output.h"

#include <unistd.h>

#include <cstdio>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The output of `body` to file descriptor `fd`.
template <class Body>
std::string captured(int fd, Body body) {
  std::fflush(nullptr);
  std::FILE* file = std::tmpfile();
  const int kept = dup(fd);
  dup2(fileno(file), fd);
  body();
  dup2(kept, fd);
  close(kept);
  std::string text(64, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

std::string out, err;

TINYTF_TEST(user_output_goes_to_the_process_until_it_is_set) {
  // Descriptors are captured, not streams, so that nothing may stay in a buffer.
  EXPECT_EQ(captured(STDOUT_FILENO, [] { write_user_output("seen", false); }), "seen");
  EXPECT_EQ(captured(STDERR_FILENO, [] { write_user_output(std::string_view("also seen", 4), true); }), "also");
  std::string both;
  both += captured(STDERR_FILENO, [&] { both += captured(STDOUT_FILENO, [] { write_user_output("err", true); }); });
  EXPECT_EQ(both, "err");

  set_user_output([](std::string_view text, bool to_stderr) { (to_stderr ? err : out).append(text); });
  EXPECT_EQ(captured(STDOUT_FILENO, [] { write_user_output("a\n", false); }), "");
  write_user_output("b", true);
  write_user_output("", true);
  EXPECT_EQ(out, "a\n");
  EXPECT_EQ(err, "b");
  // Restores the default for later cases.
  set_user_output([](std::string_view text, bool to_stderr) {
    std::fwrite(text.data(), 1, text.size(), to_stderr ? stderr : stdout);
    std::fflush(to_stderr ? stderr : stdout);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
