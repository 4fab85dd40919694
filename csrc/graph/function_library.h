#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ref_ptr.h"
#include "io/wire.h"
#include "op/op_def.h"

namespace tinytf {

class Graph;

/// Attrs of functions and of their nodes by name. Values are serialized AttrValues, because a placeholder may stand for
/// a value until the function is instantiated.
using AttrProtos = std::map<std::string, std::string>;

/// A node of a function definition. Inputs are names of arguments, "node:output:index", or "^node".
struct FunctionNode {
  std::string name;
  std::string op;
  std::string device;
  std::vector<std::string> inputs;
  AttrProtos attrs;

  friend bool operator==(const FunctionNode& a, const FunctionNode& b);
};

/// A parsed FunctionDef.
struct FunctionDef {
  OpDef signature;
  AttrProtos attrs;
  std::map<uint64_t, AttrProtos> arg_attrs;        ///< By the argument's index.
  std::vector<FunctionNode> nodes;                 ///< In the order of the message.
  std::map<std::string, std::string> ret;          ///< Output name → "node:output:index" or an argument's name.
  std::map<std::string, std::string> control_ret;  ///< Control output name → node name.
  /// The declaration of nodes that call the function by its name; null if no op can have its signature.
  std::shared_ptr<const OpDef> op;
  std::string bytes;  ///< The message as it was read, including fields that are not parsed.

  const std::string& name() const { return signature.name; }
};

/// Parses a FunctionDef. InvalidArgument for malformed bytes.
Result<FunctionDef> read_function_def(std::string_view bytes);
/// Whether both definitions are equal, apart from the order of nodes and attrs.
bool same_function(const FunctionDef& a, const FunctionDef& b);

struct FunctionBody;

/// A unique key of a function's name and attrs. It is not a valid function name if there are attrs.
std::string text_of(const FuncRef& function);

/// The functions of a graph, each with the name of its gradient function if it has one. A function is either a
/// definition, which was read from a message, or a body, which is a part of another graph. Functions are never removed.
class FunctionLibrary {
 public:
  /// Parses a FunctionDefLibrary. InvalidArgument for malformed bytes, and for a gradient entry if either of its
  /// functions is missing. Also fails as add does.
  static Result<FunctionLibrary> read(std::string_view bytes);

  /// Adds all functions of another library, or none. InvalidArgument if a name is taken by an op or by a different
  /// function, or if a function would get a second gradient function.
  Status add(const FunctionLibrary& others);
  /// Adds a body. Fails as the overload above does.
  Status add(const std::string& name, std::shared_ptr<const FunctionBody> body);

  /// Copies from another library the parts of a function that this one lacks: its definition or body, its gradient
  /// function, its derived gradient. Returns whether anything was added.
  bool take(const FuncRef& function, const FunctionLibrary& others);
  /// The graphs that contain bodies of this library, each once. They live at least as long as those bodies.
  std::set<Graph*> graphs() const;

  bool empty() const { return order_.empty(); }
  size_t size() const { return order_.size(); }
  /// The definition; null if there is none. Valid until the library is destroyed or moved.
  const FunctionDef* find(std::string_view name) const;
  /// The body; null if there is none.
  std::shared_ptr<const FunctionBody> body(std::string_view name) const;
  /// The declaration of nodes that call the function; null if there is no such function or no op can have its
  /// signature.
  const OpDef* op(std::string_view name) const;
  /// The name of the gradient function; empty if there is none.
  std::string_view gradient_of(std::string_view name) const;
  /// Sets the gradient function of a function. InvalidArgument if either function is missing, or if another gradient
  /// function is set already.
  Status set_gradient(const std::string& name, const std::string& gradient);

  /// A gradient that was derived from a function: its body, or the reason why it could not be derived.
  struct Derived {
    std::shared_ptr<const FunctionBody> body;
    std::string why;
  };
  /// The derived gradient; null if it has not been derived yet. Derived gradients are not serialized.
  const Derived* derived(const FuncRef& function) const;
  /// Records a derived gradient. No-op if there is one.
  void add_derived(const FuncRef& function, Derived derived);

  /// Names of all functions, in the order in which they were added.
  const std::vector<std::string>& names() const { return order_; }
  /// The name of each function that has a gradient function, with that function's name.
  const std::map<std::string, std::string, std::less<>>& gradients() const { return gradients_; }

 private:
  Status check(const FunctionDef& function) const;
  Status check(const std::string& name, const std::shared_ptr<const FunctionBody>& body) const;
  Status check_gradient(const std::string& name, const std::string& gradient) const;
  Status check_known(const std::string& name, const std::string& gradient) const;

  std::vector<std::string> order_;
  std::map<std::string, FunctionDef, std::less<>> functions_;
  std::map<std::string, std::shared_ptr<const FunctionBody>, std::less<>> bodies_;
  std::map<std::string, std::string, std::less<>> gradients_;
  std::map<std::string, Derived, std::less<>> derived_;  // By text_of.
};

}  // namespace tinytf
