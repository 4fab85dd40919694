#include "io/local_path.h"

#include <cctype>

namespace tinytf {

namespace {

/// Length of the scheme and host that a name begins with ("file://", "s3://host"); 0 for a plain name.
size_t scheme_and_host(std::string_view path, std::string_view* scheme) {
  const size_t end = path.find("://");
  if (end == 0 || end == std::string_view::npos || std::isalpha(static_cast<unsigned char>(path[0])) == 0) return 0;
  for (const char c : path.substr(0, end)) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.') return 0;
  }
  *scheme = path.substr(0, end);
  return std::min(path.find('/', end + 3), path.size());
}

}  // namespace

Result<std::string> local_path(const std::string& path) {
  if (path.find('\0') != std::string::npos) return invalid_argument("A file name contains a null byte: ", path.c_str());
  std::string_view scheme;
  const size_t host_end = scheme_and_host(path, &scheme);
  if (host_end == 0) return path;
  if (scheme == "file") return path.substr(host_end);
  return unimplemented("File system scheme '", scheme, "' not implemented (file: '", path, "')");
}

std::string_view folder_of(std::string_view path) {
  std::string_view scheme;
  const size_t begin = scheme_and_host(path, &scheme);
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash < begin) return path.substr(0, begin);
  return path.substr(0, slash == begin ? begin + 1 : slash);
}

std::string_view base_name_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace tinytf
