// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions of at:: that PyTorch has and that cannot be run here: a program that calls one ends as unsupported, with
// the name. The names are those of PyTorch 2.11's native_functions.yaml without the private ones and what is declared
// elsewhere (aten_functions.h and its neighbours).
#pragma once
#include "kernelarium/aten_factories.h"
#include "kernelarium/unsupported.h"

#define KL_ANY                                                                                                         \
    kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {}, kl::Any = {},    \
    kl::Any = {}, kl::Any = {}

namespace at {
#define KL_REFUSED(name)                                                                                               \
    inline ScalarType name(kl::Any, KL_ANY) {                                                                          \
        kl::unsupported("at::" #name);                                                                                 \
    }
KL_REFUSED(promote_types)
KL_REFUSED(result_type)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline bool name(kl::Any, KL_ANY) {                                                                                \
        kl::unsupported("at::" #name);                                                                                 \
    }
    KL_REFUSED(allclose) KL_REFUSED(can_cast) KL_REFUSED(cudnn_is_acceptable) KL_REFUSED(equal) KL_REFUSED(is_conj) KL_REFUSED(is_distributed) KL_REFUSED(
        is_inference) KL_REFUSED(is_neg) KL_REFUSED(is_nonzero) KL_REFUSED(is_same_size) KL_REFUSED(is_signed) KL_REFUSED(is_vulkan_available)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline double name(kl::Any, KL_ANY) {                                                                              \
        kl::unsupported("at::" #name);                                                                                 \
    }
        KL_REFUSED(q_scale)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline int64_t name(kl::Any, KL_ANY) {                                                                             \
        kl::unsupported("at::" #name);                                                                                 \
    }
            KL_REFUSED(q_per_channel_axis) KL_REFUSED(q_zero_point)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline std::vector<Tensor> name(kl::Any, KL_ANY) {                                                                 \
        kl::unsupported("at::" #name);                                                                                 \
    }
                KL_REFUSED(align_tensors) KL_REFUSED(dsplit) KL_REFUSED(hsplit) KL_REFUSED(meshgrid) KL_REFUSED(nonzero_numpy) KL_REFUSED(split_copy) KL_REFUSED(split_with_sizes_copy) KL_REFUSED(
                    tensor_split) KL_REFUSED(unbind_copy) KL_REFUSED(unflatten_dense_tensors) KL_REFUSED(unsafe_chunk) KL_REFUSED(unsafe_split) KL_REFUSED(unsafe_split_with_sizes) KL_REFUSED(vsplit)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline Tensor name(kl::Any, KL_ANY) {                                                                              \
        kl::unsupported("at::" #name);                                                                                 \
    }
                    KL_REFUSED(abs_) KL_REFUSED(
                        absolute) KL_REFUSED(acos_) KL_REFUSED(acosh) KL_REFUSED(acosh_) KL_REFUSED(addbmm)
                        KL_REFUSED(addmv) KL_REFUSED(addmv_) KL_REFUSED(addr) KL_REFUSED(adjoint) KL_REFUSED(
                            affine_grid_generator) KL_REFUSED(alias_copy) KL_REFUSED(alpha_dropout) KL_REFUSED(alpha_dropout_)
                            KL_REFUSED(angle) KL_REFUSED(arccos) KL_REFUSED(arccos_) KL_REFUSED(arccosh) KL_REFUSED(arccosh_) KL_REFUSED(
                                arcsin) KL_REFUSED(arcsin_) KL_REFUSED(arcsinh) KL_REFUSED(arcsinh_)
                                KL_REFUSED(arctan) KL_REFUSED(arctan2) KL_REFUSED(arctan_) KL_REFUSED(arctanh) KL_REFUSED(arctanh_) KL_REFUSED(argsort) KL_REFUSED(
                                    argwhere) KL_REFUSED(as_strided_) KL_REFUSED(as_strided_copy) KL_REFUSED(as_strided_scatter) KL_REFUSED(asin_)
                                    KL_REFUSED(asinh) KL_REFUSED(asinh_) KL_REFUSED(atan2) KL_REFUSED(atan_) KL_REFUSED(atanh) KL_REFUSED(atanh_) KL_REFUSED(atleast_1d) KL_REFUSED(atleast_2d) KL_REFUSED(atleast_3d) KL_REFUSED(bartlett_window) KL_REFUSED(batch_norm_elemt) KL_REFUSED(bernoulli) KL_REFUSED(binary_cross_entropy) KL_REFUSED(binary_cross_entropy_with_logits) KL_REFUSED(bincount) KL_REFUSED(binomial) KL_REFUSED(bitwise_left_shift) KL_REFUSED(bitwise_right_shift) KL_REFUSED(blackman_window) KL_REFUSED(block_diag) KL_REFUSED(broadcast_to) KL_REFUSED(bucketize) KL_REFUSED(
                                        cartesian_prod) KL_REFUSED(ccol_indices_copy) KL_REFUSED(cdist) KL_REFUSED(ceil_) KL_REFUSED(celu_) KL_REFUSED(chain_matmul) KL_REFUSED(channel_shuffle)
                                        KL_REFUSED(cholesky) KL_REFUSED(cholesky_inverse) KL_REFUSED(cholesky_solve) KL_REFUSED(
                                            clip) KL_REFUSED(clip_) KL_REFUSED(col2im) KL_REFUSED(col_indices_copy) KL_REFUSED(column_stack)
                                            KL_REFUSED(combinations) KL_REFUSED(complex) KL_REFUSED(concatenate) KL_REFUSED(
                                                conj) KL_REFUSED(conj_physical) KL_REFUSED(conj_physical_) KL_REFUSED(conv_depthwise3d)
                                                KL_REFUSED(conv_tbc) KL_REFUSED(convolution_overrideable) KL_REFUSED(
                                                    copy_sparse_to_sparse_) KL_REFUSED(copysign) KL_REFUSED(corrcoef)
                                                    KL_REFUSED(cos_) KL_REFUSED(cosh_) KL_REFUSED(cosine_embedding_loss) KL_REFUSED(
                                                        count_nonzero) KL_REFUSED(cov) KL_REFUSED(cross) KL_REFUSED(crow_indices_copy)
                                                        KL_REFUSED(ctc_loss) KL_REFUSED(cudnn_affine_grid_generator) KL_REFUSED(cudnn_convolution) KL_REFUSED(
                                                            cudnn_convolution_add_relu) KL_REFUSED(cudnn_convolution_relu) KL_REFUSED(cudnn_convolution_transpose) KL_REFUSED(cudnn_grid_sampler)
                                                            KL_REFUSED(cumulative_trapezoid) KL_REFUSED(deg2rad) KL_REFUSED(deg2rad_) KL_REFUSED(
                                                                dequantize) KL_REFUSED(detach_copy) KL_REFUSED(diag_embed) KL_REFUSED(diagflat) KL_REFUSED(diagonal_copy)
                                                                KL_REFUSED(diagonal_scatter) KL_REFUSED(diff) KL_REFUSED(digamma) KL_REFUSED(dist) KL_REFUSED(
                                                                    divide) KL_REFUSED(dstack) KL_REFUSED(elu_) KL_REFUSED(embedding_renorm_)
                                                                    KL_REFUSED(empty_permuted) KL_REFUSED(empty_quantized) KL_REFUSED(
                                                                        empty_strided) KL_REFUSED(erf_) KL_REFUSED(erfc_) KL_REFUSED(erfinv)
                                                                        KL_REFUSED(exp2_) KL_REFUSED(exp_) KL_REFUSED(expand_copy) KL_REFUSED(expm1_) KL_REFUSED(fake_quantize_per_channel_affine) KL_REFUSED(fake_quantize_per_tensor_affine) KL_REFUSED(fbgemm_linear_fp16_weight) KL_REFUSED(fbgemm_linear_fp16_weight_fp32_activation) KL_REFUSED(fbgemm_linear_int8_weight) KL_REFUSED(fbgemm_linear_int8_weight_fp32_activation) KL_REFUSED(fbgemm_pack_gemm_matrix_fp16) KL_REFUSED(
                                                                            fbgemm_pack_quantized_matrix) KL_REFUSED(feature_alpha_dropout) KL_REFUSED(feature_alpha_dropout_) KL_REFUSED(feature_dropout)
                                                                            KL_REFUSED(feature_dropout_) KL_REFUSED(fft_fft) KL_REFUSED(
                                                                                fft_fft2) KL_REFUSED(fft_fftfreq) KL_REFUSED(fft_fftn) KL_REFUSED(fft_fftshift)
                                                                                KL_REFUSED(fft_hfft) KL_REFUSED(fft_hfft2) KL_REFUSED(fft_hfftn) KL_REFUSED(
                                                                                    fft_ifft) KL_REFUSED(fft_ifft2) KL_REFUSED(fft_ifftn) KL_REFUSED(fft_ifftshift)
                                                                                    KL_REFUSED(fft_ihfft) KL_REFUSED(fft_ihfft2) KL_REFUSED(
                                                                                        fft_ihfftn) KL_REFUSED(fft_irfft)
                                                                                        KL_REFUSED(fft_irfft2) KL_REFUSED(fft_irfftn) KL_REFUSED(fft_rfft) KL_REFUSED(fft_rfft2) KL_REFUSED(fft_rfftfreq) KL_REFUSED(fft_rfftn) KL_REFUSED(fix) KL_REFUSED(fix_) KL_REFUSED(flatten_dense_tensors) KL_REFUSED(fliplr) KL_REFUSED(flipud) KL_REFUSED(float_power) KL_REFUSED(floor_) KL_REFUSED(fmax) KL_REFUSED(fmin) KL_REFUSED(fmod) KL_REFUSED(frac_) KL_REFUSED(
                                                                                            frobenius_norm) KL_REFUSED(from_file) KL_REFUSED(fused_moving_avg_obs_fake_quant) KL_REFUSED(gcd) KL_REFUSED(gcd_) KL_REFUSED(gelu_) KL_REFUSED(ger) KL_REFUSED(glu_jvp) KL_REFUSED(greater) KL_REFUSED(greater_equal) KL_REFUSED(grid_sampler) KL_REFUSED(grid_sampler_2d) KL_REFUSED(grid_sampler_3d) KL_REFUSED(gru_cell) KL_REFUSED(hamming_window) KL_REFUSED(hann_window) KL_REFUSED(hardshrink) KL_REFUSED(hardsigmoid_)
                                                                                            KL_REFUSED(hardswish_) KL_REFUSED(hash_tensor) KL_REFUSED(heaviside) KL_REFUSED(hinge_embedding_loss) KL_REFUSED(histc) KL_REFUSED(hspmm) KL_REFUSED(hstack) KL_REFUSED(huber_loss) KL_REFUSED(hypot) KL_REFUSED(i0) KL_REFUSED(i0_) KL_REFUSED(igamma) KL_REFUSED(igammac) KL_REFUSED(imag) KL_REFUSED(index_copy) KL_REFUSED(index_fill) KL_REFUSED(index_reduce) KL_REFUSED(indices_copy) KL_REFUSED(
                                                                                                inner) KL_REFUSED(int_repr) KL_REFUSED(isclose) KL_REFUSED(isin) KL_REFUSED(isneginf) KL_REFUSED(isposinf)
                                                                                                KL_REFUSED(isreal) KL_REFUSED(istft) KL_REFUSED(kaiser_window) KL_REFUSED(
                                                                                                    kron) KL_REFUSED(lcm) KL_REFUSED(lcm_) KL_REFUSED(ldexp) KL_REFUSED(ldexp_)
                                                                                                    KL_REFUSED(less) KL_REFUSED(less_equal) KL_REFUSED(lgamma) KL_REFUSED(
                                                                                                        lift) KL_REFUSED(lift_fresh) KL_REFUSED(lift_fresh_copy)
                                                                                                        KL_REFUSED(linalg__powsum) KL_REFUSED(
                                                                                                            linalg_cholesky) KL_REFUSED(linalg_cond)
                                                                                                            KL_REFUSED(linalg_cross) KL_REFUSED(
                                                                                                                linalg_det) KL_REFUSED(linalg_diagonal)
                                                                                                                KL_REFUSED(linalg_eigvals) KL_REFUSED(
                                                                                                                    linalg_eigvalsh) KL_REFUSED(linalg_householder_product)
                                                                                                                    KL_REFUSED(linalg_inv) KL_REFUSED(linalg_ldl_solve) KL_REFUSED(linalg_lu_solve) KL_REFUSED(linalg_matmul) KL_REFUSED(linalg_matrix_exp) KL_REFUSED(linalg_matrix_norm) KL_REFUSED(linalg_matrix_power) KL_REFUSED(linalg_matrix_rank) KL_REFUSED(linalg_multi_dot) KL_REFUSED(linalg_norm) KL_REFUSED(linalg_pinv) KL_REFUSED(linalg_solve) KL_REFUSED(linalg_solve_triangular) KL_REFUSED(linalg_svdvals) KL_REFUSED(linalg_tensorinv) KL_REFUSED(linalg_tensorsolve) KL_REFUSED(linalg_vander) KL_REFUSED(linalg_vecdot) KL_REFUSED(log10_) KL_REFUSED(log1p_) KL_REFUSED(
                                                                                                                        log2_) KL_REFUSED(log_) KL_REFUSED(logaddexp) KL_REFUSED(logaddexp2) KL_REFUSED(logcumsumexp) KL_REFUSED(logdet) KL_REFUSED(logical_xor) KL_REFUSED(logit) KL_REFUSED(logit_) KL_REFUSED(logspace) KL_REFUSED(lu_solve) KL_REFUSED(margin_ranking_loss)
                                                                                                                        KL_REFUSED(masked_scatter) KL_REFUSED(matrix_exp) KL_REFUSED(
                                                                                                                            matrix_power) KL_REFUSED(max_unpool2d)
                                                                                                                            KL_REFUSED(max_unpool3d) KL_REFUSED(
                                                                                                                                median) KL_REFUSED(miopen_convolution)
                                                                                                                                KL_REFUSED(miopen_convolution_add_relu) KL_REFUSED(miopen_convolution_relu) KL_REFUSED(miopen_convolution_transpose) KL_REFUSED(miopen_depthwise_convolution) KL_REFUSED(mish_) KL_REFUSED(mkldnn_adaptive_avg_pool2d) KL_REFUSED(
                                                                                                                                    mkldnn_convolution)
                                                                                                                                    KL_REFUSED(
                                                                                                                                        mkldnn_linear)
                                                                                                                                        KL_REFUSED(
                                                                                                                                            mkldnn_max_pool2d)
                                                                                                                                            KL_REFUSED(
                                                                                                                                                mkldnn_max_pool3d)
                                                                                                                                                KL_REFUSED(
                                                                                                                                                    mkldnn_reorder_conv2d_weight)
                                                                                                                                                    KL_REFUSED(
                                                                                                                                                        mkldnn_reorder_conv3d_weight)
                                                                                                                                                        KL_REFUSED(moveaxis) KL_REFUSED(movedim) KL_REFUSED(msort) KL_REFUSED(multi_margin_loss) KL_REFUSED(multilabel_margin_loss) KL_REFUSED(multinomial) KL_REFUSED(mvlgamma) KL_REFUSED(nan_to_num) KL_REFUSED(nan_to_num_) KL_REFUSED(nanmean) KL_REFUSED(nanmedian) KL_REFUSED(nanquantile) KL_REFUSED(nansum) KL_REFUSED(narrow_copy) KL_REFUSED(native_channel_shuffle) KL_REFUSED(native_norm) KL_REFUSED(neg_) KL_REFUSED(negative) KL_REFUSED(negative_) KL_REFUSED(nested_to_padded_tensor) KL_REFUSED(nextafter) KL_REFUSED(nll_loss2d) KL_REFUSED(nll_loss_nd)
                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                nonzero_static)
                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                    norm_except_dim)
                                                                                                                                                                    KL_REFUSED(normal_functional) KL_REFUSED(not_equal) KL_REFUSED(nuclear_norm) KL_REFUSED(orgqr) KL_REFUSED(ormqr) KL_REFUSED(pad_sequence) KL_REFUSED(pdist) KL_REFUSED(permute_copy) KL_REFUSED(pinverse) KL_REFUSED(pixel_unshuffle) KL_REFUSED(poisson) KL_REFUSED(poisson_nll_loss) KL_REFUSED(polar) KL_REFUSED(polygamma) KL_REFUSED(put) KL_REFUSED(q_per_channel_scales) KL_REFUSED(q_per_channel_zero_points)
                                                                                                                                                                        KL_REFUSED(quantile) KL_REFUSED(quantize_per_channel) KL_REFUSED(quantize_per_tensor) KL_REFUSED(quantize_per_tensor_dynamic) KL_REFUSED(quantized_batch_norm) KL_REFUSED(quantized_gru_cell) KL_REFUSED(quantized_max_pool1d) KL_REFUSED(quantized_max_pool2d) KL_REFUSED(quantized_max_pool3d) KL_REFUSED(quantized_rnn_relu_cell) KL_REFUSED(quantized_rnn_tanh_cell) KL_REFUSED(rad2deg) KL_REFUSED(rad2deg_) KL_REFUSED(randint) KL_REFUSED(randint_like) KL_REFUSED(randperm) KL_REFUSED(ravel) KL_REFUSED(real) KL_REFUSED(reciprocal_) KL_REFUSED(reflection_pad1d) KL_REFUSED(reflection_pad2d) KL_REFUSED(reflection_pad3d) KL_REFUSED(relu6_) KL_REFUSED(relu_) KL_REFUSED(renorm) KL_REFUSED(
                                                                                                                                                                            replication_pad1d) KL_REFUSED(replication_pad2d) KL_REFUSED(replication_pad3d) KL_REFUSED(resize_as_) KL_REFUSED(resize_as_sparse_) KL_REFUSED(resolve_conj) KL_REFUSED(resolve_neg) KL_REFUSED(rms_norm)
                                                                                                                                                                            KL_REFUSED(rnn_relu_cell) KL_REFUSED(rnn_tanh_cell) KL_REFUSED(rot90) KL_REFUSED(round_) KL_REFUSED(row_indices_copy) KL_REFUSED(row_stack) KL_REFUSED(rrelu) KL_REFUSED(rrelu_) KL_REFUSED(rrelu_with_noise) KL_REFUSED(rrelu_with_noise_) KL_REFUSED(
                                                                                                                                                                                rsqrt_) KL_REFUSED(scatter_add)
                                                                                                                                                                                KL_REFUSED(scatter_reduce) KL_REFUSED(searchsorted) KL_REFUSED(segment_reduce) KL_REFUSED(select_copy) KL_REFUSED(select_scatter) KL_REFUSED(selu_) KL_REFUSED(sgn) KL_REFUSED(sigmoid_) KL_REFUSED(signbit) KL_REFUSED(silu_) KL_REFUSED(
                                                                                                                                                                                    sin_)
                                                                                                                                                                                    KL_REFUSED(sinc) KL_REFUSED(sinc_) KL_REFUSED(sinh_) KL_REFUSED(slice_copy) KL_REFUSED(slice_inverse) KL_REFUSED(slice_scatter) KL_REFUSED(slow_conv3d) KL_REFUSED(slow_conv3d_forward) KL_REFUSED(slow_conv_dilated2d) KL_REFUSED(slow_conv_dilated3d) KL_REFUSED(slow_conv_transpose2d) KL_REFUSED(slow_conv_transpose3d) KL_REFUSED(smm) KL_REFUSED(soft_margin_loss) KL_REFUSED(
                                                                                                                                                                                        softshrink) KL_REFUSED(sparse_bsc_tensor) KL_REFUSED(sparse_bsr_tensor) KL_REFUSED(sparse_compressed_tensor) KL_REFUSED(sparse_coo_tensor) KL_REFUSED(sparse_csc_tensor)
                                                                                                                                                                                        KL_REFUSED(sparse_csr_tensor) KL_REFUSED(sparse_sampled_addmm) KL_REFUSED(
                                                                                                                                                                                            special_airy_ai) KL_REFUSED(special_bessel_j0) KL_REFUSED(special_bessel_j1) KL_REFUSED(special_bessel_y0) KL_REFUSED(special_bessel_y1) KL_REFUSED(special_chebyshev_polynomial_t)
                                                                                                                                                                                            KL_REFUSED(special_chebyshev_polynomial_u) KL_REFUSED(special_chebyshev_polynomial_v) KL_REFUSED(special_chebyshev_polynomial_w) KL_REFUSED(special_digamma) KL_REFUSED(special_entr) KL_REFUSED(special_erf) KL_REFUSED(special_erfc) KL_REFUSED(special_erfcx) KL_REFUSED(special_erfinv) KL_REFUSED(special_exp2) KL_REFUSED(special_expit) KL_REFUSED(special_expm1) KL_REFUSED(
                                                                                                                                                                                                special_gammainc) KL_REFUSED(special_gammaincc) KL_REFUSED(special_gammaln) KL_REFUSED(special_hermite_polynomial_h) KL_REFUSED(special_hermite_polynomial_he) KL_REFUSED(special_i0)
                                                                                                                                                                                                KL_REFUSED(special_i0e) KL_REFUSED(
                                                                                                                                                                                                    special_i1)
                                                                                                                                                                                                    KL_REFUSED(special_i1e) KL_REFUSED(special_laguerre_polynomial_l) KL_REFUSED(special_legendre_polynomial_p) KL_REFUSED(special_log1p) KL_REFUSED(special_log_ndtr) KL_REFUSED(special_log_softmax) KL_REFUSED(special_logit) KL_REFUSED(special_logsumexp) KL_REFUSED(special_modified_bessel_i0) KL_REFUSED(special_modified_bessel_i1) KL_REFUSED(special_modified_bessel_k0) KL_REFUSED(special_modified_bessel_k1) KL_REFUSED(special_multigammaln) KL_REFUSED(special_ndtr) KL_REFUSED(special_ndtri) KL_REFUSED(special_polygamma) KL_REFUSED(special_psi) KL_REFUSED(special_round) KL_REFUSED(special_scaled_modified_bessel_k0) KL_REFUSED(special_scaled_modified_bessel_k1) KL_REFUSED(special_shifted_chebyshev_polynomial_t) KL_REFUSED(
                                                                                                                                                                                                        special_shifted_chebyshev_polynomial_u) KL_REFUSED(special_shifted_chebyshev_polynomial_v) KL_REFUSED(special_shifted_chebyshev_polynomial_w)
                                                                                                                                                                                                        KL_REFUSED(special_sinc) KL_REFUSED(
                                                                                                                                                                                                            special_softmax) KL_REFUSED(special_spherical_bessel_j0) KL_REFUSED(special_xlog1py) KL_REFUSED(special_xlogy) KL_REFUSED(special_zeta) KL_REFUSED(sqrt_) KL_REFUSED(square_) KL_REFUSED(squeeze_copy) KL_REFUSED(sspaddmm) KL_REFUSED(stft) KL_REFUSED(subtract) KL_REFUSED(swapaxes)
                                                                                                                                                                                                            KL_REFUSED(swapdims) KL_REFUSED(t_copy) KL_REFUSED(take) KL_REFUSED(take_along_dim) KL_REFUSED(tan_) KL_REFUSED(tanh_) KL_REFUSED(tensordot) KL_REFUSED(thnn_conv2d) KL_REFUSED(threshold_) KL_REFUSED(tile) KL_REFUSED(
                                                                                                                                                                                                                transpose_copy) KL_REFUSED(trapezoid) KL_REFUSED(trapz) KL_REFUSED(tril_indices) KL_REFUSED(triplet_margin_loss) KL_REFUSED(triu_indices) KL_REFUSED(true_divide) KL_REFUSED(trunc_) KL_REFUSED(unfold_copy) KL_REFUSED(unsqueeze_copy) KL_REFUSED(upsample_bicubic2d)
                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                    upsample_bilinear2d) KL_REFUSED(upsample_linear1d) KL_REFUSED(upsample_nearest1d) KL_REFUSED(upsample_nearest2d) KL_REFUSED(upsample_nearest3d) KL_REFUSED(upsample_trilinear3d)
                                                                                                                                                                                                                    KL_REFUSED(values_copy) KL_REFUSED(vander) KL_REFUSED(vdot) KL_REFUSED(view_as_complex) KL_REFUSED(view_as_complex_copy) KL_REFUSED(view_as_real) KL_REFUSED(view_as_real_copy) KL_REFUSED(view_copy) KL_REFUSED(vstack) KL_REFUSED(
                                                                                                                                                                                                                        xlogy)
                                                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                                                            xlogy_)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline std::tuple<Tensor, Tensor> name(kl::Any, KL_ANY) {                                                          \
        kl::unsupported("at::" #name);                                                                                 \
    }
                                                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                                                adaptive_max_pool1d) KL_REFUSED(adaptive_max_pool3d) KL_REFUSED(aminmax) KL_REFUSED(batch_norm_gather_stats) KL_REFUSED(batch_norm_gather_stats_with_counts) KL_REFUSED(batch_norm_stats)
                                                                                                                                                                                                                                KL_REFUSED(batch_norm_update_stats) KL_REFUSED(
                                                                                                                                                                                                                                    choose_qparams_optimized)
                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                        cummax)
                                                                                                                                                                                                                                        KL_REFUSED(cummin) KL_REFUSED(fake_quantize_per_channel_affine_cachemask) KL_REFUSED(
                                                                                                                                                                                                                                            fake_quantize_per_tensor_affine_cachemask) KL_REFUSED(fractional_max_pool2d) KL_REFUSED(fractional_max_pool3d) KL_REFUSED(frexp) KL_REFUSED(geqrf) KL_REFUSED(histogram)
                                                                                                                                                                                                                                            KL_REFUSED(kthvalue) KL_REFUSED(linalg_cholesky_ex) KL_REFUSED(linalg_eig) KL_REFUSED(linalg_eigh) KL_REFUSED(linalg_inv_ex) KL_REFUSED(linalg_ldl_factor) KL_REFUSED(linalg_lu_factor) KL_REFUSED(linalg_qr) KL_REFUSED(
                                                                                                                                                                                                                                                linalg_slogdet) KL_REFUSED(linalg_solve_ex) KL_REFUSED(log_sigmoid_forward) KL_REFUSED(lstm_cell) KL_REFUSED(max_pool1d_with_indices) KL_REFUSED(max_pool2d_with_indices)
                                                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                                                    max_pool3d_with_indices)
                                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                                        miopen_ctc_loss)
                                                                                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                                                                                            multilabel_margin_loss_forward) KL_REFUSED(native_dropout) KL_REFUSED(nll_loss2d_forward) KL_REFUSED(nll_loss_forward) KL_REFUSED(qr) KL_REFUSED(quantized_lstm_cell) KL_REFUSED(slogdet) KL_REFUSED(std_mean)
                                                                                                                                                                                                                                                            KL_REFUSED(triangular_solve)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline std::tuple<Tensor, Tensor, Tensor> name(kl::Any, KL_ANY) {                                                  \
        kl::unsupported("at::" #name);                                                                                 \
    }
                                                                                                                                                                                                                                                                KL_REFUSED(linalg_ldl_factor_ex) KL_REFUSED(linalg_lu) KL_REFUSED(linalg_lu_factor_ex) KL_REFUSED(linalg_svd) KL_REFUSED(lu_unpack) KL_REFUSED(miopen_batch_norm) KL_REFUSED(native_batch_norm) KL_REFUSED(native_group_norm) KL_REFUSED(native_layer_norm) KL_REFUSED(svd) KL_REFUSED(
                                                                                                                                                                                                                                                                    unique_consecutive) KL_REFUSED(unique_dim) KL_REFUSED(unique_dim_consecutive)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline std::tuple<Tensor, Tensor, Tensor, Tensor> name(kl::Any, KL_ANY) {                                          \
        kl::unsupported("at::" #name);                                                                                 \
    }
                                                                                                                                                                                                                                                                    KL_REFUSED(cudnn_batch_norm) KL_REFUSED(embedding_bag) KL_REFUSED(linalg_lstsq)
                                                                                                                                                                                                                                                                        KL_REFUSED(
                                                                                                                                                                                                                                                                            mkldnn_rnn_layer)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> name(kl::Any, KL_ANY) {                                  \
        kl::unsupported("at::" #name);                                                                                 \
    }
                                                                                                                                                                                                                                                                            KL_REFUSED(
                                                                                                                                                                                                                                                                                miopen_rnn)
#undef KL_REFUSED
#define KL_REFUSED(name)                                                                                               \
    inline void name(kl::Any, KL_ANY) {                                                                                \
        kl::unsupported("at::" #name);                                                                                 \
    }
                                                                                                                                                                                                                                                                                KL_REFUSED(
                                                                                                                                                                                                                                                                                    sym_constrain_range)
                                                                                                                                                                                                                                                                                    KL_REFUSED(
                                                                                                                                                                                                                                                                                        sym_constrain_range_for_size)
#undef KL_REFUSED
} // namespace at
#undef KL_ANY
