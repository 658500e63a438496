// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolkit/WheelMaker.h"

#include "core/files/Sha256.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <zlib.h>

using namespace kernelarium::toolkit;

namespace {

void add(QByteArray& out, quint64 value, int bytes) {
    for (int i = 0; i < bytes; ++i)
        out += char(value >> (8 * i));
}

QByteArray deflated(const QByteArray& content) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY); // raw, as in a zip archive
    QByteArray out(qsizetype(deflateBound(&stream, uLong(content.size()))), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.constData()));
    stream.avail_in = uInt(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return out;
}

/// The wheel that a header of a toolkit comes with; NVIDIA's other libraries' are of none.
QString projectOfHeader(const QString& header) {
    if (header.startsWith(QLatin1String("include/cccl/"))) return QStringLiteral("nvidia-cuda-cccl");
    if (header.startsWith(QLatin1String("include/crt/"))) return QStringLiteral("nvidia-cuda-crt");
    const bool isOther = header.startsWith(QLatin1String("include/cu")) &&
                         !header.startsWith(QLatin1String("include/cuda")) &&
                         !header.startsWith(QLatin1String("include/cuComplex"));
    return isOther ? QString() : QStringLiteral("nvidia-cuda-runtime");
}

kernelarium::files::Digest digestOf(const QByteArray& content) {
    return kernelarium::files::sha256({content.constData(), std::size_t(content.size())});
}

} // namespace

QByteArray sha256Of(const QByteArray& content) {
    return QByteArray::fromStdString(kernelarium::files::toHex(digestOf(content)));
}

QByteArray zipOf(const QList<ZipMember>& members) {
    QByteArray out, directory;
    for (const ZipMember& member : members) {
        const QByteArray data = member.deflated ? deflated(member.content) : member.content;
        const auto right =
            crc32(0, reinterpret_cast<const Bytef*>(member.content.constData()), uInt(member.content.size()));
        const quint64 sum = member.saidChecksum >= 0 ? quint64(member.saidChecksum) : right;
        const quint64 bytes = quint64(member.saidBytes >= 0 ? member.saidBytes : member.content.size());
        const int method = member.method >= 0 ? member.method : (member.deflated ? 8 : 0);
        const quint64 offset = quint64(out.size());
        QByteArray shared;
        add(shared, 20, 2);
        add(shared, member.flags, 2);
        add(shared, quint64(method), 2);
        add(shared, 0, 2);
        add(shared, 0x5821, 2); // a date
        add(shared, sum, 4);
        add(shared, quint64(data.size()), 4);
        add(shared, bytes, 4);
        add(shared, quint64(member.name.size()), 2);
        add(shared, 0, 2);
        add(out, 0x04034b50, 4);
        out += shared + member.name + data;
        add(directory, 0x02014b50, 4);
        add(directory, 0x0314, 2); // made on Unix
        directory += shared;
        add(directory, 0, 2);
        add(directory, 0, 2);
        add(directory, 0, 2);
        add(directory, quint64(member.mode) << 16, 4);
        add(directory, offset, 4);
        directory += member.name;
    }
    const quint64 at = quint64(out.size());
    out += directory;
    add(out, 0x06054b50, 4);
    add(out, 0, 4);
    add(out, quint64(members.size()), 2);
    add(out, quint64(members.size()), 2);
    add(out, quint64(directory.size()), 4);
    add(out, at, 4);
    add(out, 0, 2);
    return out;
}

QList<ZipMember> wheelMembers(const PinnedWheel& wheel, const WheelContents& files) {
    const QByteArray info = QByteArray::fromStdString(wheel.project).replace('-', '_') + "-" +
                            QByteArray::fromStdString(wheel.version) + ".dist-info/";
    QList<ZipMember> members;
    for (auto it = files.cbegin(); it != files.cend(); ++it)
        members.push_back({"nvidia/cu13/" + it.key().toUtf8(), it.value()});
    members.push_back({info + "METADATA", "Name: " + QByteArray::fromStdString(wheel.project) + "\n"});
    members.push_back({info + "licenses/License.txt", "Terms\n"});
    QByteArray record;
    for (const ZipMember& member : std::as_const(members)) {
        const auto digest = digestOf(member.content);
        const QByteArray raw(reinterpret_cast<const char*>(digest.data()), qsizetype(digest.size()));
        record += member.name +
                  ",sha256=" + raw.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals) + "," +
                  QByteArray::number(member.content.size()) + "\r\n";
    }
    members.push_back({info + "RECORD", record + info + "RECORD,,\r\n"});
    return members;
}

QMap<QString, QByteArray> smallWheels(const QByteArray& mark) {
    QMap<QString, QByteArray> wheels;
    for (const PinnedWheel& wheel : pinnedWheels()) {
        WheelContents files{{QStringLiteral("lib/not_needed.a"), QByteArray("left out")}};
        for (const std::string& path : wheel.needs)
            files[QString::fromStdString(path)] =
                mark + " " + QByteArray::fromStdString(path) + " " + QByteArray(20'000, 'x');
        wheels[QString::fromStdString(wheel.file)] = zipOf(wheelMembers(wheel, files));
    }
    return wheels;
}

QMap<QString, QByteArray> wheelsOf(const QString& toolkit) {
    const QDir root(toolkit);
    const auto content = [&root](const QString& path) {
        QFile file(root.filePath(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QStringList headers;
    for (QDirIterator it(root.filePath(QStringLiteral("include")), QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();)
        headers << root.relativeFilePath(it.next());
    QMap<QString, QByteArray> wheels;
    for (const PinnedWheel& wheel : pinnedWheels()) {
        WheelContents files;
        for (const std::string& kept : wheel.keeps) {
            const QString path = QString::fromStdString(kept);
            if (!path.endsWith(u'/')) files[path] = content(path);
        }
        for (const QString& header : std::as_const(headers))
            if (wheel.project == projectOfHeader(header).toStdString()) files[header] = content(header);
        for (const std::string& needed : wheel.needs)
            if (files.value(QString::fromStdString(needed)).isEmpty()) return {};
        wheels[QString::fromStdString(wheel.file)] = zipOf(wheelMembers(wheel, files));
    }
    return wheels;
}

HubBehaviour indexOf(const QMap<QString, QByteArray>& wheels, bool isJson, const QMap<QString, QByteArray>& sums) {
    HubBehaviour behaviour;
    for (const PinnedWheel& wheel : pinnedWheels()) {
        const QString file = QString::fromStdString(wheel.file);
        if (!wheels.contains(file)) continue;
        const QByteArray& content = wheels[file];
        const QString project = QString::fromStdString(wheel.project);
        const QByteArray sum = sums.value(file, sha256Of(content));
        const QString path = QStringLiteral("/simple/%1/").arg(project);
        behaviour.files[file] = content;
        if (isJson) {
            const QJsonObject older{{"filename", project + "-1.0.tar.gz"},
                                    {"url", "https://example.org/x.tar.gz"},
                                    {"hashes", QJsonObject{}}};
            const QJsonObject entry{{"filename", file},
                                    {"url", "../../storage/" + file},
                                    {"hashes", QJsonObject{{"sha256", QString::fromLatin1(sum)}}},
                                    {"size", content.size()},
                                    {"yanked", false}};
            const QJsonObject page{
                {"meta", QJsonObject{{"api-version", "1.1"}}}, {"name", project}, {"files", QJsonArray{older, entry}}};
            behaviour.pages[path] = {"application/vnd.pypi.simple.v1+json", QJsonDocument(page).toJson()};
        } else {
            behaviour.pages[path] = {"text/html; charset=utf-8",
                                     "<!DOCTYPE html><html><body><h1>Links</h1>\n<a href=\"../../storage/" +
                                         file.toUtf8() + "#sha256=" + sum + "\" data-requires-python=\"&gt;=3\">" +
                                         file.toUtf8() + "</a><br/>\n</body></html>\n"};
        }
    }
    return behaviour;
}

void writeWheels(const QMap<QString, QByteArray>& wheels, const QDir& folder, bool withSums) {
    QByteArray sums;
    for (auto it = wheels.cbegin(); it != wheels.cend(); ++it) {
        QFile file(folder.filePath(it.key()));
        if (!file.open(QIODevice::WriteOnly) || file.write(it.value()) != it.value().size()) qFatal("no room");
        sums += sha256Of(it.value()) + "  " + it.key().toUtf8() + "\n";
    }
    QFile list(folder.filePath(QStringLiteral("SHA256SUMS")));
    if (withSums && list.open(QIODevice::WriteOnly)) list.write(sums);
}
