#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ref_ptr.h"
#include "io/wire.h"
#include "op/op_def.h"

namespace tinytf {

class Graph;

/// Attrs of functions and of nodes in them by name: serialized AttrValues, as placeholders may stand for the values.
using AttrProtos = std::map<std::string, std::string>;

/// A node of a function's body. Inputs are arguments, "node:output:index", and "^node".
struct FunctionNode {
  std::string name;
  std::string op;
  std::string device;
  std::vector<std::string> inputs;
  AttrProtos attrs;

  friend bool operator==(const FunctionNode& a, const FunctionNode& b);
};

/// What a FunctionDef says.
struct FunctionDef {
  OpDef signature;
  AttrProtos attrs;
  std::map<uint64_t, AttrProtos> arg_attrs;        ///< by the argument's place
  std::vector<FunctionNode> nodes;                 ///< in the order they stand
  std::map<std::string, std::string> ret;          ///< output → "node:output:index", or an argument
  std::map<std::string, std::string> control_ret;  ///< control output → node
  /// What nodes are that call the function by its name; null if no op can have such a signature.
  std::shared_ptr<const OpDef> op;
  std::string bytes;  ///< all of it as it is written, also what we do not know

  const std::string& name() const { return signature.name; }
};

/// InvalidArgument for bytes that are no FunctionDef.
Result<FunctionDef> read_function_def(std::string_view bytes);
/// Whether both say the same, whatever the order of nodes and of attrs.
bool same_function(const FunctionDef& a, const FunctionDef& b);

struct FunctionBody;

/// Name and attrs in one text, which is no function's name if there are attrs.
std::string text_of(const FuncRef& function);

/// The functions of a graph, each with the name of its gradient function if it has one: some as definitions, which came
/// in messages, some as bodies, which are parts of other graphs. Only grows.
class FunctionLibrary {
 public:
  /// Of a FunctionDefLibrary. InvalidArgument for bytes that are none, for functions that are not there but have
  /// gradients or are some, and as add.
  static Result<FunctionLibrary> read(std::string_view bytes);

  /// InvalidArgument for a name that an op or another function has, and for a second gradient function: then nothing is
  /// added.
  Status add(const FunctionLibrary& others);
  /// Adds a body; fails as the other.
  Status add(const std::string& name, std::shared_ptr<const FunctionBody> body);

  /// Adds what another library has of a function and this one has not: its definition or body, its gradient function,
  /// its derived gradient. Whether that is anything.
  bool take(const FuncRef& function, const FunctionLibrary& others);
  /// The graphs that bodies are parts of, each once.
  std::vector<RefPtr<Graph>> graphs() const;

  bool empty() const { return order_.empty(); }
  size_t size() const { return order_.size(); }
  /// The definition; null if there is none. Stays valid until the library ends or moves.
  const FunctionDef* find(std::string_view name) const;
  /// Null if there is none.
  std::shared_ptr<const FunctionBody> body(std::string_view name) const;
  /// What nodes are that call the function of that name; null if there is none, or no node can.
  const OpDef* op(std::string_view name) const;
  /// The name of the gradient function; '' if there is none.
  std::string_view gradient_of(std::string_view name) const;
  /// Names the gradient function of a function. InvalidArgument if there is not either, or it has another.
  Status set_gradient(const std::string& name, const std::string& gradient);

  /// A gradient that was derived from a function: its body, or why there is none.
  struct Derived {
    std::shared_ptr<const FunctionBody> body;
    std::string why;
  };
  /// Null if nobody has tried to derive it. Messages of libraries do not have what is derived.
  const Derived* derived(const FuncRef& function) const;
  /// Nothing if there is one.
  void add_derived(const FuncRef& function, Derived derived);

  /// Writes the fields of a FunctionDefLibrary, each function as it was read; bodies as function_def_of makes them, and
  /// fails as that.
  Status write(WireWriter& to, bool add_shapes = false) const;

 private:
  Status check(const FunctionDef& function) const;
  Status check(const std::string& name, const std::shared_ptr<const FunctionBody>& body) const;
  Status check_gradient(const std::string& name, const std::string& gradient) const;
  Status check_known(const std::string& name, const std::string& gradient) const;

  std::vector<std::string> order_;  // of functions
  std::map<std::string, FunctionDef, std::less<>> functions_;
  std::map<std::string, std::shared_ptr<const FunctionBody>, std::less<>> bodies_;
  std::map<std::string, std::string, std::less<>> gradients_;
  std::map<std::string, Derived, std::less<>> derived_;  // by text_of
};

}  // namespace tinytf
