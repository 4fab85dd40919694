#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "op/attr.h"

namespace tinytf {

class ShapeContext;
/// Sets the output shapes from what is known of the inputs; an error means that the node can never run.
using ShapeFn = Status (*)(ShapeContext&);

/// One declared input or output: a tensor of `type` or of the type that attr `type_attr` holds; a list of N of them
/// (`number_attr`), or a list with one type each (`type_list_attr`).
struct ArgDef {
  std::string name;
  DType type = DType::kInvalid;
  std::string type_attr;
  std::string number_attr;
  std::string type_list_attr;
  bool is_ref = false;

  bool is_list() const { return !number_attr.empty() || !type_list_attr.empty(); }
};

struct AttrDef {
  std::string name;
  AttrKind kind = AttrKind::kString;
  bool is_list = false;
  std::optional<AttrValue> default_value;
  std::vector<DType> allowed_types;          ///< empty: any
  std::vector<std::string> allowed_strings;  ///< empty: any
  std::optional<int64_t> minimum;            ///< of an int, or of a list's length

  /// "type", "list(int)", …
  std::string kind_text() const;
};

enum class GradientKind : uint8_t {
  kRegistered,         ///< a Python gradient function must exist
  kNotDifferentiable,  ///< gradients stop silently
  kNone,               ///< reaching the op with a gradient is an error
};

/// An op's declaration. Immutable once registered; lives as long as the process.
struct OpDef {
  std::string name;
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  ShapeFn shape_fn = nullptr;
  bool is_stateful = false;
  bool is_commutative = false;
  bool may_block = false;  ///< its kernels run code that may wait for what another node does
  bool allows_uninitialized_input = false;
  GradientKind gradient = GradientKind::kRegistered;
  std::vector<std::string> endpoints;  ///< public names, "math.erf"
  std::string doc;

  const AttrDef* find_attr(std::string_view attr) const;
};

/// Declares an op in TensorFlow's notation. Mistakes in the notation abort at start-up: they are ours.
///
///   ops.op("MatMul").input("a: T").input("b: T").output("product: T")
///      .attr("transpose_a: bool = false").attr("T: {float, double}").shape(shapes::matmul).doc("…");
///
/// Inputs and outputs: "x: float", "x: T", "xs: N * T", "xs: Tlist" (Tlist a list(type) attr), "v: Ref(T)".
/// Attrs: "a: int >= 1 = 2", "s: {'SAME', 'VALID'} = 'SAME'", "T: {float, int32} = DT_INT32", "T: numbertype",
/// "T: realnumbertype", "T: type", "Ts: list(type) >= 1", "shape: shape = {unknown_rank}", "v: tensor", "f: func",
/// "l: list(int) = [1, 1]".
class OpDefBuilder {
 public:
  explicit OpDefBuilder(OpDef* def) : def_(def) {}
  OpDefBuilder& input(std::string_view text);
  OpDefBuilder& output(std::string_view text);
  OpDefBuilder& attr(std::string_view text);
  OpDefBuilder& shape(ShapeFn fn);
  OpDefBuilder& stateful();
  OpDefBuilder& commutative();
  OpDefBuilder& may_block();
  OpDefBuilder& allows_uninitialized_input();
  /// Gradients stop at this op.
  OpDefBuilder& not_differentiable();
  /// No gradient is defined: a gradient that reaches the op is an error.
  OpDefBuilder& no_gradient();
  OpDefBuilder& endpoint(std::string_view public_name);
  /// One to three sentences with shapes and errors where they are not obvious.
  OpDefBuilder& doc(std::string_view text);

 private:
  ArgDef parse_arg(std::string_view text) const;
  OpDef* def_;
};

}  // namespace tinytf
