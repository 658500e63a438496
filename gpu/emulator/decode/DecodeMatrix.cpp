// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <array>
#include <charconv>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

namespace {

std::optional<Element> elementOf(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, Element>, 13> names{{{"f16", Element::f16},
                                                                                 {"bf16", Element::bf16},
                                                                                 {"tf32", Element::tf32},
                                                                                 {"f32", Element::f32},
                                                                                 {"f64", Element::f64},
                                                                                 {"e4m3", Element::e4m3},
                                                                                 {"e5m2", Element::e5m2},
                                                                                 {"s8", Element::s8},
                                                                                 {"u8", Element::u8},
                                                                                 {"s4", Element::s4},
                                                                                 {"u4", Element::u4},
                                                                                 {"b1", Element::b1},
                                                                                 {"s32", Element::s32}}};
    for (const auto& [text, element] : names)
        if (text == name) return element;
    return std::nullopt;
}

std::vector<Element> elementsIn(const ptx::Instruction& i) {
    std::vector<Element> found;
    for (const std::string_view m : i.modifiers)
        if (const auto e = elementOf(m)) found.push_back(*e);
    return found;
}

bool readShape(std::string_view text, MatrixShape& shape) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (const auto& [letter, value] : {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
        if (at == end || *at != letter) return false;
        const auto read = std::from_chars(at + 1, end, *value);
        if (read.ec != std::errc()) return false;
        at = read.ptr;
    }
    return at == end;
}

MatrixShape shapeIn(const ptx::Instruction& i) {
    MatrixShape shape;
    for (const std::string_view m : i.modifiers)
        if (readShape(m, shape)) return shape;
    return {};
}

struct Legal {
    std::uint32_t m, n, k;
    Element element;
};

bool isAmong(const MatrixShape& s, Element e, std::initializer_list<Legal> list) {
    for (const Legal& l : list)
        if (l.m == s.m && l.n == s.n && l.k == s.k && l.element == e) return true;
    return false;
}

/// Signed and unsigned, and the two f8 formats, come in the same shapes.
Element family(Element e) {
    if (e == Element::u8) return Element::s8;
    if (e == Element::u4) return Element::s4;
    return e == Element::e5m2 ? Element::e4m3 : e;
}

/// PTX ISA, table of mma shapes.
bool isMmaShape(const MatrixShape& s, Element a) {
    using enum Element;
    return isAmong(s, family(a),
                   {{8, 8, 4, f16},   {16, 8, 8, f16},   {16, 8, 16, f16},  {16, 8, 8, bf16}, {16, 8, 16, bf16},
                    {16, 8, 4, tf32}, {16, 8, 8, tf32},  {8, 8, 4, f64},    {16, 8, 4, f64},  {16, 8, 8, f64},
                    {16, 8, 16, f64}, {16, 8, 16, e4m3}, {16, 8, 32, e4m3}, {8, 8, 16, s8},   {16, 8, 16, s8},
                    {16, 8, 32, s8},  {8, 8, 32, s4},    {16, 8, 32, s4},   {16, 8, 64, s4},  {8, 8, 128, b1},
                    {16, 8, 128, b1}, {16, 8, 256, b1}});
}

/// And of wmma shapes.
bool isWmmaShape(const MatrixShape& s, Element a) {
    using enum Element;
    return isAmong(s, family(a),
                   {{16, 16, 16, f16},
                    {32, 8, 16, f16},
                    {8, 32, 16, f16},
                    {16, 16, 16, bf16},
                    {32, 8, 16, bf16},
                    {8, 32, 16, bf16},
                    {16, 16, 16, s8},
                    {32, 8, 16, s8},
                    {8, 32, 16, s8},
                    {16, 16, 8, tf32},
                    {8, 8, 4, f64},
                    {8, 8, 32, s4},
                    {8, 8, 128, b1}});
}

} // namespace

Fragment FunctionDecoder::fragment(const ptx::Operand& o, Element e, FragmentMap map, bool isDestination, I i) {
    Fragment f{e, std::move(map), {}};
    const std::vector<ptx::Operand> single{o};
    const std::vector<ptx::Operand>& items = o.kind == OperandKind::vector ? o.items : single;
    if (items.size() != f.map.registers) unsupported(i, "a fragment of " + std::to_string(items.size()) + " registers");
    for (const ptx::Operand& item : items)
        f.registers.push_back(isDestination ? destination(item, i)
                                            : source(item, e == Element::f64 ? Type::b64 : Type::b32, i));
    return f;
}

bool FunctionDecoder::decodeMatrix(I i) {
    if (i.opcode == "mma" || (i.opcode == "wmma" && i.has("mma"))) return decodeMultiply(i), true;
    if (i.opcode == "wmma" && (i.has("load") || i.has("store"))) return decodeFragmentAccess(i), true;
    if (i.opcode == "ldmatrix" || i.opcode == "stmatrix") return decodeRows(i), true;
    return false;
}

void FunctionDecoder::decodeMultiply(I i) {
    const bool wmma = i.opcode == "wmma";
    if (i.has("sp") || i.has("sp::ordered_metadata")) unsupported(i, "sparse matrices");
    if (i.has("block_scale")) unsupported(i, "block scaling");
    operandCount(i, 4);
    MatrixOp op;
    op.shape = shapeIn(i);
    const std::vector<Element> types = elementsIn(i);
    // D, A, B, C; of f16 wmma only D and C.
    if (types.size() != 4 && !(wmma && types.size() == 2)) unsupported(i);
    const Element d = types.front(), c = types.back();
    const Element a = types.size() == 4 ? types[1] : Element::f16, b = types.size() == 4 ? types[2] : Element::f16;
    if (!(wmma ? isWmmaShape(op.shape, a) : isMmaShape(op.shape, a)) || family(a) != family(b))
        unsupported(i, "this shape");
    const bool isVolta = !wmma && a == Element::f16 && op.shape.m == 8;
    const FragmentOrder order = wmma ? FragmentOrder::wmma : isVolta ? FragmentOrder::volta : FragmentOrder::mma;
    // The first layout is A's, the second B's.
    bool aRows = true, bRows = false, first = true;
    for (const std::string_view m : i.modifiers)
        if (m == "row" || m == "col") {
            (first ? aRows : bRows) = m == "row";
            first = false;
        }
    op.matrices = isVolta ? 4 : 1;
    op.saturate = i.has("satfinite") && isIntegral(a);
    op.andPopc = i.has("and");
    op.rule = warpSumRule(a, op.shape);
    op.d = fragment(i.operands[0], d, fragmentMap(order, MatrixPart::c, d, op.shape, true), true, i);
    op.a = fragment(i.operands[1], a, fragmentMap(order, MatrixPart::a, a, op.shape, aRows), false, i);
    op.b = fragment(i.operands[2], b, fragmentMap(order, MatrixPart::b, b, op.shape, bRows), false, i);
    op.c = fragment(i.operands[3], c, fragmentMap(order, MatrixPart::c, c, op.shape, true), false, i);
    Inst& inst = emit(m_context.lanes.matrix(op), i);
    inst.aux = std::uint32_t(m_context.code.matrixOps.size());
    m_context.code.matrixOps.push_back(std::move(op));
}

void FunctionDecoder::decodeFragmentAccess(I i) {
    const bool store = i.has("store");
    operandCount(i, 2);
    const std::vector<Element> types = elementsIn(i);
    if (types.size() != 1) unsupported(i);
    const Element e = types[0];
    const MatrixShape shape = shapeIn(i);
    const MatrixPart part = i.has("a") ? MatrixPart::a : i.has("b") ? MatrixPart::b : MatrixPart::c;
    if (bitsOf(e) < 8) unsupported(i, "elements of less than a byte");
    MatrixAccess access;
    access.byRows = i.has("row");
    FragmentMap map = fragmentMap(FragmentOrder::wmma, part, e, shape, access.byRows);
    // A register's neighbours are neighbours along k, in the accumulator along the shorter side.
    const bool alongRows = part == MatrixPart::c ? shape.m >= shape.n : part == MatrixPart::a;
    access.packed = map.perRegister > 1 && access.byRows == alongRows;
    access.shape = {part == MatrixPart::b ? shape.k : shape.m, part == MatrixPart::a ? shape.k : shape.n, 0};
    access.stride = access.byRows ? access.shape.n : access.shape.m;
    const std::size_t pointer = store ? 0 : 1;
    access.fragment = fragment(i.operands[1 - pointer], e, std::move(map), !store, i);
    if (i.operands.size() > 2) {
        access.hasStride = true;
        access.strideRegister = source(i.operands[2], Type::b32, i);
    }
    emitMatrixAccess(i, i.operands[pointer], store ? MatrixMemory::store : MatrixMemory::load,
                     access.packed ? 4 : bitsOf(e) / 8, std::move(access));
}

void FunctionDecoder::decodeRows(I i) {
    operandCount(i, 2);
    const bool store = i.opcode == "stmatrix";
    if (!i.has("m8n8") || !i.has("b16")) unsupported(i, "this shape");
    MatrixAccess access;
    access.transposed = i.has("trans");
    const std::uint32_t count = i.has("x4") ? 4 : i.has("x2") ? 2 : 1;
    FragmentMap map;
    map.registers = map.unique = count;
    access.fragment = fragment(i.operands[store ? 1 : 0], Element::f16, std::move(map), !store, i);
    emitMatrixAccess(i, i.operands[store ? 0 : 1], store ? MatrixMemory::storeRows : MatrixMemory::loadRows, 16,
                     std::move(access));
}

void FunctionDecoder::emitMatrixAccess(I i, const ptx::Operand& pointer, MatrixMemory kind, std::uint32_t bytes,
                                       MatrixAccess access) {
    Inst inst;
    inst.source = sourceIndex(i);
    const bool named = i.has("shared") || i.has("shared::cta");
    const Space space = address(inst, pointer, named ? Space::shared : Space::generic, i);
    if (m_accessIsWide) inst.bits |= addressing::wideBase;
    inst.fn = m_context.lanes.matrixMemory(kind, space, bytes);
    if (!inst.fn) unsupported(i);
    inst.aux = std::uint32_t(m_context.code.matrixAccesses.size());
    m_context.code.matrixAccesses.push_back(std::move(access));
    m_body.instructions.push_back(inst);
}

} // namespace kernelarium::emulator
