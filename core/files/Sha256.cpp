// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/Sha256.h"

#include <new>
#include <openssl/evp.h>

namespace kernelarium::files {

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

// OpenSSL's calls below fail for want of memory alone.
Sha256::Sha256()
    : m_context(EVP_MD_CTX_new()) {
    if (!m_context || EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

void Sha256::add(std::string_view bytes) {
    if (EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()) != 1) throw std::bad_alloc();
}

Digest Sha256::digest() {
    Digest digest;
    if (EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr) != 1) throw std::bad_alloc();
    return digest;
}

Digest sha256(std::string_view bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.digest();
}

std::string toHex(const Digest& digest, std::size_t digits) {
    constexpr char alphabet[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < digits && i < 64; ++i) {
        const auto byte = digest[i / 2];
        text += alphabet[i % 2 == 0 ? byte >> 4 : byte & 15];
    }
    return text;
}

} // namespace kernelarium::files
