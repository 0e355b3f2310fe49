#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"

// Private to pipeline/: values as bytes, for the cache of plans and for its keys. Doubles keep every bit, so that a
// result that is read back writes the same files. A struct is an overload `members(archive, value)`
// (plan_members.hpp), which hands all its members to the archive.

namespace aplomb {

template <typename Value>
concept IsEigenArray = requires(Value& value) {
  value.derived().data();
};

/// Writes values one after the other.
class ByteWriter {
 public:
  static constexpr bool kReads = false;

  template <typename... Values>
  void operator()(Values&... values) {
    (write(values), ...);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  void count(std::size_t size) {
    const std::uint64_t number = size;
    raw(&number, sizeof number);
  }

  template <typename Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
  void write(const Value& value) { raw(&value, sizeof value); }
  void write(const std::string& text) {
    count(text.size());
    raw(text.data(), text.size());
  }
  void write(std::string& text) { write(std::as_const(text)); }
  template <typename Value>
  void write(std::vector<Value>& values) {
    count(values.size());
    for (Value& value : values) write(value);
  }
  template <typename Value, std::size_t size>
  void write(std::array<Value, size>& values) {
    for (Value& value : values) write(value);
  }
  template <typename Value>
  void write(std::optional<Value>& value) {
    count(value ? 1 : 0);
    if (value) write(*value);
  }
  template <typename Key, typename Value>
  void write(std::map<Key, Value>& values) {
    count(values.size());
    for (auto& [key, value] : values) {
      write(key);
      write(value);
    }
  }
  template <IsEigenArray Matrix>
  void write(Matrix& matrix) {
    count(static_cast<std::size_t>(matrix.rows()));
    count(static_cast<std::size_t>(matrix.cols()));
    raw(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(typename Matrix::Scalar));
  }
  void write(Eigen::Isometry3d& pose) { write(pose.matrix()); }
  template <typename Struct>
  requires(std::is_class_v<Struct> && !IsEigenArray<Struct>) void write(Struct& value) { members(*this, value); }

  std::string bytes_;
};

/// Reads what a ByteWriter wrote. Throws InvalidValue where the bytes end early or a size cannot be right; a size is
/// never trusted further than the bytes that are left.
class ByteReader {
 public:
  static constexpr bool kReads = true;

  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }
  bool is_at_end() const { return left_.empty(); }

 private:
  void raw(void* data, std::size_t size) {
    if (size > left_.size()) throw InvalidValue("a cached entry ends early");
    if (size > 0) std::memcpy(data, left_.data(), size);
    left_.remove_prefix(size);
  }
  std::size_t count(std::size_t least_bytes_each) {
    std::uint64_t number = 0;
    raw(&number, sizeof number);
    if (number > left_.size() / least_bytes_each) throw InvalidValue("a cached entry has an impossible size");
    return static_cast<std::size_t>(number);
  }

  template <typename Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
  void read(Value& value) { raw(&value, sizeof value); }
  void read(std::string& text) {
    text.resize(count(1));
    raw(text.data(), text.size());
  }
  template <typename Value>
  void read(std::vector<Value>& values) {
    values.resize(count(1));  // an element takes a byte at least
    for (Value& value : values) read(value);
  }
  template <typename Value, std::size_t size>
  void read(std::array<Value, size>& values) {
    for (Value& value : values) read(value);
  }
  template <typename Value>
  void read(std::optional<Value>& value) {
    std::uint64_t has = 0;
    raw(&has, sizeof has);
    value.reset();
    if (has != 0) read(value.emplace());
  }
  template <typename Key, typename Value>
  void read(std::map<Key, Value>& values) {
    values.clear();
    for (std::size_t left = count(1); left > 0; --left) {
      Key key;
      read(key);
      read(values[key]);
    }
  }
  template <IsEigenArray Matrix>
  void read(Matrix& matrix) {
    std::uint64_t rows = 0, cols = 0;
    raw(&rows, sizeof rows);
    raw(&cols, sizeof cols);
    const auto fits = [](int fixed, std::uint64_t size) {
      return fixed < 0 || static_cast<std::uint64_t>(fixed) == size;
    };
    const std::size_t most = left_.size() / sizeof(typename Matrix::Scalar);
    const bool is_possible = fits(Matrix::RowsAtCompileTime, rows) && fits(Matrix::ColsAtCompileTime, cols) &&
                             rows < (1U << 24) && cols < (1U << 24) && rows * cols <= most;
    if (!is_possible) throw InvalidValue("a cached entry has an impossible size");
    matrix.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(cols));
    raw(matrix.data(), static_cast<std::size_t>(matrix.size()) * sizeof(typename Matrix::Scalar));
  }
  void read(Eigen::Isometry3d& pose) { read(pose.matrix()); }
  template <typename Struct>
  requires(std::is_class_v<Struct> && !IsEigenArray<Struct>) void read(Struct& value) { members(*this, value); }

  std::string_view left_;
};

}  // namespace aplomb
