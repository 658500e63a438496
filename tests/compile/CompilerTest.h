// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class CompilerTest : public QObject {
    Q_OBJECT
private slots:
    void missingToolkitIsNamed();
    void abandonedPrecompiledHeadersGo();
    void errorsAreOnTheUsersLines();
    void tabsAndTemplatesKeepTheirPlace();
    void earlyDiagnosticsAreThoseOfTheEnd_data();
    void earlyDiagnosticsAreThoseOfTheEnd();
    void resourcesOfAKernel();
    void bothAssemblersTellTheSame();
    void loadsOfTheMachineCode();
    void kernelsThatLaunchKernelsAreLinked();
    void aBrokenAssemblerIsNotBelieved();
    void launchBecomesTheRuntimesCalls();
    void constantsOverTheLimitFailInPtxas();
    void sharedMemoryOverTheLimitNamesTheKernelsLine();
    void badAssemblyIsOnTheUsersLine();
    void hostOnlyCodeIsWarnedAbout();
    void dispatchTypesCanBeChosen();
    void fastMathChangesTheCode();
    void settingsOfAKernel();
    void notATextIsRefused_data();
    void notATextIsRefused();
    void brokenTextsEndInDiagnostics_data();
    void brokenTextsEndInDiagnostics();
    void fiveMegabytes();
    void emptySourceCompiles();
    void cancelled();
    void unknownArchitecture();
};
