#include "base/status.h"

#include <cstdio>
#include <cstdlib>

namespace tinytf {

const char* code_name(Code code) {
  switch (code) {
    case Code::kOk: return "OK";
    case Code::kCancelled: return "Cancelled";
    case Code::kUnknown: return "Unknown";
    case Code::kInvalidArgument: return "Invalid argument";
    case Code::kDeadlineExceeded: return "Deadline exceeded";
    case Code::kNotFound: return "Not found";
    case Code::kAlreadyExists: return "Already exists";
    case Code::kPermissionDenied: return "Permission denied";
    case Code::kResourceExhausted: return "Resource exhausted";
    case Code::kFailedPrecondition: return "Failed precondition";
    case Code::kAborted: return "Aborted";
    case Code::kOutOfRange: return "Out of range";
    case Code::kUnimplemented: return "Unimplemented";
    case Code::kInternal: return "Internal";
    case Code::kUnavailable: return "Unavailable";
    case Code::kDataLoss: return "Data loss";
    case Code::kUnauthenticated: return "Unauthenticated";
  }
  return "Unknown code";
}

namespace {
const std::string no_message;
}

const std::string& Status::message() const noexcept { return rep_ ? rep_->message : no_message; }

std::string Status::to_string() const { return ok() ? "OK" : str_cat(code_name(code()), ": ", message()); }

Status Status::at_node(const std::string& node) const {
  if (ok()) return *this;
  const bool tagged = message().find("{{node ") != std::string::npos;
  return Status(code(),
                tagged ? str_cat(message(), "\n\t [[", node, "]]") : str_cat(message(), "\n\t [[{{node ", node, "}}]]"),
                rep_->origin);
}

void check_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "tinytf: broken invariant %s at %s:%d\n", expression, file, line);
  std::abort();
}

}  // namespace tinytf
