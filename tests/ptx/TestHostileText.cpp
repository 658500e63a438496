// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ptx/TestHostileText.h"

#include "tests/TestRegistry.h"
#include "tests/ptx/ParsedText.h"

#include <random>

using namespace kernelarium;
using namespace kernelarium::test;

namespace {

/// As NVRTC writes it: every kind of statement that the parser knows.
const std::string& realistic() {
    static const std::string text = R"(//
// Generated for sm_90
//
.version 8.0
.target sm_90, texmode_independent
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 vprintf_param_0, .param .b64 vprintf_param_1) ;
.extern .shared .align 16 .b8 dynamic[];
.global .align 1 .b8 $str[7] = {37, 100, 32, 37, 102, 10, 0};
.const .align 4 .f32 table[3] = {0f3F800000, 0.5, -2.0};
.global .align 8 .u64 pointers[2] = {generic($str)+1, table};
.visible .entry _Z4kernPfi(
	.param .u64 .ptr .global .align 4 _Z4kernPfi_param_0,
	.param .align 8 .b8 _Z4kernPfi_param_1[24]
)
.maxntid 128, 1, 1
{
	.local .align 8 .b8 	__local_depot0[16];
	.reg .b64 	%SP;
	.reg .pred 	%p<3>;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<7>;
	.loc	1 12 0
	mov.u64 	%SP, __local_depot0;
	ld.param.u64 	%rd1, [_Z4kernPfi_param_0];
	ld.param.v2.u32 	{%r1, %r2}, [_Z4kernPfi_param_1+8];
	mov.u32 	%r3, %tid.x;
	setp.ge.s32 	%p1|%p2, %r3, %r1;
	@!%p1 bra 	$L__BB0_2;
	.loc	2 40 7, function_name $L__info_string0, inlined_at 1 14 3
	// begin inline asm
	{ .reg .pred q; setp.ne.u32 q, %r1, 0; @q mov.u32 %r4, -1; }
	// end inline asm
$L__BB0_2:
	{
	.param .b64 param0;
	.param .b32 retval0;
	st.param.b64 	[param0+0], %rd1;
	proto: .callprototype (.param .b32 _) _ (.param .b64 _);
	call.uni (retval0), %rd1, (param0), proto;
	}
	ts: .branchtargets $L__BB0_2, $L__BB0_3;
	brx.idx 	%r4, ts;
$L__BB0_3:
	bar.sync 	0;
	ret;
}
	.file	1 "/src/kernel.cu"
	.file	2 "/usr/include/math.h", 123, 456
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,0
	}
)";
    return text;
}

} // namespace

void TestHostileText::everyPrefixIsAnswered() {
    const std::string& text = realistic();
    QVERIFY(ptx::parse(text).ok());
    std::size_t modules = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto r = ptx::parse(std::string_view(text).substr(0, k));
        if (r.ok()) {
            ++modules;
            continue;
        }
        QCOMPARE(r.error().code, std::string("bad_ptx"));
        QVERIFY(r.error().message.find("PTX line ") != std::string::npos);
    }
    // Cut inside the kernel it is never a module.
    const std::size_t kernelEnd = text.find("\n}\n");
    for (std::size_t k = text.find(".visible"); k <= kernelEnd; ++k)
        if (k > text.find(".entry")) QVERIFY(!ptx::parse(std::string_view(text).substr(0, k)).ok());
    QVERIFY(modules > 0);
}

void TestHostileText::mutationsAreAnswered() {
    std::mt19937 random(20240731);
    const std::string& text = realistic();
    const std::string pool = "{}()[]<>,;:+-@!|=.%$0123456789abrd_\" \n/*\\\xff";
    std::size_t refused = 0;
    for (int round = 0; round < 6000; ++round) {
        std::string mutated = text;
        const auto changes = 1 + random() % 4;
        for (std::uint32_t c = 0; c < changes; ++c) {
            const std::size_t where = random() % mutated.size();
            switch (random() % 4) {
            case 0: mutated[where] = pool[random() % pool.size()]; break;
            case 1: mutated[where] = char(random() & 0xff); break;
            case 2: mutated.insert(where, 1 + random() % 3, pool[random() % pool.size()]); break;
            default: mutated.erase(where, 1 + random() % 12); break;
            }
        }
        const auto r = ptx::parse(mutated);
        if (r.ok()) continue;
        ++refused;
        QCOMPARE(r.error().code, std::string("bad_ptx"));
    }
    QVERIFY(refused > 1000);
}

void TestHostileText::deepBracesAreRefused() {
    QVERIFY(complaint(kernel(std::string(100000, '{'))).find("nested blocks") != std::string::npos);
    QCOMPARE(complaint(kernel(std::string(200, '{') + " ret; " + std::string(200, '}'))), std::string());
}

void TestHostileText::deepOperandsAreRefused() {
    for (const char open : {'{', '('}) {
        const std::string error = complaint(kernel(" mov.b64 " + std::string(1000000, open)));
        QVERIFY2(error.find("PTX line 5") != std::string::npos, error.c_str());
    }
}

void TestHostileText::hugeRegisterCountsAreRefused_data() {
    QTest::addColumn<QByteArray>("count");
    for (const char* count :
         {"2000000", "2147483647", "4294967296", "4294967301", "18446744073709551615", "0x7fffffffffffffff", "-1"})
        QTest::newRow(count) << QByteArray(count);
}

void TestHostileText::hugeRegisterCountsAreRefused() {
    QFETCH(QByteArray, count);
    const std::string error = complaint(kernel(" .reg .b32 %r<3>; .reg .b32 %x<" + count.toStdString() + ">;"));
    QVERIFY2(error.find("registers") != std::string::npos, error.c_str());
}

void TestHostileText::hugeVariablesAreRefused_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("one extent") << QByteArray(".global .b8 a[99999999999];");
    QTest::newRow("negative extent") << QByteArray(".global .b8 a[-1];");
    QTest::newRow("product of extents") << QByteArray(".global .b64 a[1000000][1000000][1000000];");
    QTest::newRow("initialised") << QByteArray(".global .b8 a[8000000000] = {1};");
    QTest::newRow("parameter") << QByteArray(".func f(.param .b8 a[1048576][1048576][1048576][1048576]) { ret; }");
}

void TestHostileText::hugeVariablesAreRefused() {
    QFETCH(QByteArray, body);
    const std::string error = complaint(body.toStdString());
    QVERIFY2(error.find("at most") != std::string::npos, error.c_str());
}

void TestHostileText::oddAlignmentsAreRefused() {
    for (const char* alignment : {"0", "3", "-4", "4294967304", "2097152"}) {
        const std::string error = complaint(std::string(".global .align ") + alignment + " .b8 a[4];");
        QVERIFY2(error.find("power of two") != std::string::npos, alignment);
        const std::string parameter =
            complaint(std::string(".func f(.param .align ") + alignment + " .b8 a[4]) { ret; }");
        QVERIFY2(parameter.find("power of two") != std::string::npos, alignment);
    }
}

KERNELARIUM_TEST(TestHostileText);
