#pragma once

#include <string_view>

namespace tinytf {

/// Takes text that a program asked to see (Print, tf.print). Called from any thread, never under a lock of ours.
using UserOutput = void (*)(std::string_view text, bool to_stderr);

/// Where such text goes; by default to the process's stdout or stderr. Set once, before the first step.
void set_user_output(UserOutput output);
void write_user_output(std::string_view text, bool to_stderr);

}  // namespace tinytf
