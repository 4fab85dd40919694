#include "io/variant_bytes.h"

#include "base/crc32c.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;

class Word final : public VariantValue {
 public:
  explicit Word(std::string text) : text(std::move(text)) {}
  std::string type_name() const override { return "word"; }
  std::string debug_string() const override { return text; }
  int64_t bytes() const override { return static_cast<int64_t>(text.size()); }
  const std::string text;
};

class WordCodec final : public VariantCodec {
 public:
  Result<std::string> encode(const Variant& value) const override { return value.get<Word>()->text; }
  Result<Variant> decode(std::string_view bytes) const override {
    if (bytes == "bad") return Status(Code::kDataLoss, "bad");
    return Variant{make_ref<Word>(std::string(bytes))};
  }
};

SerialParallel serial;
const WordCodec codec;

Tensor words(const std::vector<std::string>& texts) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kVariant, {static_cast<int64_t>(texts.size())}).take();
  for (size_t i = 0; i < texts.size(); ++i) tensor.data<Variant>()[i].value = make_ref<Word>(texts[i]);
  return tensor;
}

TINYTF_TEST(a_variant_stands_as_tensorflow_writes_it) {
  const TemporaryFolder folder;
  auto file = WritableFile::create(folder / "v").take();
  // A scalar with a list of two vectors, as saved by TensorFlow 1.15.5.
  const std::string list = hex(
      "0a1674656e736f72666c6f773a3a54656e736f724c69737412100001ffffffffffffffffff01120208021a1208011204120208022a0800"
      "00803f000000401a1208011204120208022a080000404000008040");
  EXPECT_OK(append_variants(*file, words({list}), codec, serial).status());
  EXPECT_OK(file->close());
  EXPECT_EQ(testing::content(folder / "v"), hex("52") + list + hex("6915458e"));
}

TINYTF_TEST(variants_are_read_and_damage_is_seen) {
  const TemporaryFolder folder;
  const Tensor saved = words({"", "one", std::string(300000, 'x')});
  auto file = WritableFile::create(folder / "v").take();
  const uint32_t crc = append_variants(*file, saved, codec, serial).take();
  EXPECT_OK(file->close());
  const std::string whole = testing::content(folder / "v");
  const auto read = [&](const std::string& bytes, Tensor& to) {
    testing::write(folder / "v", bytes);
    const auto stored = RandomAccessFile::open(folder / "v").take();
    return read_variants(*stored, 0, bytes.size(), codec, to);
  };
  Tensor to = words({"", "", ""});
  EXPECT_EQ(read(whole, to).value(), crc);
  for (int i = 0; i < 3; ++i) {
    EXPECT(to.data<Variant>()[i].get<Word>()->text == saved.data<Variant>()[i].get<Word>()->text);
  }
  for (size_t at = 0; at < 20; ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT(!read(bytes, to).ok());
    EXPECT(!read(whole.substr(0, at), to).ok());
  }
  EXPECT_EQ(read(whole + "x", to).status().code(), Code::kDataLoss);
  EXPECT(may_be_variants(10, 2) && !may_be_variants(9, 2) && may_be_variants(0, 0) && !may_be_variants(-5, 0));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
