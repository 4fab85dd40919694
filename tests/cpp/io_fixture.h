#pragma once

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_change.h"
#include "tensor/tensor.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/temporary_folder.h"

// Helpers for file tests: bytes from hexadecimal text, and tensors.
namespace tinytf {
namespace testing {

/// The bytes of hexadecimal text; other characters are ignored.
inline std::string hex(std::string_view text) {
  std::string bytes, digits;
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) continue;
    digits += c;
    if (digits.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
    digits.clear();
  }
  return bytes;
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

inline void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
Tensor tensor_of(const Shape& shape, const std::vector<T>& values) {
  Tensor tensor = Tensor::allocate(Allocator::process(), dtype_of<T>, shape).take();
  std::copy(values.begin(), values.end(), tensor.template data<T>());
  return tensor;
}

inline Tensor strings_of(const Shape& shape, const std::vector<std::string>& values) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kString, shape).take();
  std::copy(values.begin(), values.end(), tensor.data<std::string>());
  return tensor;
}

/// Lets the nth file change and all later ones fail, as if the process had ended there.
class ChangesEnd final : public FileChangeWatch {
 public:
  explicit ChangesEnd(int64_t after) : left_(after), before_(set_file_change_watch(this)) {}
  ~ChangesEnd() override { set_file_change_watch(before_); }

  Status before(FileChange, const std::string&, size_t& bytes) override {
    if (left_ <= 0) {
      ended_ = true;
      return Status(Code::kAborted, "the process has ended");
    }
    --left_;
    if (left_ == 0 && bytes > 1) bytes /= 2;  // stop half way through a write
    return Status();
  }
  bool ended() const { return ended_; }

 private:
  int64_t left_;
  bool ended_ = false;
  FileChangeWatch* before_;
};

}  // namespace testing
}  // namespace tinytf
