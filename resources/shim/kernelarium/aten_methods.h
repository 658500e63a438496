// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operators among at::Tensor's members; included inside the class.
// Names are those of exported graphs, arguments in schema order.

private:
Tensor& self() const { return const_cast<Tensor&>(*this); }
Tensor& in(const char* name, kl::Args arguments) const {
    kl::callValue(name, arguments);
    return self();
}

public:
#define KL_UNARY(name)                                                                                                 \
    Tensor name() const { return kl::call("aten." #name ".default", {*this}); }                                        \
    Tensor& name##_() const { return in("aten." #name "_.default", {*this}); }
KL_UNARY(abs) KL_UNARY(exp) KL_UNARY(exp2) KL_UNARY(expm1) KL_UNARY(log) KL_UNARY(log2) KL_UNARY(log10) KL_UNARY(log1p)
KL_UNARY(sqrt) KL_UNARY(rsqrt) KL_UNARY(sigmoid) KL_UNARY(tanh) KL_UNARY(relu) KL_UNARY(sin) KL_UNARY(cos) KL_UNARY(tan)
KL_UNARY(asin) KL_UNARY(acos) KL_UNARY(atan) KL_UNARY(sinh) KL_UNARY(cosh) KL_UNARY(neg) KL_UNARY(ceil) KL_UNARY(floor)
KL_UNARY(round) KL_UNARY(trunc) KL_UNARY(sign) KL_UNARY(erf) KL_UNARY(erfc) KL_UNARY(reciprocal) KL_UNARY(square)
KL_UNARY(logical_not) KL_UNARY(bitwise_not) KL_UNARY(frac)
#undef KL_UNARY
#define KL_PLAIN(name) Tensor name() const { return kl::call("aten." #name ".default", {*this}); }
KL_PLAIN(t) KL_PLAIN(numpy_T) KL_PLAIN(detach) KL_PLAIN(isnan) KL_PLAIN(isinf) KL_PLAIN(isfinite) KL_PLAIN(nonzero)
KL_PLAIN(inverse) KL_PLAIN(det) KL_PLAIN(trace) KL_PLAIN(alias) KL_PLAIN(positive) KL_PLAIN(pin_memory)
#undef KL_PLAIN
Tensor T() const { return numpy_T(); }
Tensor mT() const { return transpose(-2, -1); }

#define KL_SUM(name)                                                                                                   \
    Tensor name(const Tensor& other, const Scalar& alpha = 1) const { return kl::call("aten." #name ".Tensor", {*this, other, alpha}); } \
    Tensor name(const Scalar& other, const Scalar& alpha = 1) const { return kl::call("aten." #name ".Tensor", {*this, other, alpha}); } \
    Tensor& name##_(const Tensor& other, const Scalar& alpha = 1) const { return in("aten." #name "_.Tensor", {*this, other, alpha}); }  \
    Tensor& name##_(const Scalar& other, const Scalar& alpha = 1) const { return in("aten." #name "_.Tensor", {*this, other, alpha}); }
KL_SUM(add) KL_SUM(sub)
#undef KL_SUM
#define KL_PRODUCT(name)                                                                                               \
    Tensor name(const Tensor& other) const { return kl::call("aten." #name ".Tensor", {*this, other}); }               \
    Tensor name(const Scalar& other) const { return kl::call("aten." #name ".Tensor", {*this, other}); }               \
    Tensor& name##_(const Tensor& other) const { return in("aten." #name "_.Tensor", {*this, other}); }                \
    Tensor& name##_(const Scalar& other) const { return in("aten." #name "_.Tensor", {*this, other}); }
KL_PRODUCT(mul) KL_PRODUCT(div) KL_PRODUCT(multiply) KL_PRODUCT(remainder) KL_PRODUCT(floor_divide)
#undef KL_PRODUCT
#define KL_COMPARISON(name)                                                                                            \
    Tensor name(const Tensor& other) const { return kl::call("aten." #name ".Tensor", {*this, other}); }               \
    Tensor name(const Scalar& other) const { return kl::call("aten." #name ".Scalar", {*this, other}); }
KL_COMPARISON(eq) KL_COMPARISON(ne) KL_COMPARISON(lt) KL_COMPARISON(le) KL_COMPARISON(gt) KL_COMPARISON(ge)
KL_COMPARISON(bitwise_and) KL_COMPARISON(bitwise_or) KL_COMPARISON(bitwise_xor)
#undef KL_COMPARISON
Tensor logical_and(const Tensor& o) const { return kl::call("aten.logical_and.default", {*this, o}); }
Tensor logical_or(const Tensor& o) const { return kl::call("aten.logical_or.default", {*this, o}); }
Tensor pow(const Scalar& e) const { return kl::call("aten.pow.Tensor_Scalar", {*this, e}); }
Tensor pow(const Tensor& e) const { return kl::call("aten.pow.Tensor_Tensor", {*this, e}); }
Tensor& pow_(const Scalar& e) const { return in("aten.pow_.Scalar", {*this, e}); }
Tensor maximum(const Tensor& o) const { return kl::call("aten.maximum.default", {*this, o}); }
Tensor minimum(const Tensor& o) const { return kl::call("aten.minimum.default", {*this, o}); }
Tensor clamp(const optional<Scalar>& low = nullopt, const optional<Scalar>& high = nullopt) const {
    return kl::call("aten.clamp.default", {*this, low, high});
}
Tensor& clamp_(const optional<Scalar>& low = nullopt, const optional<Scalar>& high = nullopt) const {
    return in("aten.clamp_.default", {*this, low, high});
}
Tensor clamp_min(const Scalar& low) const { return kl::call("aten.clamp_min.default", {*this, low}); }
Tensor& clamp_min_(const Scalar& low) const { return in("aten.clamp_min_.default", {*this, low}); }
Tensor clamp_max(const Scalar& high) const { return kl::call("aten.clamp_max.default", {*this, high}); }
Tensor& clamp_max_(const Scalar& high) const { return in("aten.clamp_max_.default", {*this, high}); }
Tensor lerp(const Tensor& end, const Scalar& weight) const { return kl::call("aten.lerp.Scalar", {*this, end, weight}); }
Tensor addcmul(const Tensor& a, const Tensor& b, const Scalar& v = 1) const { return kl::call("aten.addcmul.default", {*this, a, b, v}); }
Tensor addcdiv(const Tensor& a, const Tensor& b, const Scalar& v = 1) const { return kl::call("aten.addcdiv.default", {*this, a, b, v}); }
Tensor where(const Tensor& condition, const Tensor& other) const { return kl::call("aten.where.self", {condition, *this, other}); }
Tensor masked_fill(const Tensor& mask, const Scalar& v) const { return kl::call("aten.masked_fill.Scalar", {*this, mask, v}); }
Tensor& masked_fill_(const Tensor& mask, const Scalar& v) const { return in("aten.masked_fill_.Scalar", {*this, mask, v}); }
Tensor& fill_(const Scalar& v) const { return in("aten.fill_.Scalar", {*this, v}); }
Tensor& fill_(const Tensor& v) const { return in("aten.fill_.Tensor", {*this, v}); }
Tensor& zero_() const { return in("aten.zero_.default", {*this}); }
Tensor& copy_(const Tensor& from, bool nonBlocking = false) const { return in("aten.copy_.default", {*this, from, nonBlocking}); }
Tensor& normal_(double mean = 0, double std = 1) const { return in("aten.normal_.default", {*this, mean, std}); }
Tensor& uniform_(double low = 0, double high = 1) const { return in("aten.uniform_.default", {*this, low, high}); }

// Products.
Tensor matmul(const Tensor& o) const { return kl::call("aten.matmul.default", {*this, o}); }
Tensor mm(const Tensor& o) const { return kl::call("aten.mm.default", {*this, o}); }
Tensor bmm(const Tensor& o) const { return kl::call("aten.bmm.default", {*this, o}); }
Tensor mv(const Tensor& o) const { return kl::call("aten.mv.default", {*this, o}); }
Tensor dot(const Tensor& o) const { return kl::call("aten.dot.default", {*this, o}); }
Tensor addmm(const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return kl::call("aten.addmm.default", {*this, a, b, beta, alpha});
}
Tensor& addmm_(const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return in("aten.addmm_.default", {*this, a, b, beta, alpha});
}
Tensor baddbmm(const Tensor& a, const Tensor& b, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return kl::call("aten.baddbmm.default", {*this, a, b, beta, alpha});
}

// Reductions and scans.
#define KL_REDUCTION(name)                                                                                             \
    Tensor name(optional<ScalarType> type = nullopt) const { return kl::call("aten." #name ".default", {*this, type}); }
KL_REDUCTION(sum) KL_REDUCTION(mean) KL_REDUCTION(prod)
#undef KL_REDUCTION
Tensor sum(IntArrayRef dim, bool keep = false, optional<ScalarType> type = nullopt) const {
    return kl::call("aten.sum.dim_IntList", {*this, dim, keep, type});
}
Tensor mean(IntArrayRef dim, bool keep = false, optional<ScalarType> type = nullopt) const {
    return kl::call("aten.mean.dim", {*this, dim, keep, type});
}
Tensor prod(int64_t dim, bool keep = false, optional<ScalarType> type = nullopt) const {
    return kl::call("aten.prod.dim_int", {*this, dim, keep, type});
}
#define KL_EXTREME(name)                                                                                               \
    Tensor name() const { return kl::call("aten." #name ".default", {*this}); }                                        \
    Tensor name(const Tensor& other) const { return kl::call("aten." #name ".other", {*this, other}); }                \
    std::tuple<Tensor, Tensor> name(int64_t dim, bool keep = false) const { return kl::call2("aten." #name ".dim", {*this, dim, keep}); }
KL_EXTREME(max) KL_EXTREME(min)
#undef KL_EXTREME
Tensor amax(IntArrayRef dim = {}, bool keep = false) const { return kl::call("aten.amax.default", {*this, dim, keep}); }
Tensor amin(IntArrayRef dim = {}, bool keep = false) const { return kl::call("aten.amin.default", {*this, dim, keep}); }
Tensor argmax(optional<int64_t> dim = nullopt, bool keep = false) const { return kl::call("aten.argmax.default", {*this, dim, keep}); }
Tensor argmin(optional<int64_t> dim = nullopt, bool keep = false) const { return kl::call("aten.argmin.default", {*this, dim, keep}); }
Tensor all() const { return kl::call("aten.all.default", {*this}); }
Tensor any() const { return kl::call("aten.any.default", {*this}); }
Tensor all(int64_t dim, bool keep = false) const { return kl::call("aten.all.dim", {*this, dim, keep}); }
Tensor any(int64_t dim, bool keep = false) const { return kl::call("aten.any.dim", {*this, dim, keep}); }
Tensor logsumexp(IntArrayRef dim, bool keep = false) const { return kl::call("aten.logsumexp.default", {*this, dim, keep}); }
#define KL_SPREAD(name)                                                                                                \
    Tensor name(bool unbiased = true) const { return kl::call("aten." #name ".default", {*this, unbiased}); }          \
    Tensor name(IntArrayRef dim, bool unbiased = true, bool keep = false) const { return kl::call("aten." #name ".dim", {*this, dim, unbiased, keep}); }
KL_SPREAD(var) KL_SPREAD(std)
#undef KL_SPREAD
Tensor norm(const Scalar& p = 2) const { return kl::call("aten.norm.Scalar", {*this, p}); }
Tensor norm(const optional<Scalar>& p, IntArrayRef dim, bool keep = false) const {
    return kl::call("aten.norm.ScalarOpt_dim", {*this, p, dim, keep});
}
Tensor cumsum(int64_t dim, optional<ScalarType> type = nullopt) const { return kl::call("aten.cumsum.default", {*this, dim, type}); }
Tensor cumprod(int64_t dim, optional<ScalarType> type = nullopt) const { return kl::call("aten.cumprod.default", {*this, dim, type}); }
Tensor softmax(int64_t dim, optional<ScalarType> type = nullopt) const { return kl::call("aten.softmax.int", {*this, dim, type}); }
Tensor log_softmax(int64_t dim, optional<ScalarType> type = nullopt) const { return kl::call("aten.log_softmax.int", {*this, dim, type}); }
std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false) const { return kl::call2("aten.sort.default", {*this, dim, descending}); }
std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const {
    return kl::call2("aten.topk.default", {*this, k, dim, largest, sorted});
}

// Shapes and views.
Tensor view(IntArrayRef size) const { return kl::call("aten.view.default", {*this, size}); }
Tensor view_as(const Tensor& o) const { return view(o.sizes()); }
Tensor reshape(IntArrayRef size) const { return kl::call("aten.reshape.default", {*this, size}); }
Tensor reshape_as(const Tensor& o) const { return reshape(o.sizes()); }
Tensor expand(IntArrayRef size, bool implicit = false) const { return kl::call("aten.expand.default", {*this, size, implicit}); }
Tensor expand_as(const Tensor& o) const { return kl::call("aten.expand_as.default", {*this, o}); }
Tensor repeat(IntArrayRef times) const { return kl::call("aten.repeat.default", {*this, times}); }
Tensor permute(IntArrayRef dims) const { return kl::call("aten.permute.default", {*this, dims}); }
Tensor transpose(int64_t a, int64_t b) const { return kl::call("aten.transpose.int", {*this, a, b}); }
Tensor& transpose_(int64_t a, int64_t b) const { return in("aten.transpose_.default", {*this, a, b}); }
Tensor flatten(int64_t from = 0, int64_t to = -1) const { return kl::call("aten.flatten.using_ints", {*this, from, to}); }
Tensor unflatten(int64_t dim, IntArrayRef sizes_) const { return kl::call("aten.unflatten.int", {*this, dim, sizes_}); }
Tensor squeeze() const { return kl::call("aten.squeeze.default", {*this}); }
Tensor squeeze(int64_t dim) const { return kl::call("aten.squeeze.dim", {*this, dim}); }
Tensor& squeeze_() const { return in("aten.squeeze_.default", {*this}); }
Tensor& squeeze_(int64_t dim) const { return in("aten.squeeze_.dim", {*this, dim}); }
Tensor unsqueeze(int64_t dim) const { return kl::call("aten.unsqueeze.default", {*this, dim}); }
Tensor& unsqueeze_(int64_t dim) const { return in("aten.unsqueeze_.default", {*this, dim}); }
Tensor select(int64_t dim, int64_t i) const { return kl::call("aten.select.int", {*this, dim, i}); }
Tensor slice(int64_t dim = 0, optional<int64_t> from = nullopt, optional<int64_t> to = nullopt, int64_t step = 1) const {
    return kl::call("aten.slice.Tensor", {*this, dim, from, to, step});
}
Tensor narrow(int64_t dim, int64_t from, int64_t length) const { return kl::call("aten.narrow.default", {*this, dim, from, length}); }
std::vector<Tensor> split(int64_t size_, int64_t dim = 0) const { return kl::callList("aten.split.Tensor", {*this, size_, dim}); }
std::vector<Tensor> split(IntArrayRef sizes_, int64_t dim = 0) const { return kl::callList("aten.split_with_sizes.default", {*this, sizes_, dim}); }
std::vector<Tensor> split_with_sizes(IntArrayRef sizes_, int64_t dim = 0) const { return split(sizes_, dim); }
std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const { return kl::callList("aten.chunk.default", {*this, chunks, dim}); }
std::vector<Tensor> unbind(int64_t dim = 0) const { return kl::callList("aten.unbind.int", {*this, dim}); }
Tensor flip(IntArrayRef dims) const { return kl::call("aten.flip.default", {*this, dims}); }
Tensor roll(IntArrayRef shifts, IntArrayRef dims = {}) const { return kl::call("aten.roll.default", {*this, shifts, dims}); }
Tensor tril(int64_t diagonal_ = 0) const { return kl::call("aten.tril.default", {*this, diagonal_}); }
Tensor triu(int64_t diagonal_ = 0) const { return kl::call("aten.triu.default", {*this, diagonal_}); }
Tensor diag(int64_t diagonal_ = 0) const { return kl::call("aten.diag.default", {*this, diagonal_}); }
Tensor diagonal(int64_t offset = 0, int64_t a = 0, int64_t b = 1) const { return kl::call("aten.diagonal.default", {*this, offset, a, b}); }
Tensor index_select(int64_t dim, const Tensor& i) const { return kl::call("aten.index_select.default", {*this, dim, i}); }
Tensor gather(int64_t dim, const Tensor& i) const { return kl::call("aten.gather.default", {*this, dim, i}); }
Tensor masked_select(const Tensor& mask) const { return kl::call("aten.masked_select.default", {*this, mask}); }
Tensor& scatter_(int64_t dim, const Tensor& i, const Tensor& from) const { return in("aten.scatter_.src", {*this, dim, i, from}); }
Tensor& index_add_(int64_t dim, const Tensor& i, const Tensor& from) const { return in("aten.index_add_.default", {*this, dim, i, from}); }
Tensor unfold(int64_t dim, int64_t size_, int64_t step) const { return kl::call("aten.unfold.default", {*this, dim, size_, step}); }
Tensor as_strided(IntArrayRef size_, IntArrayRef stride_, optional<int64_t> offset = nullopt) const {
    return kl::call("aten.as_strided.default", {*this, size_, stride_, offset});
}
Tensor& resize_(IntArrayRef size_) const { return in("aten.resize_.default", {*this, size_}); }

// Copies and conversions.
Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const {
    return kl::call("aten.contiguous.default", {*this, int(format)});
}
Tensor clone(optional<MemoryFormat> format = nullopt) const {
    return format.has_value() ? kl::call("aten.clone.default", {*this, int(*format)}) : kl::call("aten.clone.default", {*this});
}
Tensor to(TensorOptions o = {}, bool nonBlocking = false, bool copy = false, optional<MemoryFormat> = nullopt) const {
    return kl::call("aten.to.dtype_layout", {*this, type(o), kl::Arg(), place(o), kl::Arg(), nonBlocking, copy});
}
Tensor to(ScalarType t, bool nonBlocking = false, bool copy = false, optional<MemoryFormat> = nullopt) const {
    return kl::call("aten.to.dtype", {*this, t, nonBlocking, copy});
}
Tensor to(TypeMeta t, bool nonBlocking = false, bool copy = false) const { return to(t.toScalarType(), nonBlocking, copy); }
Tensor to(Device d, ScalarType t, bool nonBlocking = false, bool copy = false, optional<MemoryFormat> = nullopt) const {
    return to(TensorOptions(t).device(d), nonBlocking, copy);
}
Tensor to(const Tensor& o, bool nonBlocking = false, bool copy = false) const { return to(o.options(), nonBlocking, copy); }
Tensor toType(ScalarType t) const { return to(t); }
Tensor type_as(const Tensor& o) const { return to(o.options()); }
Tensor cuda() const { return to(Device(kCUDA, 0)); }
Tensor cpu() const { return to(Device(kCPU)); }
Tensor to_float() const { return to(kFloat); }
Tensor& set_requires_grad(bool) const { return self(); }
Tensor& requires_grad_(bool = true) const { return self(); }
Tensor& detach_() const { return self(); }
Tensor new_empty(IntArrayRef size_, TensorOptions o = {}) const { return make("aten.empty.memory_format", size_, o); }
Tensor new_zeros(IntArrayRef size_, TensorOptions o = {}) const { return make("aten.zeros.default", size_, o); }
Tensor new_ones(IntArrayRef size_, TensorOptions o = {}) const { return make("aten.ones.default", size_, o); }
Tensor new_full(IntArrayRef size_, const Scalar& v, TensorOptions o = {}) const { return make("aten.empty.memory_format", size_, o).fill_(v); }

static kl::Arg type(const TensorOptions& o) { return o.klType() < 0 ? kl::Arg() : kl::Arg(ScalarType(o.klType())); }
static kl::Arg place(const TensorOptions& o) {
    return o.has_device() ? kl::Arg(o.device()) : kl::Arg();
}

Tensor operator-() const { return neg(); }
Tensor operator~() const { return bitwise_not(); }
Tensor& operator+=(const Tensor& o) { return add_(o); }
Tensor& operator+=(const Scalar& o) { return add_(o); }
Tensor& operator-=(const Tensor& o) { return sub_(o); }
Tensor& operator-=(const Scalar& o) { return sub_(o); }
Tensor& operator*=(const Tensor& o) { return mul_(o); }
Tensor& operator*=(const Scalar& o) { return mul_(o); }
Tensor& operator/=(const Tensor& o) { return div_(o); }
Tensor& operator/=(const Scalar& o) { return div_(o); }

private:
Tensor make(const char* name, IntArrayRef size_, const TensorOptions& o) const {
    const TensorOptions mine = options();
    return kl::call(name, {size_, o.has_dtype() ? type(o) : type(mine), kl::Arg(), o.has_device() ? place(o) : place(mine), false});
}

public:
