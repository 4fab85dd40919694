#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "op/attr.h"

namespace tinytf {

class ShapeContext;
/// Sets the output shapes from the known facts about the inputs. An error means that the node can never run.
using ShapeFn = Status (*)(ShapeContext&);
/// Returns the known elements of the op's output, an int vector or scalar, as a shape in which unknown elements are
/// unknown sizes. The rank is unknown if not even the number of elements is known.
using EntriesFn = PartialShape (*)(ShapeContext&);

/// The output of an op that depends only on the shape of an input.
struct ShapeFact {
  std::vector<int64_t> values;
  Shape shape;
};
/// Computes it from the input's shape; none if that is not sufficiently known.
using ShapeFactFn = std::optional<ShapeFact> (*)(const PartialShape& input);

/// One declared input or output: a tensor of dtype `type` or of the dtype in attr `type_attr`; a list of such tensors
/// whose length is attr `number_attr`; or a list whose dtypes are in attr `type_list_attr`.
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
  std::optional<int64_t> minimum;            ///< of an int attr, or of the length of a list

  /// Text such as "type" or "list(int)".
  std::string kind_text() const;
};

enum class GradientKind : uint8_t {
  kRegistered,         ///< a Python gradient function must exist
  kNotDifferentiable,  ///< gradients stop silently
  kNone,               ///< a gradient that reaches the op is an error
};

/// Properties of an op that do not follow from its inputs, outputs and attrs. Code that treats certain ops specially
/// tests a trait, never the op's name.
enum class Trait : uint8_t {
  kConstant,             ///< yields its attr `value`, whatever its control inputs are
  kPlaceholder,          ///< is meant to be fed
  kVariable,             ///< yields a variable, as a reference or as a handle
  kShapeOnly,            ///< depends only on the shapes of its inputs
  kPassesValue,          ///< yields its input, maybe as another dtype: shape inference looks through it
  kRandom,               ///< yields new random numbers each time, and has no other state
  kChecks,               ///< is run for its error: has no side effect, but is kept even if its output is not read
  kReadsResource,        ///< does not change the variables and other resources that it takes
  kReadsExternalState,   ///< output depends on more than inputs, variables and random generators
  kWritesExternalState,  ///< changes state, other than variables, that later steps see
  kSessionHandle,        ///< yields the handle of a value that the session keeps
  kMapsSparse,           ///< called with a SparseTensor, is applied to its values, as in TensorFlow
  kCallsFunction,        ///< calls the function in its attr `f` with its inputs
  kChooses,              ///< calls one of several functions, which its first input selects
  kRepeats,              ///< calls function `body` repeatedly, as long as function `cond` yields true
  kFunction,             ///< is a function of the graph, called by its name
  kDerives,              ///< yields the gradients of the function in its attr `f` with respect to its arguments
  kSums,                 ///< yields the sum of its two inputs
  kIsLess,               ///< yields whether its first input is less than its second
  kIsBoth,               ///< yields the logical and of its two inputs
  kReadsElement,         ///< reads element `index` of the array behind its first input, in any order with other reads
  kWritesElement,  ///< writes its input `value` to element `index` of such an array; its output orders other writes
  kNamesState,     ///< takes the name of state that lives in a step, and reads or changes that state
};
constexpr int kTraits = static_cast<int>(Trait::kNamesState) + 1;

/// The trait's name, such as "reads_resource".
std::string_view trait_name(Trait trait);

/// How an op controls the execution of a step, beyond computing values. Each kind is one of TensorFlow's primitives for
/// branches and loops.
enum class ControlFlow : uint8_t {
  kNone,
  kSwitch,         ///< passes its input to one of two outputs; consumers of the other one do not run
  kMerge,          ///< yields the first of its inputs that arrives
  kEnter,          ///< passes its input to the first iteration of a loop, or to each of them
  kExit,           ///< passes its input out of the loop
  kNextIteration,  ///< passes its input to the next iteration
  kLoopCond,       ///< passes the condition of a loop
  kTrigger,        ///< runs even if its inputs are dead
};

/// The kind's name, such as "switch"; empty for kNone.
std::string_view control_flow_name(ControlFlow kind);

/// The declaration of an op, or of a function that nodes call by its name. Immutable; lives as long as the process, or
/// as the graph that has the function.
struct OpDef {
  std::string name;
  std::string_view family;  ///< the folder of csrc/ops that declares it
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  ShapeFn shape_fn = nullptr;
  EntriesFn entries_fn = nullptr;       ///< for ops that compute shapes
  ShapeFactFn shape_fact_fn = nullptr;  ///< computes output i from the shape of input i
  uint32_t traits = 0;                  ///< bit i is set if the op has Trait i
  ControlFlow control_flow = ControlFlow::kNone;
  bool is_stateful = false;
  bool is_commutative = false;
  bool is_aggregate = false;  ///< field of TensorFlow's OpDef, without effect here
  bool may_block = false;     ///< its kernels run user code or functions, which may wait for another node
  bool allows_uninitialized_input = false;
  bool is_internal = false;  ///< only passes make nodes of it: users, GraphDefs and Python do not know it
  GradientKind gradient = GradientKind::kRegistered;
  std::vector<int> ignored_gradients;  ///< outputs whose gradients the gradient function does not need
  std::vector<std::pair<std::string, std::string>> parameters;  ///< inputs and attrs renamed by wrappers: old, new name
  std::vector<std::string> endpoints;                           ///< public names, such as "math.erf"
  std::string doc;

  const AttrDef* find_attr(std::string_view attr) const;
  bool has(Trait trait) const { return (traits >> static_cast<int>(trait) & 1) != 0; }
  bool calls_functions() const {
    return has(Trait::kCallsFunction) || has(Trait::kChooses) || has(Trait::kRepeats) || has(Trait::kFunction) ||
           has(Trait::kDerives);
  }
};

/// Declares an op in TensorFlow's notation. A malformed declaration is a bug of ours and aborts at start-up.
///
///   ops.op("MatMul").input("a: T").input("b: T").output("product: T")
///      .attr("transpose_a: bool = false").attr("T: {float, double}").shape(shapes::matmul).doc("…");
///
/// Inputs and outputs: "x: float", "x: T", "xs: N * T", "xs: Tlist" (Tlist a list(type) attr), "v: Ref(T)".
/// Attrs: "a: int >= 1 = 2", "s: {'SAME', 'VALID'} = 'SAME'", "T: {float, int32} = DT_INT32", "T: numbertype",
/// "T: realnumbertype", "T: type", "Ts: list(type) >= 1", "shape: shape = {unknown_rank}", "v: tensor",
/// "v: tensor = uint8[255, 0]", "f: func", "l: list(int) = [1, 1]".
class OpDefBuilder {
 public:
  explicit OpDefBuilder(OpDef* def) : def_(def) {}
  OpDefBuilder& input(std::string_view text);
  OpDefBuilder& output(std::string_view text);
  OpDefBuilder& attr(std::string_view text);
  OpDefBuilder& shape(ShapeFn fn);
  /// For ops that compute int vectors from other ones, so that the shapes which these represent are partially known.
  OpDefBuilder& entries(EntriesFn fn);
  /// Also sets Trait::kShapeOnly.
  OpDefBuilder& shape_only(ShapeFactFn fn);
  /// Call once per trait.
  OpDefBuilder& trait(Trait trait);
  OpDefBuilder& control_flow(ControlFlow kind);
  OpDefBuilder& stateful();
  OpDefBuilder& commutative();
  OpDefBuilder& aggregate();
  OpDefBuilder& may_block();
  OpDefBuilder& allows_uninitialized_input();
  /// Hides the op: OpRegistry::find does not find it. Only nodes that passes make for a plan may have it. Its name
  /// begins with an underscore.
  OpDefBuilder& internal();
  /// Gradients stop at this op.
  OpDefBuilder& not_differentiable();
  /// No gradient is defined: a gradient that reaches the op is an error.
  OpDefBuilder& no_gradient();
  /// The gradient function does not need the gradient of this output, which is declared before: if it is missing, no
  /// zeros are made for it.
  OpDefBuilder& ignores_gradient(std::string_view output);
  /// Sets the name of an input or attr in TensorFlow's Python wrapper, if it differs.
  OpDefBuilder& parameter(std::string_view name, std::string_view of_wrapper);
  OpDefBuilder& endpoint(std::string_view public_name);
  /// One to three sentences, with shapes and errors where they are not obvious.
  OpDefBuilder& doc(std::string_view text);

 private:
  ArgDef parse_arg(std::string_view text) const;
  OpDef* def_;
};

}  // namespace tinytf
