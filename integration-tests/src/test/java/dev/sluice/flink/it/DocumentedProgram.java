package dev.sluice.flink.it;

import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The program of a page of the documentation: compiled as it stands there, and run. */
final class DocumentedProgram {
    private static final Pattern CODE = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern NAME = Pattern.compile("public class (\\w+)");

    private DocumentedProgram() {}

    /** Runs the first program of the page in this process, to its end. */
    static void run(String page, Path classes, String... arguments) throws Exception {
        String text = Files.readString(Path.of(System.getProperty("docs"), page));
        Matcher code = CODE.matcher(text);
        if (!code.find()) {
            throw new IllegalStateException("no program in " + page);
        }
        Matcher name = NAME.matcher(code.group(1));
        name.find();
        compile(name.group(1), code.group(1), classes);
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader =
                new URLClassLoader(path, DocumentedProgram.class.getClassLoader())) {
            loader.loadClass(name.group(1))
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
        }
    }

    private static void compile(String name, String code, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options =
                List.of(
                        "-proc:none",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString());
        SimpleJavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///" + name + ".java"),
                        SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return code;
                    }
                };
        if (!compiler.getTask(said, null, null, options, null, List.of(source)).call()) {
            throw new IllegalStateException(said.toString());
        }
    }
}
