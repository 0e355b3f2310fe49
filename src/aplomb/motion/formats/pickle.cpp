#include "aplomb/motion/formats/pickle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"

// Opcodes: Python's pickletools, protocol 5. Arrays: the __reduce__ of NumPy's ndarray and dtype.

namespace aplomb {
namespace {

constexpr std::size_t kMostValues = 1'000'000;

struct Value;
using ValuePtr = std::shared_ptr<Value>;

struct Value {
  enum class Kind { mark, none, number, text, bytes, list, dict, function, type, array };
  Kind kind = Kind::none;
  double number = 0.0;
  std::string_view bytes{};       // of the file
  std::string text{};             // also a function's name and a type's name
  std::vector<ValuePtr> items{};  // of a list, tuple, or dict (key, value, key, value)
  NpzArray array{};
};

ValuePtr make(Value value) { return std::make_shared<Value>(std::move(value)); }

class PickleReader {
 public:
  PickleReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  ValuePtr read() {
    while (true) {
      const auto opcode = static_cast<unsigned char>(take(1).front());
      if (opcode == '.') return pop();
      step(opcode);
      if (++num_steps_ > kMostValues) refuse("has more than a million instructions");
    }
  }

 private:
  using Kind = Value::Kind;
  [[noreturn]] void refuse(std::string_view why) const { throw FileError({file_}, why); }

  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) refuse("is not a pickle, or was not written to its end");
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  template <typename Integer>
  Integer integer() {
    Integer value{};
    take(sizeof(Integer)).copy(reinterpret_cast<char*>(&value), sizeof(Integer));
    return value;
  }
  std::string line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) refuse("was not written to its end");
    std::string text(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return text;
  }
  void push(Value value) { stack_.push_back(make(std::move(value))); }
  void push_number(double value) { push({.kind = Kind::number, .number = value}); }
  void push_text(std::string_view text) { push({.kind = Kind::text, .text = std::string(text)}); }
  void push_bytes(std::string_view bytes) { push({.kind = Kind::bytes, .bytes = bytes}); }
  ValuePtr pop() {
    if (stack_.empty()) refuse("is damaged: an instruction has no operand");
    ValuePtr value = stack_.back();
    stack_.pop_back();
    return value;
  }
  Value& top() {
    if (stack_.empty()) refuse("is damaged: an instruction has no operand");
    return *stack_.back();
  }
  std::vector<ValuePtr> pop_to_mark() {
    std::vector<ValuePtr> values;
    while (true) {
      ValuePtr value = pop();
      if (value->kind == Kind::mark) break;
      values.push_back(std::move(value));
    }
    std::ranges::reverse(values);
    return values;
  }
  void push_tuple(std::size_t count) {
    std::vector<ValuePtr> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    push({.kind = Kind::list, .items = std::move(items)});
  }
  void remember(std::size_t slot) {
    if (slot > kMostValues) refuse("is damaged: a memo beyond its size");
    top();
    memo_[slot] = stack_.back();
  }
  void recall(std::size_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end()) refuse("is damaged: it recalls what it has not remembered");
    stack_.push_back(found->second);
  }
  void extend(Kind kind, std::vector<ValuePtr> values) {
    Value& target = top();
    if (target.kind != kind) refuse("is damaged: it adds to what is no list or dictionary");
    target.items.insert(target.items.end(), values.begin(), values.end());
  }

  void push_function(const std::string& module, const std::string& name) {
    static constexpr std::array kKnown = {"multiarray._reconstruct", "multiarray.scalar", "numeric._frombuffer"};
    std::string full = module + "." + name;
    if (full == "numpy.ndarray" || full == "numpy.dtype") return push({.kind = Kind::function, .text = full});
    for (const char* package : {"numpy._core.", "numpy.core."}) {
      if (!full.starts_with(package)) continue;
      const std::string rest = full.substr(std::strlen(package));
      if (std::ranges::find(kKnown, rest) != kKnown.end()) return push({.kind = Kind::function, .text = rest});
    }
    refuse(fmt::format("asks for the function '{}': only plain NumPy arrays are read, and no code is run",
                       shortened(full)));
  }

  void step(unsigned char opcode) {
    switch (opcode) {
      case 0x80:
        take(1);
        break;  // PROTO
      case 0x95:
        take(8);
        break;  // FRAME
      case '(':
        push({.kind = Kind::mark});
        break;
      case 'N':
        push({.kind = Kind::none});
        break;
      case 0x88:
        push_number(1.0);
        break;  // True
      case 0x89:
        push_number(0.0);
        break;  // False
      case 'K':
        push_number(integer<std::uint8_t>());
        break;
      case 'M':
        push_number(integer<std::uint16_t>());
        break;
      case 'J':
        push_number(integer<std::int32_t>());
        break;
      case 0x8a:
        push_long();
        break;
      case 'G':
        push_number(std::bit_cast<double>(swapped(integer<std::uint64_t>())));
        break;
      case 0x8c:
        push_text(take(integer<std::uint8_t>()));
        break;
      case 'X':
        push_text(take(integer<std::uint32_t>()));
        break;
      case 'C':
        push_bytes(take(integer<std::uint8_t>()));
        break;
      case 'B':
        push_bytes(take(integer<std::uint32_t>()));
        break;
      case 0x8e:
      case 0x96:
        push_bytes(take(integer<std::uint64_t>()));
        break;  // BINBYTES8, BYTEARRAY8
      case '}':
        push({.kind = Kind::dict});
        break;
      case ']':
        push({.kind = Kind::list});
        break;
      case ')':
        push({.kind = Kind::list});
        break;
      case 0x85:
        push_tuple(1);
        break;
      case 0x86:
        push_tuple(2);
        break;
      case 0x87:
        push_tuple(3);
        break;
      case 't':
        push({.kind = Kind::list, .items = pop_to_mark()});
        break;
      case 'a':
        extend(Kind::list, {pop()});
        break;
      case 'e': {
        std::vector<ValuePtr> values = pop_to_mark();
        extend(Kind::list, std::move(values));
        break;
      }
      case 's': {
        ValuePtr value = pop(), key = pop();
        extend(Kind::dict, {key, value});
        break;
      }
      case 'u': {
        std::vector<ValuePtr> values = pop_to_mark();
        extend(Kind::dict, std::move(values));
        break;
      }
      case 0x94:
        remember(memo_.size());
        break;
      case 'q':
        remember(integer<std::uint8_t>());
        break;
      case 'r':
        remember(integer<std::uint32_t>());
        break;
      case 'h':
        recall(integer<std::uint8_t>());
        break;
      case 'j':
        recall(integer<std::uint32_t>());
        break;
      case 'c': {
        const std::string module = line(), name = line();
        push_function(module, name);
        break;
      }
      case 0x93: {
        const ValuePtr name = pop(), module = pop();
        push_function(module->text, name->text);
        break;
      }
      case 'R':
        call();
        break;
      case 'b':
        build();
        break;
      default:
        refuse(fmt::format(
            "has the pickle instruction 0x{:02x}, which a motion does not need; save the arrays with numpy.savez",
            opcode));
    }
  }

  static std::uint64_t swapped(std::uint64_t value) {
    std::uint64_t made = 0;
    for (int i = 0; i < 8; ++i) made = (made << 8) | ((value >> (8 * i)) & 0xFFu);
    return made;
  }

  void push_long() {
    const std::string_view digits = take(integer<std::uint8_t>());
    if (digits.size() > 8) refuse("has an integer of more than 64 bits");
    std::int64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? -1 : 0;
    digits.copy(reinterpret_cast<char*>(&value), digits.size());
    push_number(static_cast<double>(value));
  }

  const Value& item(const ValuePtr& list, std::size_t index, Kind kind) const {
    const bool is_there = list->kind == Kind::list && index < list->items.size() && list->items[index]->kind == kind;
    if (!is_there) refuse("is damaged: a NumPy array lacks a part");
    return *list->items[index];
  }

  /// Functions are known by name, and what they would do is done here.
  void call() {
    const ValuePtr arguments = pop(), function = pop();
    if (function->kind != Kind::function) refuse("calls what is no function");
    if (function->text == "multiarray._reconstruct") {
      push({.kind = Kind::array});
    } else if (function->text == "numpy.dtype") {
      push({.kind = Kind::type, .text = item(arguments, 0, Kind::text).text});
    } else if (function->text == "multiarray.scalar") {
      NpzArray one = array_of(item(arguments, 0, Kind::type).text, {}, item(arguments, 1, Kind::bytes).bytes);
      push_number(one.values.front());
    } else if (function->text == "numeric._frombuffer") {
      if (item(arguments, 3, Kind::text).text != "C") refuse("has an array stored column by column");
      Value made{.kind = Kind::array};
      made.array = array_of(item(arguments, 1, Kind::type).text, shape_of(item(arguments, 2, Kind::list)),
                            item(arguments, 0, Kind::bytes).bytes);
      push(std::move(made));
    } else {
      refuse("calls a type as a function");
    }
  }

  /// The state of an array: (version, shape, type, is column by column, bytes). Of a type: its byte order.
  void build() {
    const ValuePtr state = pop();
    Value& target = top();
    if (target.kind == Kind::type) {
      if (item(state, 1, Kind::text).text == ">") refuse("has an array of the other byte order");
      return;
    }
    if (target.kind != Kind::array) refuse("builds an object that is no NumPy array");
    if (item(state, 3, Kind::number).number != 0.0)
      refuse("has an array stored column by column; write it with numpy.ascontiguousarray");
    target.array = array_of(item(state, 2, Kind::type).text, shape_of(item(state, 1, Kind::list)),
                            item(state, 4, Kind::bytes).bytes);
  }

  std::vector<std::size_t> shape_of(const Value& list) const {
    std::vector<std::size_t> shape;
    for (const ValuePtr& axis : list.items) {
      const bool is_size = axis->kind == Kind::number && axis->number >= 0.0 && axis->number < 1e12;
      if (!is_size || list.items.size() > 4) refuse("has an array of an impossible shape");
      shape.push_back(static_cast<std::size_t>(axis->number));
    }
    return shape;
  }

  template <typename Number>
  static std::vector<double> numbers(std::string_view bytes) {
    std::vector<double> values(bytes.size() / sizeof(Number));
    for (std::size_t i = 0; i < values.size(); ++i) {
      Number value{};
      std::memcpy(&value, bytes.data() + i * sizeof(Number), sizeof(Number));
      values[i] = static_cast<double>(value);
    }
    return values;
  }

  NpzArray array_of(const std::string& type, std::vector<std::size_t> shape, std::string_view bytes) {
    NpzArray array{.shape = std::move(shape)};
    num_bytes_ += bytes.size();
    if (num_bytes_ > 4 * bytes_.size()) refuse("is damaged: its arrays share their bytes");
    if (type == "f8")
      array.values = numbers<double>(bytes);
    else if (type == "f4")
      array.values = numbers<float>(bytes);
    else if (type == "i8")
      array.values = numbers<std::int64_t>(bytes);
    else if (type == "i4")
      array.values = numbers<std::int32_t>(bytes);
    else
      refuse(fmt::format("has an array of type '{}'; valid: f8, f4, i8, i4", shortened(type)));
    double size = 1.0;
    for (const std::size_t axis : array.shape) size *= static_cast<double>(axis);
    if (size != static_cast<double>(array.values.size()) || array.values.empty())
      refuse("is damaged: the shape and the size of an array differ");
    if (type == "f4") array.type = NpzArray::Type::float32;
    return array;
  }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0, num_steps_ = 0, num_bytes_ = 0;
  std::vector<ValuePtr> stack_;
  std::map<std::size_t, ValuePtr> memo_;
};

class PickleWriter {
 public:
  std::string write(const std::vector<NpzArray>& arrays) {
    bytes_ = std::string("\x80\x04}(", 4);
    for (const NpzArray& array : arrays) {
      text(array.name);
      if (!array.texts.empty()) {
        bytes_ += "](";
        for (const std::string& one : array.texts) text(one);
        bytes_ += 'e';
      } else if (array.values.empty()) {
        bytes_ += 'N';
      } else if (array.shape.empty()) {
        number(array.values.front());
      } else {
        add(array);
      }
    }
    return bytes_ + "u.";
  }

 private:
  template <typename Number>
  void raw(Number value) {
    const auto part = std::bit_cast<std::array<char, sizeof(Number)>>(value);
    bytes_.append(part.data(), part.size());
  }
  void text(const std::string& value) {
    bytes_ += 'X';
    raw(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  void number(double value) {
    bytes_ += 'G';
    auto part = std::bit_cast<std::array<char, 8>>(value);
    std::ranges::reverse(part);
    bytes_.append(part.data(), part.size());
  }
  void integer(std::int32_t value) {
    bytes_ += 'J';
    raw(value);
  }
  void add(const NpzArray& array) {
    // Both names of the module exist in NumPy 2; 1.x knows this one alone.
    bytes_ += "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n";
    integer(0);
    bytes_ += std::string(
        "\x85"
        "C\x01"
        "b"
        "\x87R(",
        7);
    integer(1);
    bytes_ += '(';
    for (const std::size_t axis : array.shape) integer(static_cast<std::int32_t>(axis));
    bytes_ += "tcnumpy\ndtype\n";
    text("f8");
    bytes_ += std::string("\x89\x88\x87R(", 5);
    integer(3);
    text("<");
    bytes_ += "NNN";
    integer(-1);
    integer(-1);
    integer(0);
    bytes_ += "tb\x89";
    bytes_ += 'B';
    raw(static_cast<std::uint32_t>(8 * array.values.size()));
    for (const double value : array.values) raw(value);
    bytes_ += "tb";
  }

  std::string bytes_;
};

}  // namespace

std::vector<NpzArray> parse_pickle(std::string_view bytes, const std::filesystem::path& file) {
  const ValuePtr root = PickleReader(bytes, file.string()).read();
  if (root->kind != Value::Kind::dict || root->items.size() % 2 != 0)
    throw FileError({file.string()}, "holds no dictionary; a motion of GMR does");
  std::vector<NpzArray> arrays;
  for (std::size_t i = 0; i < root->items.size(); i += 2) {
    const Value &key = *root->items[i], &value = *root->items[i + 1];
    if (key.kind != Value::Kind::text) throw FileError({file.string()}, "has a key that is no text");
    NpzArray array = value.array;
    array.name = key.text;
    if (value.kind == Value::Kind::number) array.values = {value.number};
    if (value.kind == Value::Kind::list) {
      for (const ValuePtr& one : value.items) {
        if (one->kind == Value::Kind::text) array.texts.push_back(one->text);
        if (one->kind == Value::Kind::number) array.values.push_back(one->number);
      }
      array.shape = {std::max(array.texts.size(), array.values.size())};
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

std::string pickle_of(const std::vector<NpzArray>& arrays) { return PickleWriter().write(arrays); }

}  // namespace aplomb
