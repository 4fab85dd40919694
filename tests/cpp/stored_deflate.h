#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "io/deflate.h"

namespace tinytf::testing {

/// Replaces zlib in tests. A stream is "[" followed by blocks, each with its length in one byte and as many bytes, up
/// to a block of length 0. Reads return at most kMost bytes at a time.
class StoredDeflate final : public DeflateCodec {
 public:
  static constexpr size_t kMost = 7;

  StoredDeflate() : before_(deflate_codec()) { set_deflate_codec(this); }
  ~StoredDeflate() override { set_deflate_codec(before_); }

  Result<std::unique_ptr<Inflater>> inflater(DeflateFormat) override { return std::unique_ptr<Inflater>(new In); }
  Result<std::unique_ptr<Deflater>> deflater(const DeflateOptions& options) override {
    if (options.level > 9) return invalid_argument("Bad level");
    return std::unique_ptr<Deflater>(new Out);
  }

 private:
  class In final : public Inflater {
   public:
    Status inflate(std::string_view& input, size_t most, std::string* out) override {
      if (!begun_ && !input.empty()) {
        if (input[0] != '[') return Status(Code::kDataLoss, "inflate() failed with error -3: incorrect header check");
        input.remove_prefix(1);
        begun_ = true;
      }
      while (!ended_ && !input.empty()) {
        if (left_ == 0) {
          left_ = static_cast<unsigned char>(input[0]);
          input.remove_prefix(1);
          ended_ = left_ == 0;
          continue;
        }
        const size_t size = std::min({left_, input.size(), most, kMost});
        out->append(input.substr(0, size));
        input.remove_prefix(size);
        left_ -= size;
        break;
      }
      return Status();
    }
    bool ended() const override { return ended_; }

   private:
    bool begun_ = false, ended_ = false;
    size_t left_ = 0;
  };

  class Out final : public Deflater {
   public:
    Status deflate(std::string_view input, std::string* out) override {
      begin(out);
      while (!input.empty()) {
        const std::string_view block = input.substr(0, 255);
        out->push_back(static_cast<char>(block.size()));
        out->append(block);
        input.remove_prefix(block.size());
      }
      return Status();
    }
    Status flush(DeflateFlush, std::string*) override { return Status(); }
    Status finish(std::string* out) override {
      begin(out);
      out->push_back('\0');
      return Status();
    }

   private:
    void begin(std::string* out) {
      if (!std::exchange(begun_, true)) out->push_back('[');
    }
    bool begun_ = false;
  };

  DeflateCodec* const before_;
};

}  // namespace tinytf::testing
