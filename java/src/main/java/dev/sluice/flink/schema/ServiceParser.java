package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceOptions;

/** The rest of a {@code service} statement. */
final class ServiceParser {
    private ServiceParser() {}

    static void parse(SchemaParser parser, ServiceDescriptorProto.Builder service)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        ServiceOptions.Builder options = ServiceOptions.newBuilder();
        service.setName(tokens.requireWord("a service name"));
        tokens.require('{');
        while (!tokens.take('}')) {
            if (tokens.take("option")) {
                parser.option(options);
            } else if (tokens.take("rpc")) {
                method(parser, service.addMethodBuilder());
            } else if (!tokens.take(';')) {
                throw tokens.expected("\"rpc\", \"option\" or \"}\"");
            }
        }
        if (SchemaParser.isPresent(options)) {
            service.setOptions(options);
        }
    }

    private static void method(SchemaParser parser, MethodDescriptorProto.Builder method)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        method.setName(tokens.requireWord("a method name"));
        tokens.require('(');
        if (tokens.take("stream")) {
            method.setClientStreaming(true);
        }
        method.setInputType(tokens.requireDottedName("a message name"));
        tokens.require(')');
        tokens.require("returns");
        tokens.require('(');
        if (tokens.take("stream")) {
            method.setServerStreaming(true);
        }
        method.setOutputType(tokens.requireDottedName("a message name"));
        tokens.require(')');
        if (!tokens.take('{')) {
            tokens.require(';');
            return;
        }
        MethodOptions.Builder options = MethodOptions.newBuilder();
        while (!tokens.take('}')) {
            if (tokens.take("option")) {
                parser.option(options);
            } else if (!tokens.take(';')) {
                throw tokens.expected("\"option\" or \"}\"");
            }
        }
        if (SchemaParser.isPresent(options)) {
            method.setOptions(options);
        }
    }
}
