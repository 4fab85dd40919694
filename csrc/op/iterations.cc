#include "op/iterations.h"

#include "base/str_cat.h"

namespace tinytf {

std::string Iterations::to_string() const {
  std::string text;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    text += str_cat(text.empty() ? "" : ", ", "in iteration ", loop->iteration, " of ", *loop->frame);
  }
  return text;
}

Status in_iterations(Status status, const Iterations& iterations) {
  if (status.ok() || iterations.loops.empty()) return status;
  return Status(status.code(), str_cat(status.message(), "\n\t ", iterations.to_string()), status.shared_origin());
}

}  // namespace tinytf
