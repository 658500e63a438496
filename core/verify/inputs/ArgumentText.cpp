// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/inputs/ArgumentText.h"

#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <stdexcept>

namespace kernelarium::verify {

namespace {

constexpr std::int64_t mostElements = std::int64_t(1) << 32;
constexpr int deepestList = 16;

/// Recursive descent over one argument's text. Throws std::runtime_error with what was expected.
class ArgumentParser {
public:
    ArgumentParser(std::string_view text, InputPlan& plan)
        : m_text(text)
        , m_plan(plan) {}

    /// Adds it to the plan. `place`: of the argument in the call.
    void parseWhole(std::size_t place) {
        ArgumentPlan argument = parseArgument(0);
        const bool drawn = m_drawn;
        const bool out = accept('~');
        if (out) {
            const std::size_t start = m_at;
            if (word() != "out" || !std::holds_alternative<ArgumentPlan::Tensor>(argument.kind)) {
                m_at = start;
                expected("the end");
            }
        }
        skipSpace();
        if (m_at != m_text.size()) expected("the end");
        if (out && !drawn) {
            TensorPlan& tensor = m_plan.tensors.back();
            m_plan.outputs.fresh.push_back({tensor.dtype, std::move(tensor.shape)});
            m_plan.outputs.places.push_back(place);
            m_plan.tensors.pop_back();
            return;
        }
        if (out) m_plan.outputs.updated.push_back(place);
        m_plan.arguments.push_back(std::move(argument));
    }

private:
    [[noreturn]] void expected(const std::string& what) const {
        throw std::runtime_error(fmt::format("expected {} at character {}", what, m_at + 1));
    }

    void skipSpace() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }
    bool accept(char c) {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    void need(char c) {
        if (!accept(c)) expected(std::string{'`', c, '`'});
    }

    std::string_view word() {
        skipSpace();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    template <class T> std::optional<T> number() {
        skipSpace();
        T value{};
        const auto [end, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc()) return std::nullopt;
        m_at = std::size_t(end - m_text.data());
        return value;
    }
    double realNumber() {
        const auto value = number<double>();
        if (!value) expected("a number");
        return *value;
    }

    ArgumentPlan parseArgument(int depth) {
        skipSpace();
        if (m_at >= m_text.size()) expected("an argument");
        const char c = m_text[m_at];
        if (accept('(')) return parseList(depth);
        if (accept('"')) return parseString();
        if (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.') return parseNumber();
        const std::size_t start = m_at;
        const std::string_view name = word();
        if (name == "none") return {tensor::Value()};
        if (name == "true") return {tensor::Value(true)};
        if (name == "false") return {tensor::Value(false)};
        if (const auto dtype = tensor::parseDType(name)) return parseTensor(*dtype);
        m_at = start;
        expected("a number, true, false, none, \"text\", a list in ( ) or a tensor such as float32[2,3]");
    }

    ArgumentPlan parseList(int depth) {
        if (depth >= deepestList) expected("less deeply nested lists");
        ArgumentPlan::List list;
        if (accept(')')) return {list};
        do
            list.items.push_back(parseArgument(depth + 1));
        while (accept(','));
        need(')');
        return {list};
    }

    ArgumentPlan parseString() {
        const std::size_t end = m_text.find('"', m_at);
        if (end == std::string_view::npos) expected("a closing quote");
        std::string text(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return {tensor::Value(std::move(text))};
    }

    ArgumentPlan parseNumber() {
        const std::size_t start = m_at;
        if (const auto whole = number<std::int64_t>()) {
            const char next = m_at < m_text.size() ? m_text[m_at] : ' ';
            if (next != '.' && next != 'e' && next != 'E') return {tensor::Value(*whole)};
            m_at = start;
        }
        return {tensor::Value(realNumber())};
    }

    ArgumentPlan parseTensor(tensor::DType dtype) {
        TensorPlan tensor;
        tensor.dtype = dtype;
        tensor.name = fmt::format("argument {}", m_plan.tensors.size());
        if (dtype == tensor::DType::Bool)
            tensor.distribution = {Distribution::Kind::integer, 0, 1};
        else if (!tensor::isFloating(dtype))
            tensor.distribution = {Distribution::Kind::integer, 0, 9};
        need('[');
        if (!accept(']')) {
            do
                tensor.shape.push_back(parseExtent());
            while (accept(','));
            need(']');
        }
        std::int64_t count = 1;
        for (const std::int64_t extent : tensor.shape) {
            if (extent != 0 && count > mostElements / extent) throw std::runtime_error("the tensor is too large");
            count *= extent;
        }
        m_drawn = false;
        if (const std::size_t start = m_at; accept('~')) {
            const bool out = (skipSpace(), m_text.substr(m_at).starts_with("out"));
            if (out)
                m_at = start; // parseWhole() reads it: only a whole argument is an output
            else
                tensor.distribution = parseDistribution();
            m_drawn = !out;
        }
        m_plan.tensors.push_back(std::move(tensor));
        return {ArgumentPlan::Tensor{m_plan.tensors.size() - 1}};
    }

    std::int64_t parseExtent() {
        const auto extent = number<std::int64_t>();
        if (!extent || *extent < 0) expected("a size");
        return *extent;
    }

    Distribution parseDistribution() {
        using Kind = Distribution::Kind;
        const std::size_t start = m_at;
        const std::string_view name = word();
        Distribution d;
        if (name == "uniform")
            d.kind = Kind::uniform;
        else if (name == "integer")
            d.kind = Kind::integer;
        else if (name == "constant")
            d.kind = Kind::constant;
        else if (name != "normal") {
            m_at = start;
            expected("normal, uniform, integer, constant or out");
        }
        need('(');
        d.a = realNumber();
        if (d.kind != Kind::constant) {
            need(',');
            d.b = realNumber();
        }
        need(')');
        if (d.kind == Kind::uniform ? !(d.b > d.a) : d.kind == Kind::integer && !(d.b >= d.a))
            throw std::runtime_error("the range is empty");
        return d;
    }

    std::string_view m_text;
    InputPlan& m_plan;
    std::size_t m_at = 0;
    bool m_drawn = false; ///< the last tensor says how it is drawn
};

} // namespace

Result<InputPlan> parseArguments(const std::vector<std::string>& texts) {
    InputPlan plan;
    for (std::size_t place = 0; place < texts.size(); ++place) {
        const std::string& text = texts[place];
        try {
            ArgumentParser(text, plan).parseWhole(place);
        } catch (const std::runtime_error& failure) {
            return Error{"bad_input", "Cannot read the argument `" + text + "`: " + failure.what() + ".",
                         "Write arguments such as float32[128,256], 3, 0.5, true, none or (1, 2)."};
        }
    }
    return plan;
}

} // namespace kernelarium::verify
