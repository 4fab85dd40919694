#include "services/user_output.h"

#include <atomic>
#include <cstdio>

namespace tinytf {

namespace {

void write_to_process(std::string_view text, bool to_stderr) {
  std::FILE* file = to_stderr ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

std::atomic<UserOutput> user_output{write_to_process};

}  // namespace

void set_user_output(UserOutput output) { user_output.store(output); }
void write_user_output(std::string_view text, bool to_stderr) { user_output.load()(text, to_stderr); }

}  // namespace tinytf
