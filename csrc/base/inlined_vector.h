#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace tinytf {

/// A vector of trivially copyable items that stores up to N of them inline and allocates heap memory only for more. Not
/// thread-safe. A moved-from vector is empty.
template <class T, size_t N>
class InlinedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  InlinedVector() = default;
  InlinedVector(std::initializer_list<T> items) { assign(items.begin(), items.end()); }
  template <class It, std::enable_if_t<!std::is_arithmetic_v<It>, int> = 0>
  InlinedVector(It first, It last) {
    assign(first, last);
  }
  explicit InlinedVector(size_t n, T value = T()) { resize(n, value); }
  InlinedVector(const InlinedVector& other) { copy_from(other); }
  InlinedVector(InlinedVector&& other) noexcept { steal_from(other); }
  ~InlinedVector() { release(); }
  InlinedVector& operator=(const InlinedVector& other) {
    if (this != &other) {
      size_ = 0;
      copy_from(other);
    }
    return *this;
  }
  InlinedVector& operator=(InlinedVector&& other) noexcept {
    if (this != &other) {
      release();
      steal_from(other);
    }
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return heap_ ? heap_ : local_; }
  const T* data() const { return heap_ ? heap_ : local_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void reserve(size_t n) {
    if (n <= capacity_) return;
    const size_t capacity = std::max(n, 2 * capacity_);
    T* grown = new T[capacity];
    std::copy(begin(), end(), grown);
    delete[] heap_;
    heap_ = grown;
    capacity_ = capacity;
  }
  void push_back(T value) {
    reserve(size_ + 1);
    data()[size_++] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void resize(size_t n, T value = T()) {
    reserve(n);
    if (n > size_) std::fill(data() + size_, data() + n, value);
    size_ = n;
  }
  template <class It>
  void assign(It first, It last) {
    size_ = 0;
    for (; first != last; ++first) push_back(static_cast<T>(*first));
  }
  void insert(size_t position, T value) {
    push_back(value);
    std::rotate(begin() + position, end() - 1, end());
  }
  void erase(size_t position) {
    std::copy(begin() + position + 1, end(), begin() + position);
    --size_;
  }

  friend bool operator==(const InlinedVector& a, const InlinedVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const InlinedVector& a, const InlinedVector& b) { return !(a == b); }

 private:
  void release() {
    delete[] heap_;
    heap_ = nullptr;
    capacity_ = N;
    size_ = 0;
  }
  void copy_from(const InlinedVector& other) {
    reserve(other.size_);
    std::copy(other.begin(), other.end(), data());
    size_ = other.size_;
  }
  void steal_from(InlinedVector& other) noexcept {
    heap_ = std::exchange(other.heap_, nullptr);
    capacity_ = std::exchange(other.capacity_, N);
    size_ = std::exchange(other.size_, 0);
    if (!heap_) std::copy(other.local_, other.local_ + size_, local_);
  }

  T* heap_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = N;
  T local_[N] = {};
};

}  // namespace tinytf
