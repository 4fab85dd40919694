#pragma once

#include <stdlib.h>
#include <unistd.h>  // mkdtemp, on macOS

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {
namespace testing {

/// A new folder that is deleted with its contents at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tinytf-test-XXXXXX").string();
    TINYTF_CHECK(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  /// The sorted names in the folder.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::string path_;
};

/// A file name in a temporary folder of its own.
class TemporaryFile {
 public:
  std::string path() const { return folder_ / "file"; }

 private:
  const TemporaryFolder folder_;
};

}  // namespace testing
}  // namespace tinytf
