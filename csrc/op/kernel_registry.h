#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "op/elementwise.h"
#include "op/kernel.h"

namespace tinytf {

/// A registered kernel: its op, the type attrs that it supports, its factory, and the element-wise loop that it runs.
struct KernelDef {
  using Factory = std::function<std::unique_ptr<Kernel>(KernelInit&)>;
  /// Tells of a node that the kernel supports whether the kernel runs its loop.
  using RunsLoop = bool (*)(const NodeInfo& node);
  std::string op;
  std::vector<std::pair<std::string, std::vector<DType>>> constraints;  ///< type attr → allowed types
  Factory factory;
  ElementwiseLoop loop;
  RunsLoop runs_loop = nullptr;  ///< null: for all nodes
};

/// All kernels. Filled together with the OpRegistry; read-only and thread-safe afterwards.
class KernelRegistry {
 public:
  static const KernelRegistry& global();

  class Builder {
   public:
    explicit Builder(KernelDef* def) : def_(def) {}
    /// Restricts the kernel to nodes whose type attr `attr` is one of `types`; all entries of a list(type) attr must
    /// be.
    Builder& where(std::string_view attr, std::initializer_list<DType> types) {
      def_->constraints.emplace_back(std::string(attr), std::vector<DType>(types));
      return *this;
    }
    Builder& where(std::string_view attr, std::vector<DType> types) {
      def_->constraints.emplace_back(std::string(attr), std::move(types));
      return *this;
    }
    /// Declares the element-wise loop of the kernel, for passes that replace nodes by other ones.
    Builder& elementwise(ElementwiseLoop loop, KernelDef::RunsLoop runs_loop = nullptr) {
      def_->loop = loop;
      def_->runs_loop = runs_loop;
      return *this;
    }

   private:
    KernelDef* def_;
  };

  /// kernels.add<MatMulKernel>("MatMul").where("T", {…}): K is constructed from KernelInit&. The Builder is valid only
  /// within the statement.
  template <class K>
  Builder add(std::string_view op) {
    return add(op, [](KernelInit& init) -> std::unique_ptr<Kernel> { return std::make_unique<K>(init); });
  }
  Builder add(std::string_view op, KernelDef::Factory factory);
  /// Adds a kernel K<T> for each C++ type: kernels.add_typed<RangeKernel, float, double>("Range", "Tidx").
  template <template <class> class K, class... Ts>
  void add_typed(std::string_view op, std::string_view attr) {
    (add<K<Ts>>(op).where(attr, {dtype_of<Ts>}), ...);
  }

  /// Creates the kernel of a node. If none matches, the InvalidArgument error lists the registered kernels of the op.
  Result<std::unique_ptr<Kernel>> create(const NodeInfo& node) const;
  /// The element-wise loop of the node's kernel. It depends on the node's dtypes and attrs: division of integers and
  /// of floating-point numbers have different loops, and strings have none.
  ElementwiseLoop loop_of(const NodeInfo& node) const;
  /// The registered kernels of an op; null if there are none.
  const std::vector<KernelDef>* find(std::string_view op) const;

 private:
  /// The kernel that supports the node; null if there is none.
  const KernelDef* match(const NodeInfo& node) const;

  std::unordered_map<std::string, std::vector<KernelDef>> by_op_;
};

}  // namespace tinytf
