#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/str_cat.h"

namespace tinytf {

/// Error codes with TensorFlow's numbers (tf.errors.CANCELLED == 1, …).
enum class Code : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

/// The words that TensorFlow prints before a message: "Invalid argument", "Not found", …
const char* code_name(Code code);

/// The original form of an error that was converted to a Status, such as a Python exception, for code that can make use
/// of it.
class ErrorOrigin {
 public:
  virtual ~ErrorOrigin() = default;
};

/// Success, or an error code with a message. Success is a null pointer and never allocates. Copies share the message.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message, std::shared_ptr<const ErrorOrigin> origin = nullptr)
      : rep_(std::make_shared<const Rep>(Rep{code, std::move(message), std::move(origin)})) {}

  bool ok() const noexcept { return rep_ == nullptr; }
  Code code() const noexcept { return rep_ ? rep_->code : Code::kOk; }
  const std::string& message() const noexcept;
  /// The original error; null for most errors.
  const ErrorOrigin* origin() const noexcept { return rep_ ? rep_->origin.get() : nullptr; }
  std::shared_ptr<const ErrorOrigin> shared_origin() const { return rep_ ? rep_->origin : nullptr; }
  /// "Invalid argument: text", or "OK".
  std::string to_string() const;
  /// The same error with the node's tag added as TensorFlow adds it: "text\n\t [[{{node NAME}}]]".
  Status at_node(const std::string& node) const;

 private:
  struct Rep {
    Code code;
    std::string message;
    std::shared_ptr<const ErrorOrigin> origin;
  };
  std::shared_ptr<const Rep> rep_;
};

template <class... Pieces>
Status invalid_argument(const Pieces&... pieces) {
  return Status(Code::kInvalidArgument, str_cat(pieces...));
}
template <class... Pieces>
Status not_found(const Pieces&... pieces) {
  return Status(Code::kNotFound, str_cat(pieces...));
}
template <class... Pieces>
Status failed_precondition(const Pieces&... pieces) {
  return Status(Code::kFailedPrecondition, str_cat(pieces...));
}
template <class... Pieces>
Status internal_error(const Pieces&... pieces) {
  return Status(Code::kInternal, str_cat(pieces...));
}
template <class... Pieces>
Status unimplemented(const Pieces&... pieces) {
  return Status(Code::kUnimplemented, str_cat(pieces...));
}

/// Prints to stderr and aborts. For broken internal invariants only, never for bad input.
[[noreturn]] void check_failed(const char* expression, const char* file, int line);
#define TINYTF_CHECK(expression) \
  (static_cast<bool>(expression) ? void(0) : ::tinytf::check_failed(#expression, __FILE__, __LINE__))

/// A value, or the Status that explains why there is none. Accessing a missing value aborts.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    TINYTF_CHECK(!status_.ok());
  }
  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& value() { return checked(*this); }
  const T& value() const { return checked(*this); }
  T take() { return std::move(checked(*this)); }

 private:
  template <class Self>
  static auto& checked(Self& self) {
    TINYTF_CHECK(self.ok());
    return *self.value_;
  }

  Status status_;
  std::optional<T> value_;
};

}  // namespace tinytf

#define TINYTF_RETURN_IF_ERROR(expression)           \
  do {                                               \
    ::tinytf::Status tinytf_status_ = (expression);  \
    if (!tinytf_status_.ok()) return tinytf_status_; \
  } while (0)

#define TINYTF_CONCAT_INNER(a, b) a##b
#define TINYTF_CONCAT(a, b) TINYTF_CONCAT_INNER(a, b)
/// TINYTF_ASSIGN_OR_RETURN(auto x, f()): x = the value of f(), or return its Status.
#define TINYTF_ASSIGN_OR_RETURN(target, expression) \
  TINYTF_ASSIGN_OR_RETURN_INNER(TINYTF_CONCAT(tinytf_result_, __LINE__), target, expression)
#define TINYTF_ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                                     \
  if (!result.ok()) return result.status();                       \
  target = result.take()
