#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/status.h"

namespace tinytf::testing {

/// An empty file that goes with this object.
class TemporaryFile {
 public:
  TemporaryFile() {
    const int descriptor = mkstemp(name_);
    TINYTF_CHECK(descriptor >= 0);
    ::close(descriptor);
  }
  ~TemporaryFile() { ::unlink(name_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return name_; }

 private:
  char name_[32] = "/tmp/tinytf_test_XXXXXX";
};

}  // namespace tinytf::testing
