#include "io/file_error.h"

#include <cerrno>
#include <system_error>

namespace tinytf {

namespace {

Code code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENXIO:
    case ENODEV: return Code::kNotFound;
    case EEXIST: return Code::kAlreadyExists;
    case EPERM:
    case EACCES:
    case EROFS: return Code::kPermissionDenied;
    case EINVAL:
    case ENAMETOOLONG:
    case EILSEQ:
    case ESPIPE: return Code::kInvalidArgument;
    case ENOTEMPTY:
    case EISDIR:
    case ENOTDIR:
    case EBADF:
    case EBUSY:
    case EPIPE:
    case ETXTBSY: return Code::kFailedPrecondition;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case EMLINK:
    case ENOBUFS:
    case ENOMEM: return Code::kResourceExhausted;
    case EFBIG:
    case EOVERFLOW: return Code::kOutOfRange;
    case ENOSYS:
    case ENOTSUP:
    case EXDEV: return Code::kUnimplemented;
    case EAGAIN:
    case EINTR:
    case ENOLCK: return Code::kUnavailable;
    case EDEADLK:
    case ESTALE: return Code::kAborted;
    case ETIMEDOUT: return Code::kDeadlineExceeded;
    default: return Code::kUnknown;
  }
}

}  // namespace

Status file_error(std::string_view path, int error) {
  return Status(code_of(error), str_cat(path, "; ", std::generic_category().message(error)));
}

}  // namespace tinytf
