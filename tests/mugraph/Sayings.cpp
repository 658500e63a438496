// SPDX-License-Identifier: GPL-3.0-or-later
#include "Sayings.h"

namespace kernelarium::mugraph::test {

const std::map<std::string, Said>& sayings() {
    static const std::map<std::string, Said> all{
        {"1_Mirage_GQA",
         {{{"q", "bmd"}, {"k", "bds"}, {"v", "bse"}},
          "bme",
          "ds",
          "s",
          "divide exp",
          0,
          [](const Writing& w) {
              const Formula e = exp(w.sum('d', w.input("q") * w.input("k"))), total = w.sum('s', e);
              const Formula late = w.sum('s', e * w.input("v"));
              return std::vector{e, total, e / total, late, late / total, w.sum('s', e / total * w.input("v"))};
          }}},
        {"2_Mirage_QKNorm",
         {{{"q", "bmd"}, {"k", "bds"}, {"v", "bse"}},
          "bme",
          "ds",
          "des",
          "multiply divide square sqrt exp",
          1,
          [](const Writing& w) {
              const Formula q = w.normalised(w.input("q"), 'd'), v = w.normalised(w.input("v"), 'e');
              const Formula e = exp(w.sum('d', q * w.input("k"))), total = w.sum('s', e);
              return std::vector{q, v, e, total, e / total, w.sum('s', e / total * v)};
          }}},
        {"3_Mirage_RMSNorm",
         {{{"x", "rk"}, {"w", "kn"}},
          "rn",
          "k",
          "k",
          "multiply divide square sqrt",
          1,
          [](const Writing& w) {
              const Formula x = w.input("x"), norm = sqrt(w.sum('k', x * x) * w.share('k'));
              const Formula product = w.sum('k', x * w.input("w"));
              return std::vector{norm, x / norm, product, w.sum('k', x / norm * w.input("w")), product / norm};
          }}},
        {"4_Mirage_LoRA",
         {{{"x", "mk"}, {"w", "kn"}, {"a", "kr"}, {"b", "rn"}},
          "mn",
          "kr",
          "",
          "add",
          0,
          [](const Writing& w) {
              const Formula x = w.input("x"), base = w.sum('k', x * w.input("w"));
              const Formula low = w.sum('k', x * w.input("a")), weight = w.sum('r', w.input("a") * w.input("b"));
              const Formula joined = w.sum('k', x * (w.input("w") + weight));
              return std::vector{base, low, weight, joined, base + w.sum('r', low * w.input("b"))};
          }}},
        {"5_Mirage_GatedMLP",
         {{{"x", "mk"}, {"w1", "kn"}, {"w2", "kn"}},
          "mn",
          "k",
          "",
          "multiply",
          0,
          [](const Writing& w) {
              const Formula gate = w.sum('k', w.input("x") * w.input("w1"));
              const Formula up = w.sum('k', w.input("x") * w.input("w2"));
              const Formula silu = w.function(algebra::Function::silu, gate);
              return std::vector{gate, up, silu, silu * up};
          }}},
        {"6_Mirage_nTrans",
         {{{"h", "rn"}, {"x", "rn"}, {"alpha", "rn"}},
          "rn",
          "",
          "n",
          "multiply add divide square sqrt",
          1,
          [](const Writing& w) {
              const Formula h = w.normalised(w.input("h"), 'n'), sum = h + w.input("x");
              const Formula scaled = w.input("alpha") * sum, moved = w.input("x") + scaled;
              const Formula squares = w.sum('n', moved * moved);
              return std::vector{
                  h, sum, scaled, moved, squares, sqrt(squares * w.share('n')), w.normalised(moved, 'n')};
          }}},
        {"1_Square_matrix_multiplication_",
         {{{"A", "mk"}, {"B", "kn"}},
          "mn",
          "k",
          "",
          "",
          0,
          [](const Writing& w) { return std::vector{w.sum('k', w.input("A") * w.input("B"))}; }}},
        {"23_Softmax",
         {{{"x", "rn"}},
          "rn",
          "",
          "n",
          "divide exp",
          0,
          [](const Writing& w) {
              const Formula e = exp(w.input("x"));
              return std::vector{e, w.sum('n', e), e / w.sum('n', e)};
          }}},
        {"36_RMSNorm_",
         {{{"x", "bfhw"}},
          "bfhw",
          "",
          "f",
          "divide square sqrt",
          2,
          [](const Writing& w) {
              const Formula x = w.input("x"), mean = w.sum('f', x * x) * w.share('f');
              return std::vector{mean, mean + w.constant(1e-5), x / sqrt(mean + w.constant(1e-5))};
          }}},
    };
    return all;
}

} // namespace kernelarium::mugraph::test
