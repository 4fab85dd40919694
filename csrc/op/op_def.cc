#include "op/op_def.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "tensor/written_form.h"

namespace tinytf {

namespace {

/// A cursor over the text of a declaration.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text), whole_(text) {}

  void skip_blanks() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool accept(std::string_view token) {
    skip_blanks();
    if (text_.substr(0, token.size()) != token) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail();
  }
  std::string word() {
    skip_blanks();
    size_t n = 0;
    while (n < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[n])) || text_[n] == '_')) ++n;
    if (n == 0) fail();
    std::string found(text_.substr(0, n));
    text_.remove_prefix(n);
    return found;
  }
  std::string quoted() {
    expect("'");
    const size_t end = text_.find('\'');
    if (end == std::string_view::npos) fail();
    std::string found(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return found;
  }
  template <class Number>
  Number number() {
    skip_blanks();
    Number value{};
    if constexpr (std::is_floating_point_v<Number>) {
      if (!take_number(text_, value)) fail();
    } else {
      auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc()) fail();
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
    }
    return value;
  }
  char peek() {
    skip_blanks();
    return text_.empty() ? '\0' : text_.front();
  }
  bool done() { return peek() == '\0'; }
  [[noreturn]] void fail() const { check_failed(std::string(whole_).c_str(), "op declaration", 0); }

 private:
  std::string_view text_;
  std::string_view whole_;
};

constexpr DType kNumberTypes[] = {DType::kFloat,  DType::kDouble,    DType::kInt32,  DType::kUint8,      DType::kInt16,
                                  DType::kInt8,   DType::kComplex64, DType::kInt64,  DType::kQint8,      DType::kQuint8,
                                  DType::kQint32, DType::kBfloat16,  DType::kUint16, DType::kComplex128, DType::kHalf,
                                  DType::kUint32, DType::kUint64};
constexpr DType kRealNumberTypes[] = {DType::kFloat,  DType::kDouble, DType::kInt32,  DType::kUint8,
                                      DType::kInt16,  DType::kInt8,   DType::kInt64,  DType::kBfloat16,
                                      DType::kUint16, DType::kHalf,   DType::kUint32, DType::kUint64};

DType parse_type(Scanner& in) {
  std::string name = in.word();
  if (name.rfind("DT_", 0) == 0) {
    name = name.substr(3);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
  }
  const DType dtype = dtype_from_name(name);
  if (dtype == DType::kInvalid) in.fail();
  return dtype;
}

/// Parses uint8[1, 2], the only form that declarations need so far. In messages the elements are written one by one, as
/// TensorFlow does for defaults.
Tensor parse_tensor(Scanner& in) {
  in.expect("uint8");
  in.expect("[");
  std::vector<uint8_t> numbers;
  while (!in.accept("]")) {
    numbers.push_back(static_cast<uint8_t>(in.number<int64_t>()));
    in.accept(",");
  }
  Result<Tensor> tensor =
      Tensor::allocate(Allocator::process(), DType::kUint8, Shape({static_cast<int64_t>(numbers.size())}));
  TINYTF_CHECK(tensor.ok());
  std::copy(numbers.begin(), numbers.end(), tensor.value().data<uint8_t>());
  const int64_t count = tensor.value().num_elements();
  return in_form(tensor.take(), {false, count});
}

AttrValue parse_one(Scanner& in, AttrKind kind) {
  switch (kind) {
    case AttrKind::kString: return in.quoted();
    case AttrKind::kInt: return in.number<int64_t>();
    case AttrKind::kFloat: return in.number<float>();
    case AttrKind::kBool: return in.word() == "true";
    case AttrKind::kType: return parse_type(in);
    case AttrKind::kShape: {
      if (in.accept("{")) {
        in.expect("unknown_rank");
        in.expect("}");
        return PartialShape();
      }
      in.expect("[");
      PartialShape shape = PartialShape::scalar();
      while (!in.accept("]")) {
        shape.add_dim(in.number<int64_t>());
        in.accept(",");
      }
      return shape;
    }
    case AttrKind::kTensor: return parse_tensor(in);
    case AttrKind::kFunc: in.fail();
  }
  in.fail();
}

template <class T>
std::vector<T> parse_items(Scanner& in, AttrKind kind) {
  std::vector<T> items;
  in.expect("[");
  while (!in.accept("]")) {
    items.push_back(std::get<T>(parse_one(in, kind)));
    in.accept(",");
  }
  return items;
}

AttrValue parse_default(Scanner& in, AttrKind kind, bool is_list) {
  if (!is_list) return parse_one(in, kind);
  switch (kind) {
    case AttrKind::kString: return parse_items<std::string>(in, kind);
    case AttrKind::kInt: return parse_items<int64_t>(in, kind);
    case AttrKind::kFloat: return parse_items<float>(in, kind);
    case AttrKind::kBool: return parse_items<bool>(in, kind);
    case AttrKind::kType: return parse_items<DType>(in, kind);
    case AttrKind::kShape: return parse_items<PartialShape>(in, kind);
    case AttrKind::kTensor:
      in.expect("[");
      in.expect("]");
      return std::vector<Tensor>();
    case AttrKind::kFunc:
      in.expect("[");
      in.expect("]");
      return std::vector<FuncRef>();
  }
  in.fail();
}

void parse_kind(Scanner& in, AttrDef& attr) {
  if (in.accept("{")) {
    attr.kind = in.peek() == '\'' ? AttrKind::kString : AttrKind::kType;
    while (!in.accept("}")) {
      if (attr.kind == AttrKind::kString) {
        attr.allowed_strings.push_back(in.quoted());
      } else {
        attr.allowed_types.push_back(parse_type(in));
      }
      in.accept(",");
    }
    return;
  }
  const std::string kind = in.word();
  if (kind == "numbertype") {
    attr.kind = AttrKind::kType;
    attr.allowed_types.assign(std::begin(kNumberTypes), std::end(kNumberTypes));
  } else if (kind == "realnumbertype") {
    attr.kind = AttrKind::kType;
    attr.allowed_types.assign(std::begin(kRealNumberTypes), std::end(kRealNumberTypes));
  } else {
    static constexpr std::string_view kNames[] = {"string", "int", "float", "bool", "type", "shape", "tensor", "func"};
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (kind == kNames[i]) {
        attr.kind = static_cast<AttrKind>(i);
        return;
      }
    }
    in.fail();
  }
}

}  // namespace

std::string AttrDef::kind_text() const {
  static constexpr std::string_view kNames[] = {"string", "int", "float", "bool", "type", "shape", "tensor", "func"};
  const std::string_view name = kNames[static_cast<size_t>(kind)];
  return is_list ? str_cat("list(", name, ")") : std::string(name);
}

std::string_view trait_name(Trait trait) {
  static constexpr std::string_view kNames[] = {"constant",
                                                "placeholder",
                                                "variable",
                                                "shape_only",
                                                "passes_value",
                                                "random",
                                                "checks",
                                                "reads_resource",
                                                "reads_external_state",
                                                "writes_external_state",
                                                "session_handle",
                                                "maps_sparse",
                                                "calls_function",
                                                "chooses",
                                                "repeats",
                                                "function",
                                                "derives",
                                                "sums",
                                                "is_less",
                                                "is_both",
                                                "reads_element",
                                                "writes_element",
                                                "names_state"};
  static_assert(std::size(kNames) == kTraits);
  return kNames[static_cast<size_t>(trait)];
}

std::string_view control_flow_name(ControlFlow kind) {
  static constexpr std::string_view kNames[] = {"",     "switch",         "merge",     "enter",
                                                "exit", "next_iteration", "loop_cond", "trigger"};
  static_assert(std::size(kNames) == static_cast<size_t>(ControlFlow::kTrigger) + 1);
  return kNames[static_cast<size_t>(kind)];
}

const AttrDef* OpDef::find_attr(std::string_view attr) const {
  for (const AttrDef& def : attrs) {
    if (def.name == attr) return &def;
  }
  return nullptr;
}

ArgDef OpDefBuilder::parse_arg(std::string_view text) const {
  Scanner in(text);
  ArgDef arg;
  arg.name = in.word();
  in.expect(":");
  arg.is_ref = in.accept("Ref(");
  std::string type = in.word();
  if (in.accept("*")) {
    arg.number_attr = type;
    type = in.word();
  }
  if (arg.is_ref) in.expect(")");
  if (!in.done()) in.fail();
  arg.type = dtype_from_name(type);
  if (arg.type == DType::kInvalid) {
    // If the attr is declared later, attr() finds out whether it is a list.
    const AttrDef* attr = def_->find_attr(type);
    (attr != nullptr && attr->is_list ? arg.type_list_attr : arg.type_attr) = type;
  }
  return arg;
}

OpDefBuilder& OpDefBuilder::input(std::string_view text) {
  def_->inputs.push_back(parse_arg(text));
  return *this;
}

OpDefBuilder& OpDefBuilder::output(std::string_view text) {
  def_->outputs.push_back(parse_arg(text));
  return *this;
}

OpDefBuilder& OpDefBuilder::attr(std::string_view text) {
  Scanner in(text);
  AttrDef attr;
  attr.name = in.word();
  in.expect(":");
  attr.is_list = in.accept("list(");
  parse_kind(in, attr);
  if (attr.is_list) in.expect(")");
  if (in.accept(">=")) attr.minimum = in.number<int64_t>();
  if (in.accept("=")) attr.default_value = parse_default(in, attr.kind, attr.is_list);
  if (!in.done()) in.fail();
  if (attr.kind == AttrKind::kType && attr.is_list) {
    for (auto* args : {&def_->inputs, &def_->outputs}) {
      for (ArgDef& arg : *args) {
        if (arg.type_attr == attr.name) arg.type_list_attr = std::move(arg.type_attr), arg.type_attr.clear();
      }
    }
  }
  def_->attrs.push_back(std::move(attr));
  return *this;
}

OpDefBuilder& OpDefBuilder::shape(ShapeFn fn) {
  def_->shape_fn = fn;
  return *this;
}

OpDefBuilder& OpDefBuilder::entries(EntriesFn fn) {
  def_->entries_fn = fn;
  return *this;
}

OpDefBuilder& OpDefBuilder::shape_only(ShapeFactFn fn) {
  def_->shape_fact_fn = fn;
  return trait(Trait::kShapeOnly);
}

OpDefBuilder& OpDefBuilder::trait(Trait trait) {
  def_->traits |= uint32_t{1} << static_cast<int>(trait);
  return *this;
}

OpDefBuilder& OpDefBuilder::stateful() {
  def_->is_stateful = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::control_flow(ControlFlow kind) {
  def_->control_flow = kind;
  return *this;
}

OpDefBuilder& OpDefBuilder::commutative() {
  def_->is_commutative = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::aggregate() {
  def_->is_aggregate = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::may_block() {
  def_->may_block = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::allows_uninitialized_input() {
  def_->allows_uninitialized_input = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::internal() {
  TINYTF_CHECK(def_->name.substr(0, 1) == "_");
  def_->is_internal = true;
  return *this;
}

OpDefBuilder& OpDefBuilder::not_differentiable() {
  def_->gradient = GradientKind::kNotDifferentiable;
  return *this;
}

OpDefBuilder& OpDefBuilder::no_gradient() {
  def_->gradient = GradientKind::kNone;
  return *this;
}

OpDefBuilder& OpDefBuilder::ignores_gradient(std::string_view output) {
  const auto& outputs = def_->outputs;
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [&](const ArgDef& arg) { return arg.name == output; });
  TINYTF_CHECK(found != outputs.end());
  def_->ignored_gradients.push_back(static_cast<int>(found - outputs.begin()));
  return *this;
}

OpDefBuilder& OpDefBuilder::parameter(std::string_view name, std::string_view of_wrapper) {
  def_->parameters.emplace_back(name, of_wrapper);
  return *this;
}

OpDefBuilder& OpDefBuilder::endpoint(std::string_view public_name) {
  def_->endpoints.emplace_back(public_name);
  return *this;
}

OpDefBuilder& OpDefBuilder::doc(std::string_view text) {
  def_->doc = std::string(text);
  return *this;
}

}  // namespace tinytf
