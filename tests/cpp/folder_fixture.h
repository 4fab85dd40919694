#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace tinytf {
namespace testing {

/// A folder that goes with what is in it.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/tinytf-XXXXXX";
    TINYTF_CHECK(mkdtemp(name) != nullptr);
    path_ = name;
  }
  ~Folder() {
    for (const std::string& name : names()) (void)delete_file(path_ + "/" + name);
    (void)delete_folder(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const { return path_; }
  std::vector<std::string> names() const {
    auto found = names_in(path_);
    return found.ok() ? found.take() : std::vector<std::string>();
  }

 private:
  std::string path_;
};

}  // namespace testing
}  // namespace tinytf
