// Randomly damaged external data is parsed or refused; run under sanitizers.

#include <functional>
#include <random>

#include "io/wire.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"
#include "tests/cpp/stored_deflate.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;
using Strings = std::vector<std::string>;
using Types = std::vector<DType>;
using Shapes = std::vector<PartialShape>;

constexpr int kRounds = 4000;

/// The text with up to four bytes changed, removed or inserted.
std::string changed(std::string text, std::mt19937& random) {
  for (auto changes = random() % 5; changes > 0; --changes) {
    const size_t at = random() % (text.size() + 1);
    switch (random() % 4) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(random());
        break;
      case 1: text.erase(at, random() % 4); break;
      case 2: text.insert(at, 1 + random() % 3, static_cast<char>(random())); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ 1 << random() % 8);
    }
  }
  return text;
}

void write_feature(WireWriter& to, uint32_t kind) {
  to.nested(kind, [&] {
    if (kind == 1) {
      to.bytes(1, "some");
      to.bytes(1, "texts that are longer than others");
    } else if (kind == 2) {
      to.nested(1, [&] {
        for (const float value : {1.0f, 2.0f}) to.fixed(value);
      });
    } else {
      to.nested(1, [&] {
        for (const uint64_t value : {1, 300}) to.number(value);
      });
    }
  });
}

void write_entry(WireWriter& to, std::string_view key, const std::function<void()>& write) {
  to.nested(1, [&] {
    to.bytes(1, key);
    to.nested(2, write);
  });
}

std::string example() {
  std::string bytes;
  WireWriter to(&bytes);
  to.nested(1, [&] {
    for (const uint32_t kind : {1, 2, 3}) {
      write_entry(to, std::string(1, static_cast<char>('a' + kind - 1)), [&] { write_feature(to, kind); });
    }
  });
  return bytes;
}

std::string sequence() {
  std::string bytes = example();
  WireWriter to(&bytes);
  to.nested(2, [&] {
    for (const uint32_t kind : {1, 2, 3}) {
      write_entry(to, std::string(1, static_cast<char>('a' + kind - 1)), [&] {
        for (int i = 0; i < 2; ++i) to.nested(1, [&] { write_feature(to, kind); });
      });
    }
  });
  return bytes;
}

Tensor text(std::string_view value) { return tensor<std::string>({}, {std::string(value)}); }
std::vector<Tensor> texts(const Strings& values) {
  std::vector<Tensor> found;
  for (const std::string& value : values) found.push_back(text(value));
  return found;
}
std::vector<Tensor> no_defaults() {
  return {tensor<std::string>({0}, {}), tensor<float>({0}, {}), tensor<int64_t>({0}, {})};
}
std::vector<Tensor> paddings() { return {text("pad"), tensor<float>({}, {7}), tensor<int64_t>({}, {7})}; }

const Strings kKeys = {"a", "b", "c"};
const Types kTypes = {DType::kString, DType::kFloat, DType::kInt64};

/// Checks that an op accepts some, but not all, of many damaged texts.
void expect_some(const std::string& whole, const std::function<Result<std::vector<Tensor>>(const std::string&)>& run) {
  std::mt19937 random(1);
  EXPECT_OK(run(whole).status());
  int taken = 0;
  for (int i = 0; i < kRounds; ++i) {
    const Status status = run(changed(whole, random)).status();
    taken += status.ok() ? 1 : 0;
    EXPECT(status.ok() || status.code() == Code::kInvalidArgument || status.code() == Code::kDataLoss);
  }
  EXPECT(taken > 0 && taken < kRounds);
}

TINYTF_TEST(parse_example_takes_or_refuses_any_bytes) {
  expect_some(example(), [](const std::string& bytes) {
    OpRunner op("ParseExample");
    op.input(tensor<std::string>({2}, {example(), bytes})).input(tensor<std::string>({0}, {}));
    op.list({}).list(texts(kKeys)).list(no_defaults());
    return op.attr("sparse_types", Types()).attr("dense_shapes", Shapes(3, PartialShape({2}))).run();
  });
  expect_some(example(), [](const std::string& bytes) {
    OpRunner op("ParseExample");
    op.input(tensor<std::string>({2}, {example(), bytes})).input(tensor<std::string>({0}, {}));
    op.list({}).list(texts(kKeys)).list(paddings());
    return op.attr("sparse_types", Types()).attr("dense_shapes", Shapes(3, PartialShape({kUnknownDim, 2}))).run();
  });
  expect_some(example(), [](const std::string& bytes) {
    OpRunner op("ParseExample");
    op.input(tensor<std::string>({2}, {bytes, example()})).input(tensor<std::string>({0}, {}));
    op.list(texts(kKeys)).list({}).list({});
    return op.attr("sparse_types", kTypes).attr("dense_shapes", Shapes()).run();
  });
}

TINYTF_TEST(parse_single_example_takes_or_refuses_any_bytes) {
  expect_some(example(), [](const std::string& bytes) {
    OpRunner op("ParseSingleExample");
    op.input(text(bytes)).list(no_defaults()).attr("num_sparse", int64_t{0}).attr("sparse_keys", Strings());
    op.attr("dense_keys", kKeys).attr("sparse_types", Types());
    return op.attr("dense_shapes", Shapes(3, PartialShape({2}))).run();
  });
  expect_some(example(), [](const std::string& bytes) {
    OpRunner op("ParseSingleExample");
    op.input(text(bytes)).list({}).attr("num_sparse", int64_t{3}).attr("sparse_keys", kKeys);
    return op.attr("dense_keys", Strings()).attr("sparse_types", kTypes).attr("dense_shapes", Shapes()).run();
  });
}

TINYTF_TEST(parse_sequence_example_takes_or_refuses_any_bytes) {
  for (const bool is_dense : {false, true}) {
    const Types none, &sparse = is_dense ? none : kTypes, &dense = is_dense ? kTypes : none;
    const Strings no_keys, &sparse_keys = is_dense ? no_keys : kKeys, &dense_keys = is_dense ? kKeys : no_keys;
    const Shapes shapes(dense.size(), PartialShape({2}));
    const auto count = [](const Strings& keys) { return static_cast<int64_t>(keys.size()); };
    expect_some(sequence(), [&](const std::string& bytes) {
      OpRunner op("ParseSequenceExample");
      op.input(tensor<std::string>({2}, {sequence(), bytes})).input(tensor<std::string>({0}, {}));
      op.list(is_dense ? no_defaults() : std::vector<Tensor>());
      op.attr("feature_list_dense_missing_assumed_empty", dense_keys);
      op.attr("context_sparse_keys", sparse_keys).attr("context_dense_keys", dense_keys);
      op.attr("feature_list_sparse_keys", sparse_keys).attr("feature_list_dense_keys", dense_keys);
      op.attr("Ncontext_sparse", count(sparse_keys)).attr("Ncontext_dense", count(dense_keys));
      op.attr("Nfeature_list_sparse", count(sparse_keys)).attr("Nfeature_list_dense", count(dense_keys));
      op.attr("context_sparse_types", sparse).attr("context_dense_shapes", shapes);
      op.attr("feature_list_sparse_types", sparse).attr("feature_list_dense_types", dense);
      return op.attr("feature_list_dense_shapes", shapes).run();
    });
    expect_some(sequence(), [&](const std::string& bytes) {
      OpRunner op("ParseSingleSequenceExample");
      op.input(text(bytes)).input(tensor<std::string>({static_cast<int64_t>(dense_keys.size())}, dense_keys));
      op.list(texts(sparse_keys)).list(texts(dense_keys)).list(texts(sparse_keys)).list(texts(dense_keys));
      op.list(is_dense ? no_defaults() : std::vector<Tensor>()).input(text("name"));
      op.attr("context_sparse_types", sparse).attr("context_dense_shapes", shapes);
      op.attr("feature_list_sparse_types", sparse).attr("feature_list_dense_types", dense);
      return op.attr("feature_list_dense_shapes", shapes).run();
    });
  }
}

TINYTF_TEST(decoders_take_or_refuse_any_bytes) {
  expect_some("1,2.5,\"a \"\"text\"\", more\",-7", [](const std::string& bytes) {
    OpRunner op("DecodeCSV");
    op.input(tensor<std::string>({2}, {bytes, bytes}));
    op.list({tensor<int32_t>({1}, {1}), tensor<float>({}, {2}), text("x"), tensor<int64_t>({0}, {})});
    return op.attr("field_delim", std::string(",")).run();
  });
  expect_some("-12.5e3", [](const std::string& bytes) {
    return OpRunner("StringToNumber").input(text(bytes)).attr("out_type", DType::kDouble).run();
  });
  expect_some("c29tZSB0ZXh0",
              [](const std::string& bytes) { return OpRunner("DecodeBase64").input(text(bytes)).run(); });
  std::string proto;
  WireWriter to(&proto);
  to.varint(1, 1);
  to.nested(2, [&] { to.nested(2, [&] { to.int64(1, 3); }); });
  to.float32(5, 1);
  expect_some(proto, [](const std::string& bytes) {
    return OpRunner("ParseTensor").input(text(bytes)).attr("out_type", DType::kFloat).run();
  });
  const testing::StoredDeflate codec;
  expect_some(deflate("some text that is compressed").take(), [](const std::string& bytes) {
    return OpRunner("DecodeCompressed").input(text(bytes)).attr("compression_type", std::string("ZLIB")).run();
  });
  std::mt19937 random(1);
  for (int i = 0; i < kRounds; ++i) {
    const Tensor words = tensor<std::string>({2}, {changed("some words, and more", random), "x"});
    EXPECT_OK(OpRunner("StringSplit").input(words).input(text(changed(" ,", random))).run().status());
    EXPECT_OK(OpRunner("StringSplitV2").input(words).input(text(changed(" ", random))).run().status());
    EXPECT_OK(OpRunner("EncodeBase64").input(words).run().status());
    const auto place = static_cast<int64_t>(random() % 50) - 25, length = static_cast<int64_t>(random() % 50) - 25;
    for (const char* unit : {"BYTE", "UTF8_CHAR"}) {
      const Status status = OpRunner("Substr")
                                .input(words)
                                .input(tensor<int64_t>({}, {place}))
                                .input(tensor<int64_t>({}, {length}))
                                .attr("unit", std::string(unit))
                                .run()
                                .status();
      EXPECT(status.ok() || status.code() == Code::kInvalidArgument);
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
