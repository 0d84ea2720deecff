package dev.sluice.flink;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import org.junit.jupiter.api.Test;

/**
 * Who may know whom. Dependencies point down, siblings do not know each other, and only the top row
 * and {@code row} know Flink:
 *
 * <pre>
 * arrow          datastream
 * flink (root), format
 * registry   row   kafka
 *                  engine
 * schema         bridge
 * </pre>
 *
 * {@code plan} holds generated code that all may use.
 */
class ArchitectureTest {
    private static final String ROOT = "dev.sluice.flink";

    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    @Test
    void dependenciesPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
                .layer("arrow")
                .definedBy(ROOT + ".arrow..")
                .layer("datastream")
                .definedBy(ROOT + ".datastream..")
                .layer("format")
                .definedBy(ROOT, ROOT + ".format..")
                .layer("registry")
                .definedBy(ROOT + ".registry..")
                .layer("deadletter")
                .definedBy(ROOT + ".deadletter..")
                .layer("kafka")
                .definedBy(ROOT + ".kafka..")
                .layer("row")
                .definedBy(ROOT + ".row..")
                .layer("engine")
                .definedBy(ROOT + ".engine..")
                .layer("schema")
                .definedBy(ROOT + ".schema..")
                .layer("bridge")
                .definedBy(ROOT + ".bridge..")
                .layer("plan")
                .definedBy(ROOT + ".plan..")
                .whereLayer("arrow")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("datastream")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("format")
                .mayOnlyBeAccessedByLayers("arrow", "datastream")
                .whereLayer("registry")
                .mayOnlyBeAccessedByLayers("arrow", "format")
                .whereLayer("deadletter")
                .mayOnlyBeAccessedByLayers("format")
                .whereLayer("kafka")
                .mayOnlyBeAccessedByLayers("datastream", "format")
                .whereLayer("row")
                .mayOnlyBeAccessedByLayers("format")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("arrow", "datastream", "format", "deadletter", "kafka")
                .whereLayer("schema")
                .mayOnlyBeAccessedByLayers(
                        "arrow", "format", "registry", "deadletter", "row", "engine")
                .whereLayer("bridge")
                .mayOnlyBeAccessedByLayers(
                        "arrow", "format", "registry", "deadletter", "kafka", "row", "engine")
                .whereLayer("plan")
                .mayNotAccessAnyLayer()
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        SlicesRuleDefinition.slices()
                .matching(ROOT + ".(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void onlyTheFormatAndItsRowsKnowFlink() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + ".registry..",
                        ROOT + ".deadletter..",
                        ROOT + ".kafka..",
                        ROOT + ".engine..",
                        ROOT + ".schema..",
                        ROOT + ".bridge..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(CLASSES);
    }

    @Test
    void onlyTheBridgeHasNativeMethods() {
        methods()
                .that()
                .haveModifier(JavaModifier.NATIVE)
                .should()
                .beDeclaredInClassesThat()
                .resideInAPackage(ROOT + ".bridge..")
                .check(CLASSES);
    }
}
