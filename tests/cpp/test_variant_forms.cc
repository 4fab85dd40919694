#include "op/variant_forms.h"

#include "ops/data_flow/shared/tensor_list.h"
#include "ops/io/shared/variant_codec.h"
#include "ops/tensor_value.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

/// A value without a form.
class Formless final : public VariantValue {
 public:
  std::string type_name() const override { return "Formless"; }
  std::string debug_string() const override { return "Formless"; }
  int64_t bytes() const override { return 0; }
};

TINYTF_TEST(variant_forms_are_found_by_type_name) {
  VariantForms forms;
  EXPECT(forms.find("Number") == nullptr);
  VariantForm form;
  form.parts = [](const VariantValue&) { return VariantParts{"m", {}}; };
  form.value = [](VariantParts parts) -> Result<Variant> {
    if (parts.metadata != "m") return damaged_variant();
    return Variant();
  };
  forms.add("Number", form);
  const VariantForm* found = forms.find("Number");
  EXPECT(found != nullptr);
  EXPECT_OK(found->value({"m", {}}).status());
  EXPECT_EQ(found->value({"", {}}).status().code(), Code::kDataLoss);
}

TINYTF_TEST(ops_register_the_forms_of_their_variants) {
  const VariantForms& forms = VariantForms::global();
  EXPECT(forms.find(ops::TensorList::kTypeName) != nullptr);
  EXPECT(forms.find(ops::TensorValue::kTypeName) != nullptr);
  EXPECT(forms.find("tensorflow::Nothing") == nullptr);
}

TINYTF_TEST(variants_are_coded_by_their_forms) {
  const VariantCodec& codec = ops::variant_codec();
  EXPECT_EQ(codec.encode(Variant()).value(), "");
  EXPECT(!codec.decode("").value().value);
  const Variant formless{make_ref<Formless>()};
  EXPECT_EQ(codec.encode(formless).status().message(), "Values of type Formless cannot be saved");
  const std::string unknown(
      "\x0a\x08"
      "Formless",
      10);
  EXPECT_EQ(codec.decode(unknown).status().message(), "Values of type Formless cannot be restored");
  EXPECT_EQ(codec.decode("\x0a").status().code(), Code::kDataLoss);

  // As saved by TensorFlow 1.15.5: a list of three integers, one of which is set.
  const std::string list = testing::hex(
      "0a16 74656e736f72666c6f773a3a54656e736f724c697374 1212 02000203ffffffffffffffffff0112020802 "
      "1a0c08031204120208023a020506");
  EXPECT_EQ(codec.encode(codec.decode(list).take()).value(), list);
  const Variant tensor = ops::TensorValue::of(Tensor::scalar(2.5f)).take();
  const std::string stored = codec.encode(tensor).value();
  const Variant again = codec.decode(stored).take();
  EXPECT_EQ(*again.get<ops::TensorValue>()->tensor().data<float>(), 2.5f);
  EXPECT_EQ(codec.encode(again).value(), stored);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
