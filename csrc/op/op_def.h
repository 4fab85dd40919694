#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "op/attr.h"

namespace tinytf {

class ShapeContext;
/// Sets the output shapes from what is known of the inputs; an error means that the node can never run.
using ShapeFn = Status (*)(ShapeContext&);
/// The elements of the op's output, an int vector or scalar, as far as they are known, as a shape of unknown and known
/// sizes; unknown if not even their number is known.
using EntriesFn = PartialShape (*)(ShapeContext&);

/// What an op yields that looks at nothing but the shape of an input.
struct ShapeFact {
  std::vector<int64_t> values;
  Shape shape;
};
/// None if too little is known of the input's shape.
using ShapeFactFn = std::optional<ShapeFact> (*)(const PartialShape& input);

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

/// Facts of an op that its inputs, outputs and attrs do not tell. Who must know what a node is asks for one of them,
/// never for the op's name.
enum class Trait : uint8_t {
  kConstant,       ///< yields its attr `value`, whatever it waits for
  kPlaceholder,    ///< is made to be fed
  kVariable,       ///< yields a variable: a reference to it, or its handle
  kShapeOnly,      ///< looks only at the shapes of its inputs
  kPassesValue,    ///< yields its input, as another type maybe: shapes are inferred through it
  kRandom,         ///< yields other numbers each time, and is stateful in nothing else
  kChecks,         ///< is run for its error: changes nothing, but is not left out where nobody reads it
  kReadsResource,  ///< leaves the variables and other resources that it takes as they are
  kReadsWorld,     ///< yields what comes from elsewhere than its inputs, variables and random generators
  kWritesWorld,    ///< changes what later steps find and is no variable
  kSessionHandle,  ///< yields the handle of a value that the session keeps
  kMapsSparse,     ///< maps the values of a SparseTensor where it is called with one: TensorFlow's choice
  kCallsFunction,  ///< yields what the function that its attr `f` names yields for its inputs
  kChooses,        ///< yields what one of several functions yields for its inputs: which one its first input says
  kRepeats,       ///< yields what comes of its inputs when function `body` is called as long as function `cond` says so
  kFunction,      ///< is a function of the graph, and yields what that yields
  kDerives,       ///< yields the gradients of what the function that its attr `f` names takes
  kSums,          ///< yields the sum of its two inputs
  kIsLess,        ///< yields whether its first input is less than its second
  kIsBoth,        ///< yields whether both of its inputs are true
  kReadsElement,  ///< yields element `index` of the array that its first input leads to, in no order with others
  kWritesElement,  ///< makes its input `value` element `index` of such an array; other writes wait for its output
  kNamesState,     ///< takes the name of what lives in a step, and reads or changes that
};
constexpr int kTraits = static_cast<int>(Trait::kNamesState) + 1;

/// "reads_resource", …
std::string_view trait_name(Trait trait);

/// What an op does to the course of a step, beyond computing values: each is one of TensorFlow's primitives, of which
/// branches and loops are made.
enum class ControlFlow : uint8_t {
  kNone,
  kSwitch,         ///< yields its input at one of two outputs, and nothing at the other: what needs that does not run
  kMerge,          ///< yields the first of its inputs that comes
  kEnter,          ///< passes its input to the first iteration of a loop, or to each of them
  kExit,           ///< passes its input out of the loop
  kNextIteration,  ///< passes its input to the next iteration
  kLoopCond,       ///< passes the condition of a loop
  kTrigger,        ///< runs even where its inputs are dead
};

/// "switch", …; "" for none.
std::string_view control_flow_name(ControlFlow kind);

/// An op's declaration, or what a function looks like to those that call it by its name. Immutable; lives as long as
/// the process, or as the graph that has the function.
struct OpDef {
  std::string name;
  std::string_view family;  ///< the folder of csrc/ops that declares it
  std::vector<ArgDef> inputs;
  std::vector<ArgDef> outputs;
  std::vector<AttrDef> attrs;
  ShapeFn shape_fn = nullptr;
  EntriesFn entries_fn = nullptr;       ///< of ops that shapes are made with
  ShapeFactFn shape_fact_fn = nullptr;  ///< for each output what the input of the same number tells
  uint32_t traits = 0;                  ///< bit i: has the Trait i
  ControlFlow control_flow = ControlFlow::kNone;
  bool is_stateful = false;
  bool is_commutative = false;
  bool is_aggregate =
      false;  ///< of inputs that are partial results, it yields the whole: TensorFlow's field, for messages
  bool may_block = false;  ///< its kernels run the program's code, which may wait for what another node does
  bool allows_uninitialized_input = false;
  GradientKind gradient = GradientKind::kRegistered;
  std::vector<int> ignored_gradients;  ///< outputs whose missing gradients the gradient function ignores
  std::vector<std::pair<std::string, std::string>>
      parameters;                      ///< inputs and attrs that wrappers call otherwise, and how
  std::vector<std::string> endpoints;  ///< public names, "math.erf"
  std::string doc;

  const AttrDef* find_attr(std::string_view attr) const;
  bool has(Trait trait) const { return (traits >> static_cast<int>(trait) & 1) != 0; }
  bool calls_functions() const {
    return has(Trait::kCallsFunction) || has(Trait::kChooses) || has(Trait::kRepeats) || has(Trait::kFunction) ||
           has(Trait::kDerives);
  }
};

/// Declares an op in TensorFlow's notation. Mistakes in the notation abort at start-up: they are ours.
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
  /// For ops that make int vectors of others, so that the shapes that these stand for are known in part.
  OpDefBuilder& entries(EntriesFn fn);
  /// Has Trait::kShapeOnly.
  OpDefBuilder& shape_only(ShapeFactFn fn);
  /// Once for each.
  OpDefBuilder& trait(Trait trait);
  OpDefBuilder& control_flow(ControlFlow kind);
  OpDefBuilder& stateful();
  OpDefBuilder& commutative();
  OpDefBuilder& aggregate();
  OpDefBuilder& may_block();
  OpDefBuilder& allows_uninitialized_input();
  /// Gradients stop at this op.
  OpDefBuilder& not_differentiable();
  /// No gradient is defined: a gradient that reaches the op is an error.
  OpDefBuilder& no_gradient();
  /// The gradient function has no use for the gradient of this output, declared before: where it is missing, no zeros
  /// are made for it.
  OpDefBuilder& ignores_gradient(std::string_view output);
  /// What TensorFlow's wrapper calls an input or attr, if not by its own name.
  OpDefBuilder& parameter(std::string_view name, std::string_view of_wrapper);
  OpDefBuilder& endpoint(std::string_view public_name);
  /// One to three sentences with shapes and errors where they are not obvious.
  OpDefBuilder& doc(std::string_view text);

 private:
  ArgDef parse_arg(std::string_view text) const;
  OpDef* def_;
};

}  // namespace tinytf
