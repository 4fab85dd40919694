#include "op/kernel_registry.h"

#include <algorithm>

#include "op/op_registry.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

template <int kId>
class Numbered : public Kernel {
 public:
  static constexpr int id = kId;
  explicit Numbered(KernelInit&) {}
  Status compute(KernelContext&) override { return Status(); }
};

template <class T>
class Typed : public Kernel {
 public:
  explicit Typed(KernelInit&) {}
  Status compute(KernelContext&) override { return Status(); }
};

/// A separate registry, and an op with attrs `T: type` and `Ts: list(type)`.
struct Fixture {
  OpDef op;
  KernelRegistry kernels;
  NodeInfo node;

  Fixture() {
    op.name = "Op";
    node.name = "scope/node";
    node.op = &op;
  }
  template <class K>
  bool makes() {
    auto kernel = kernels.create(node);
    return kernel.ok() && dynamic_cast<K*>(kernel.value().get()) != nullptr;
  }
};

TINYTF_TEST(kernel_registry_tells_the_loop_of_the_kernel_that_it_chooses) {
  Fixture f;
  constexpr ElementwiseLoop kOne{ElementwiseLoop::kUnary, 1}, kOther{ElementwiseLoop::kBinary, 2};
  const auto is_named = [](const NodeInfo& node) { return node.name != "other"; };
  f.kernels.add<Numbered<1>>("Op").where("T", {DType::kFloat}).elementwise(kOne);
  f.kernels.add<Numbered<2>>("Op").where("T", {DType::kInt32}).elementwise(kOther, is_named);
  f.kernels.add<Numbered<3>>("Op").where("T", {DType::kInt64});
  EXPECT(!f.kernels.loop_of(f.node));  // No kernel supports a node without T.
  f.node.attrs.set("T", DType::kFloat);
  EXPECT(f.kernels.loop_of(f.node) == kOne);
  f.node.attrs.set("T", DType::kInt64);
  EXPECT(!f.kernels.loop_of(f.node));
  f.node.attrs.set("T", DType::kInt32);
  EXPECT(f.kernels.loop_of(f.node) == kOther);
  f.node.name = "other";
  EXPECT(!f.kernels.loop_of(f.node));
}

TINYTF_TEST(kernel_registry_chooses_by_type) {
  Fixture f;
  f.kernels.add<Numbered<1>>("Op").where("T", {DType::kFloat, DType::kHalf});
  f.kernels.add<Numbered<2>>("Op").where("T", {DType::kInt32}).where("U", {DType::kInt32});
  f.kernels.add<Numbered<3>>("Op").where("T", {DType::kInt32}).where("U", std::vector<DType>{DType::kInt64});
  f.node.attrs.set("T", DType::kHalf);
  EXPECT(f.makes<Numbered<1>>());
  f.node.attrs.set("T", DType::kInt32);
  EXPECT(!f.kernels.create(f.node).ok());  // U is missing
  f.node.attrs.set("U", DType::kInt64);
  EXPECT(f.makes<Numbered<3>>());
  f.node.attrs.set("U", DType::kInt32);
  EXPECT(f.makes<Numbered<2>>());
  f.node.attrs.set("U", std::string("int32"));
  EXPECT(!f.kernels.create(f.node).ok());  // not a type
}

TINYTF_TEST(kernel_registry_wants_every_type_of_a_list) {
  Fixture f;
  f.kernels.add<Numbered<1>>("Op").where("Ts", {DType::kFloat, DType::kInt32});
  f.node.attrs.set("Ts", std::vector<DType>{DType::kFloat, DType::kInt32, DType::kFloat});
  EXPECT(f.makes<Numbered<1>>());
  f.node.attrs.set("Ts", std::vector<DType>{DType::kFloat, DType::kHalf});
  EXPECT(!f.kernels.create(f.node).ok());
  f.node.attrs.set("Ts", std::vector<DType>());
  EXPECT(f.makes<Numbered<1>>());
}

TINYTF_TEST(kernel_registry_makes_typed_families) {
  Fixture f;
  f.kernels.add_typed<Typed, float, int64_t>("Op", "T");
  f.node.attrs.set("T", DType::kInt64);
  EXPECT(f.makes<Typed<int64_t>>());
  f.node.attrs.set("T", DType::kFloat);
  EXPECT(f.makes<Typed<float>>());
  EXPECT_EQ(f.kernels.find("Op")->size(), size_t{2});
  EXPECT(f.kernels.find("Oq") == nullptr);
}

TINYTF_TEST(kernel_registry_says_which_kernels_there_are) {
  Fixture f;
  f.node.attrs.set("T", DType::kString);
  f.node.attrs.set("n", int64_t{2});
  EXPECT_EQ(f.kernels.create(f.node).status().message(),
            "No OpKernel was registered to support Op 'Op' used by {{node scope/node}}with these attrs: "
            "[T=DT_STRING, n=2]\nRegistered devices: [CPU]\nRegistered kernels:\n  <no registered kernels>\n");
  f.kernels.add<Numbered<1>>("Op").where("T", {DType::kFloat}).where("U", {DType::kInt32, DType::kInt64});
  f.kernels.add<Numbered<2>>("Op").where("T", {DType::kHalf});
  const Status status = f.kernels.create(f.node).status();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT(status.message().find("Registered kernels:\n  device='CPU'; T in [DT_FLOAT]; U in [DT_INT32, DT_INT64]\n"
                               "  device='CPU'; T in [DT_HALF]\n") != std::string::npos);
}

TINYTF_TEST(kernel_registry_passes_on_what_the_constructor_says) {
  struct Picky : Numbered<1> {
    explicit Picky(KernelInit& init) : Numbered(init) {
      init.attr<int64_t>("n");
      init.fail(internal_error("a later failure"));
    }
  };
  Fixture f;
  f.kernels.add<Picky>("Op");
  EXPECT_EQ(f.kernels.create(f.node).status().message(),
            "No attr named 'n' of the expected kind in NodeDef of scope/node");
  f.node.attrs.set("n", int64_t{1});
  EXPECT_EQ(f.kernels.create(f.node).status().message(), "a later failure");
}

/// Whether a node can match both, so that the second would never be used.
bool overlap(const KernelDef& a, const KernelDef& b) {
  for (const auto& [attr, types] : a.constraints) {
    for (const auto& [other, other_types] : b.constraints) {
      if (attr == other &&
          std::find_first_of(types.begin(), types.end(), other_types.begin(), other_types.end()) == types.end()) {
        return false;
      }
    }
  }
  return true;
}

TINYTF_TEST(kernels_of_an_op_exclude_each_other) {
  for (const OpDef& op : OpRegistry::global().all()) {
    const auto* defs = KernelRegistry::global().find(op.name);
    for (size_t i = 0; defs != nullptr && i < defs->size(); ++i) {
      for (const auto& [attr, types] : (*defs)[i].constraints) {
        const AttrDef* def = op.find_attr(attr);
        if (def == nullptr || def->kind != AttrKind::kType) {
          testing::fail(__FILE__, __LINE__, str_cat(op.name, " has no type attr ", attr));
        }
      }
      for (size_t k = 0; k < i; ++k) {
        if (overlap((*defs)[k], (*defs)[i])) {
          testing::fail(__FILE__, __LINE__, str_cat(op.name, ": kernels ", k, " and ", i, " match the same nodes"));
        }
      }
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
