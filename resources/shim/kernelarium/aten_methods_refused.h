// SPDX-License-Identifier: GPL-3.0-or-later
//
// Members of at::Tensor that PyTorch has and that cannot be run here; included inside the class. See aten_refused.h.

#define KL_ANY kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}
#define KL_REFUSED(name)                                                                                               \
    bool name(KL_ANY) const {                                                                                          \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
KL_REFUSED(allclose)
KL_REFUSED(equal) KL_REFUSED(is_coalesced) KL_REFUSED(is_conj) KL_REFUSED(is_distributed) KL_REFUSED(is_inference)
    KL_REFUSED(is_neg) KL_REFUSED(is_nonzero) KL_REFUSED(is_same_size) KL_REFUSED(is_set_to) KL_REFUSED(
        is_signed) KL_REFUSED(retains_grad)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    double name(KL_ANY) const {                                                                                        \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
        KL_REFUSED(q_scale)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    int64_t name(KL_ANY) const {                                                                                       \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
            KL_REFUSED(dense_dim) KL_REFUSED(output_nr) KL_REFUSED(q_per_channel_axis) KL_REFUSED(
                q_zero_point) KL_REFUSED(sparse_dim)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    std::vector<Tensor> name(KL_ANY) const {                                                                           \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
                KL_REFUSED(dsplit) KL_REFUSED(hsplit) KL_REFUSED(nonzero_numpy) KL_REFUSED(tensor_split) KL_REFUSED(
                    unsafe_chunk) KL_REFUSED(unsafe_split) KL_REFUSED(unsafe_split_with_sizes) KL_REFUSED(vsplit)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    Tensor name(KL_ANY) const {                                                                                        \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
                    KL_REFUSED(abs_) KL_REFUSED(absolute) KL_REFUSED(absolute_) KL_REFUSED(acos_) KL_REFUSED(
                        acosh) KL_REFUSED(acosh_) KL_REFUSED(addbmm) KL_REFUSED(addbmm_) KL_REFUSED(addcdiv_)
                        KL_REFUSED(addcmul_) KL_REFUSED(addmv) KL_REFUSED(addmv_) KL_REFUSED(addr) KL_REFUSED(
                            addr_) KL_REFUSED(adjoint) KL_REFUSED(align_as) KL_REFUSED(align_to) KL_REFUSED(angle)
                            KL_REFUSED(arccos) KL_REFUSED(arccos_) KL_REFUSED(arccosh) KL_REFUSED(arccosh_) KL_REFUSED(
                                arcsin) KL_REFUSED(arcsin_) KL_REFUSED(arcsinh) KL_REFUSED(arcsinh_) KL_REFUSED(arctan)
                                KL_REFUSED(arctan2) KL_REFUSED(arctan2_) KL_REFUSED(arctan_) KL_REFUSED(arctanh) KL_REFUSED(
                                    arctanh_) KL_REFUSED(argsort) KL_REFUSED(argwhere) KL_REFUSED(as_strided_)
                                    KL_REFUSED(as_strided_scatter) KL_REFUSED(asin_) KL_REFUSED(asinh) KL_REFUSED(asinh_) KL_REFUSED(
                                        atan2) KL_REFUSED(atan2_) KL_REFUSED(atan_) KL_REFUSED(atanh) KL_REFUSED(atanh_)
                                        KL_REFUSED(baddbmm_) KL_REFUSED(bernoulli) KL_REFUSED(bernoulli_) KL_REFUSED(
                                            bincount) KL_REFUSED(bitwise_and_) KL_REFUSED(bitwise_left_shift) KL_REFUSED(bitwise_left_shift_)
                                            KL_REFUSED(bitwise_not_) KL_REFUSED(bitwise_or_) KL_REFUSED(bitwise_right_shift) KL_REFUSED(
                                                bitwise_right_shift_) KL_REFUSED(bitwise_xor_) KL_REFUSED(broadcast_to) KL_REFUSED(cauchy_)
                                                KL_REFUSED(ccol_indices) KL_REFUSED(ceil_) KL_REFUSED(chalf) KL_REFUSED(
                                                    cholesky) KL_REFUSED(cholesky_inverse) KL_REFUSED(cholesky_solve) KL_REFUSED(clip)
                                                    KL_REFUSED(clip_) KL_REFUSED(coalesce) KL_REFUSED(col_indices) KL_REFUSED(
                                                        conj) KL_REFUSED(conj_physical) KL_REFUSED(conj_physical_) KL_REFUSED(copysign)
                                                        KL_REFUSED(copysign_) KL_REFUSED(corrcoef) KL_REFUSED(
                                                            cos_) KL_REFUSED(cosh_) KL_REFUSED(count_nonzero) KL_REFUSED(cov)
                                                            KL_REFUSED(cross) KL_REFUSED(crow_indices) KL_REFUSED(
                                                                cumprod_) KL_REFUSED(cumsum_) KL_REFUSED(deg2rad) KL_REFUSED(deg2rad_)
                                                                KL_REFUSED(dequantize) KL_REFUSED(diag_embed) KL_REFUSED(diagflat) KL_REFUSED(
                                                                    diagonal_scatter) KL_REFUSED(diff) KL_REFUSED(digamma)
                                                                    KL_REFUSED(digamma_) KL_REFUSED(dist) KL_REFUSED(
                                                                        divide) KL_REFUSED(divide_) KL_REFUSED(eq_) KL_REFUSED(erf_)
                                                                        KL_REFUSED(erfc_) KL_REFUSED(erfinv) KL_REFUSED(erfinv_) KL_REFUSED(
                                                                            exp2_) KL_REFUSED(exp_) KL_REFUSED(expm1_) KL_REFUSED(exponential_)
                                                                            KL_REFUSED(fill_diagonal_) KL_REFUSED(fix) KL_REFUSED(
                                                                                fix_) KL_REFUSED(fliplr)
                                                                                KL_REFUSED(flipud) KL_REFUSED(float_power) KL_REFUSED(
                                                                                    float_power_) KL_REFUSED(floor_)
                                                                                    KL_REFUSED(floor_divide_) KL_REFUSED(fmax) KL_REFUSED(
                                                                                        fmin) KL_REFUSED(fmod) KL_REFUSED(fmod_)
                                                                                        KL_REFUSED(frac_) KL_REFUSED(gcd) KL_REFUSED(
                                                                                            gcd_) KL_REFUSED(ge_)
                                                                                            KL_REFUSED(geometric_) KL_REFUSED(
                                                                                                ger) KL_REFUSED(greater)
                                                                                                KL_REFUSED(greater_) KL_REFUSED(
                                                                                                    greater_equal)
                                                                                                    KL_REFUSED(greater_equal_) KL_REFUSED(
                                                                                                        gt_) KL_REFUSED(hardshrink)
                                                                                                        KL_REFUSED(
                                                                                                            hash_tensor)
                                                                                                            KL_REFUSED(heaviside) KL_REFUSED(
                                                                                                                heaviside_)
                                                                                                                KL_REFUSED(
                                                                                                                    histc)
                                                                                                                    KL_REFUSED(hypot) KL_REFUSED(hypot_) KL_REFUSED(i0) KL_REFUSED(i0_) KL_REFUSED(igamma) KL_REFUSED(igamma_) KL_REFUSED(igammac) KL_REFUSED(igammac_) KL_REFUSED(index_copy) KL_REFUSED(index_copy_) KL_REFUSED(index_fill) KL_REFUSED(index_fill_) KL_REFUSED(index_reduce) KL_REFUSED(index_reduce_) KL_REFUSED(inner) KL_REFUSED(int_repr) KL_REFUSED(isclose) KL_REFUSED(isneginf) KL_REFUSED(isposinf) KL_REFUSED(isreal) KL_REFUSED(istft) KL_REFUSED(kron) KL_REFUSED(lcm) KL_REFUSED(lcm_) KL_REFUSED(ldexp) KL_REFUSED(ldexp_) KL_REFUSED(le_) KL_REFUSED(lerp_) KL_REFUSED(less) KL_REFUSED(less_) KL_REFUSED(less_equal) KL_REFUSED(less_equal_) KL_REFUSED(lgamma) KL_REFUSED(lgamma_) KL_REFUSED(log10_) KL_REFUSED(log1p_) KL_REFUSED(log2_) KL_REFUSED(log_) KL_REFUSED(log_normal_) KL_REFUSED(logaddexp) KL_REFUSED(
                                                                                                                        logaddexp2) KL_REFUSED(logcumsumexp) KL_REFUSED(logdet) KL_REFUSED(logical_and_) KL_REFUSED(logical_not_) KL_REFUSED(logical_or_) KL_REFUSED(logical_xor) KL_REFUSED(logical_xor_)
                                                                                                                        KL_REFUSED(logit) KL_REFUSED(logit_) KL_REFUSED(lt_) KL_REFUSED(
                                                                                                                            lu_solve) KL_REFUSED(mH)
                                                                                                                            KL_REFUSED(masked_scatter) KL_REFUSED(
                                                                                                                                masked_scatter_) KL_REFUSED(matrix_H)
                                                                                                                                KL_REFUSED(matrix_exp) KL_REFUSED(
                                                                                                                                    matrix_power)
                                                                                                                                    KL_REFUSED(
                                                                                                                                        median)
                                                                                                                                        KL_REFUSED(moveaxis) KL_REFUSED(movedim) KL_REFUSED(msort) KL_REFUSED(multinomial) KL_REFUSED(multiply_) KL_REFUSED(mvlgamma) KL_REFUSED(mvlgamma_) KL_REFUSED(nan_to_num) KL_REFUSED(nan_to_num_) KL_REFUSED(nanmean) KL_REFUSED(nanmedian) KL_REFUSED(nanquantile) KL_REFUSED(nansum) KL_REFUSED(narrow_copy) KL_REFUSED(ne_) KL_REFUSED(neg_) KL_REFUSED(negative) KL_REFUSED(negative_) KL_REFUSED(new_empty_strided) KL_REFUSED(nextafter) KL_REFUSED(nextafter_) KL_REFUSED(nonzero_static) KL_REFUSED(not_equal) KL_REFUSED(not_equal_) KL_REFUSED(orgqr) KL_REFUSED(ormqr) KL_REFUSED(pinverse) KL_REFUSED(polygamma) KL_REFUSED(
                                                                                                                                            polygamma_) KL_REFUSED(put)
                                                                                                                                            KL_REFUSED(put_) KL_REFUSED(
                                                                                                                                                q_per_channel_scales)
                                                                                                                                                KL_REFUSED(
                                                                                                                                                    q_per_channel_zero_points)
                                                                                                                                                    KL_REFUSED(quantile) KL_REFUSED(
                                                                                                                                                        rad2deg)
                                                                                                                                                        KL_REFUSED(
                                                                                                                                                            rad2deg_)
                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                random_)
                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                    ravel)
                                                                                                                                                                    KL_REFUSED(reciprocal_) KL_REFUSED(refine_names) KL_REFUSED(relu_) KL_REFUSED(remainder_) KL_REFUSED(rename) KL_REFUSED(rename_) KL_REFUSED(renorm) KL_REFUSED(renorm_) KL_REFUSED(resize_as_) KL_REFUSED(resize_as_sparse_) KL_REFUSED(
                                                                                                                                                                        resolve_conj) KL_REFUSED(resolve_neg) KL_REFUSED(rot90) KL_REFUSED(round_)
                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                            row_indices)
                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                rsqrt_)
                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                    scatter_add)
                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                        scatter_add_) KL_REFUSED(scatter_reduce) KL_REFUSED(scatter_reduce_) KL_REFUSED(select_scatter) KL_REFUSED(set_) KL_REFUSED(sgn)
                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                            sgn_)
                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                sigmoid_)
                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                    sign_)
                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                        signbit) KL_REFUSED(sin_) KL_REFUSED(sinc) KL_REFUSED(sinc_) KL_REFUSED(sinh_)
                                                                                                                                                                                                        KL_REFUSED(slice_inverse) KL_REFUSED(
                                                                                                                                                                                                            slice_scatter)
                                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                                smm)
                                                                                                                                                                                                                KL_REFUSED(sparse_mask) KL_REFUSED(sparse_resize_) KL_REFUSED(sparse_resize_and_clear_) KL_REFUSED(sqrt_) KL_REFUSED(square_) KL_REFUSED(
                                                                                                                                                                                                                    sspaddmm)
                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                        stft) KL_REFUSED(subtract) KL_REFUSED(subtract_) KL_REFUSED(sum_to_size) KL_REFUSED(swapaxes) KL_REFUSED(swapaxes_) KL_REFUSED(swapdims)
                                                                                                                                                                                                                        KL_REFUSED(swapdims_) KL_REFUSED(t_) KL_REFUSED(take) KL_REFUSED(take_along_dim) KL_REFUSED(tan_) KL_REFUSED(tanh_)
                                                                                                                                                                                                                            KL_REFUSED(tile) KL_REFUSED(
                                                                                                                                                                                                                                to_dense)
                                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                                    to_mkldnn) KL_REFUSED(to_padded_tensor)
                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                        to_sparse) KL_REFUSED(to_sparse_bsc) KL_REFUSED(to_sparse_bsr)
                                                                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                                                                            to_sparse_csc)
                                                                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                                                                to_sparse_csr)
                                                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                                                    tril_)
                                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                                        triu_)
                                                                                                                                                                                                                                                        KL_REFUSED(true_divide) KL_REFUSED(true_divide_) KL_REFUSED(trunc_) KL_REFUSED(vdot) KL_REFUSED(xlogy) KL_REFUSED(
                                                                                                                                                                                                                                                            xlogy_)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    std::tuple<Tensor, Tensor> name(KL_ANY) const {                                                                    \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
                                                                                                                                                                                                                                                            KL_REFUSED(aminmax) KL_REFUSED(cummax) KL_REFUSED(cummin)
                                                                                                                                                                                                                                                                KL_REFUSED(frexp) KL_REFUSED(
                                                                                                                                                                                                                                                                    geqrf) KL_REFUSED(histogram) KL_REFUSED(kthvalue) KL_REFUSED(qr) KL_REFUSED(slogdet) KL_REFUSED(triangular_solve)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    std::tuple<Tensor, Tensor, Tensor> name(KL_ANY) const {                                                            \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
                                                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                                                        svd)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    void name(KL_ANY) const {                                                                                          \
        kl::unsupported("at::Tensor::" #name);                                                                         \
    }
                                                                                                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                                                                                                            record_stream)
                                                                                                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                                                                                                retain_grad)
                                                                                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                                                                                    set_data)
#undef KL_REFUSED
#undef KL_ANY
