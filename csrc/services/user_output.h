#pragma once

#include <string_view>

namespace tinytf {

/// Receives text that the program prints with Print or tf.print. Called on any thread, never with a lock of ours held.
using UserOutput = void (*)(std::string_view text, bool to_stderr);

/// Sets the receiver of such text; the default one writes to stdout or stderr. Set once, before the first step.
void set_user_output(UserOutput output);
void write_user_output(std::string_view text, bool to_stderr);

}  // namespace tinytf
