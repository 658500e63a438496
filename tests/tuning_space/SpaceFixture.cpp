// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tuning_space/SpaceFixture.h"

#include <fstream>
#include <sstream>

namespace kernelarium::test {

std::string tunableKernel(const std::string& name) {
    std::ifstream in(KERNELARIUM_SOURCE_DIR "/tests/tuning_space/kernels/" + name + ".cu", std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

QString firstProblem(const std::string& text) {
    const Result<tuning::TunableText> read = tuning::spaceOfText(text);
    return read ? QString() : QString::fromStdString(read.error().text());
}

QString evaluated(const std::string& expression, tuning::Expression::Rules rules,
                  const std::vector<tuning::Parameter>& parameters) {
    tuning::TextProblems problems;
    const std::vector<tuning::MarkToken> tokens = tuning::markTokens(expression, 0, expression.size(), problems);
    tuning::MarkStream stream(tokens);
    const std::optional<tuning::Expression> parsed =
        tuning::parseExpression(stream, {&parameters, {}}, rules, problems);
    if (!problems.empty()) return "!" + QString::fromStdString(problems[0].message);
    if (stream.peek().kind != tuning::MarkToken::Kind::end)
        return "!left over " + QString::fromStdString(stream.found());
    tuning::Space::Values values;
    for (const tuning::Parameter& p : parameters)
        values.push_back(&p.values[p.start]);
    const std::optional<tuning::Value> value = parsed->value(values);
    return value ? QString::fromStdString(tuning::textOf(*value)) : QString("refused");
}

std::uint64_t countedOneByOne(const tuning::Space& space) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < space.size(); ++i)
        count += space.forbids(space.point(i)) == nullptr ? 1 : 0;
    return count;
}

} // namespace kernelarium::test
