#include "op/op_summary.h"

#include "op/op_registry.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

OpDef declared(void (*declare)(OpDefBuilder&)) {
  OpDef def;
  def.name = "Some";
  OpDefBuilder builder(&def);
  declare(builder);
  return def;
}

TINYTF_TEST(op_summary_is_tensorflows) {
  EXPECT_EQ(op_summary(*OpRegistry::global().find("NoOp")), "Op<name=NoOp; signature= -> >");
  EXPECT_EQ(op_summary(*OpRegistry::global().find("VariableV2")),
            "Op<name=VariableV2; signature= -> ref:Ref(dtype); attr=shape:shape; attr=dtype:type; "
            "attr=container:string,default=\"\"; attr=shared_name:string,default=\"\"; is_stateful=true>");
}

TINYTF_TEST(op_summary_shows_all_that_is_declared) {
  const OpDef def = declared([](OpDefBuilder& op) {
    op.input("a: N * T").input("b: Ts").input("c: Ref(float)").output("y: int64").commutative();
    op.attr("N: int >= 1 = 2").attr("T: {float, int32} = DT_FLOAT").attr("Ts: list(type) >= 1");
    op.attr("mode: {'A', 'B'} = 'A'").attr("rate: float = 0.1").attr("rates: list(float) = [0.5, 1e-07]");
    op.attr("on: bool = true").attr("shape: shape = {unknown_rank}");
  });
  EXPECT_EQ(op_summary(def),
            "Op<name=Some; signature=a:N*T, b:, c:Ref(float) -> y:int64; attr=N:int,default=2,min=1; "
            "attr=T:type,default=DT_FLOAT,allowed=[DT_FLOAT, DT_INT32]; attr=Ts:list(type),min=1; "
            "attr=mode:string,default=\"A\",allowed=[\"A\", \"B\"]; attr=rate:float,default=0.1; "
            "attr=rates:list(float),default=[0.5, 1e-07]; attr=on:bool,default=true; "
            "attr=shape:shape,default=<unknown>; is_commutative=true>");
}

TINYTF_TEST(op_summary_has_the_ends_of_long_lists) {
  EXPECT_EQ(op_summary(*OpRegistry::global().find("AddN")),
            "Op<name=AddN; signature=inputs:N*T -> sum:T; attr=N:int,min=1; attr=T:type,allowed=[DT_FLOAT, DT_DOUBLE, "
            "DT_INT32, DT_UINT8, DT_INT16, ..., DT_COMPLEX128, DT_HALF, DT_UINT32, DT_UINT64, DT_VARIANT]; "
            "is_commutative=true; is_aggregate=true>");
  EXPECT(op_summary(*OpRegistry::global().find("OnesLike")).find("...") == std::string::npos);
}

TINYTF_TEST(types_have_names_in_messages) {
  EXPECT_EQ(type_text(DType::kHalf, false), "half");
  EXPECT_EQ(type_text(DType::kInt32, true), "int32_ref");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
