//! A resolved schema as .proto files of proto3, compiled and linked.
//!
//! What proto3 lacks becomes the nearest thing that it has: a group a message, `required` and
//! declared defaults nothing, a closed enum an open one that begins with 0, lenient text strict.
//! Messages are renamed into one package; those that mean one value keep their names and files.

use std::fmt::Write;

use prost_reflect::DescriptorPool;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use sluice_plan::proto::{FieldKind, ResolvedEnum, ResolvedField, ResolvedMessage, ResolvedSchema};

const META: &str = r#"
    syntax = "proto3";
    package confluent;
    import "google/protobuf/descriptor.proto";
    message Meta { string doc = 1; map<string, string> params = 2; }
    extend google.protobuf.FieldOptions { Meta field_meta = 1088; }
"#;

/// Files by import path, the main one first.
#[derive(Clone)]
pub struct Files(pub Vec<(String, String)>);

impl FileResolver for Files {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.iter().find(|file| file.0 == name) {
            Some((_, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}

impl Files {
    /// The linked files.
    ///
    /// # Panics
    /// If they do not compile.
    pub fn link(&self) -> DescriptorPool {
        let mut resolver = ChainFileResolver::new();
        resolver.add(self.clone());
        resolver.add(GoogleFileResolver::new());
        let mut compiler = protox::Compiler::with_file_resolver(resolver);
        let compiled = compiler.include_imports(true).open_file(&self.0[0].0);
        if let Err(error) = compiled {
            panic!("{error}\n{}", self.0[0].1);
        }
        sluice_schema::read_set(&compiler.encode_file_descriptor_set()).expect("the set links")
    }
}

/// Full name of the root message of [`files`].
pub fn root(schema: &ResolvedSchema) -> String {
    format!("random.M{}", schema.root)
}

/// The schema's files.
pub fn files(schema: &ResolvedSchema) -> Files {
    let mut imports = vec!["confluent/meta.proto".to_owned()];
    let mut files = vec![(imports[0].clone(), META.to_owned())];
    let mut body = String::new();
    for (at, resolved) in schema.enums.iter().enumerate() {
        // Names of values belong to the scope around the enum.
        let _ = writeln!(body, "message Scope{at} {{\n{}}}", enum_text(resolved));
    }
    for (at, resolved) in schema.messages.iter().enumerate() {
        if resolved.map_entry {
            continue;
        }
        if !is_well_known(resolved) {
            let _ = write!(body, "{}", message_text(schema, &format!("M{at}"), resolved));
            continue;
        }
        let import = match resolved.full_name.as_str() {
            "google.protobuf.Timestamp" => "google/protobuf/timestamp.proto".to_owned(),
            name if name.starts_with("google.protobuf.") => {
                "google/protobuf/wrappers.proto".to_owned()
            }
            name => {
                let import = format!("{}.proto", name.replace('.', "/").to_lowercase());
                let (package, simple) = name.rsplit_once('.').expect("a name in a package");
                let body = message_text(schema, simple, resolved);
                files.push((import.clone(), file_text(package, &[], &body)));
                import
            }
        };
        if !imports.contains(&import) {
            imports.push(import);
        }
    }
    files.insert(0, ("random.proto".to_owned(), file_text("random", &imports, &body)));
    Files(files)
}

fn is_well_known(message: &ResolvedMessage) -> bool {
    ["google.", "confluent."].iter().any(|prefix| message.full_name.starts_with(prefix))
}

fn file_text(package: &str, imports: &[String], body: &str) -> String {
    let imports: String = imports.iter().map(|file| format!("import \"{file}\";\n")).collect();
    format!("syntax = \"proto3\";\npackage {package};\n{imports}{body}")
}

/// The enum with 0 in the first place.
fn enum_text(resolved: &ResolvedEnum) -> String {
    let simple = resolved.full_name.rsplit('.').next().unwrap_or_default();
    let mut out = format!("  enum {simple} {{\n");
    let numbers: Vec<i32> = resolved
        .values
        .iter()
        .enumerate()
        .map(|(place, value)| if place == 0 { 0 } else { value.number })
        .collect();
    if (1..numbers.len()).any(|at| numbers[..at].contains(&numbers[at])) {
        out.push_str("    option allow_alias = true;\n");
    }
    for (value, number) in resolved.values.iter().zip(numbers) {
        let _ = writeln!(out, "    {} = {number};", value.name);
    }
    out + "  }\n"
}

fn message_text(schema: &ResolvedSchema, name: &str, message: &ResolvedMessage) -> String {
    let mut out = format!("message {name} {{\n");
    for (at, oneof) in message.oneofs.iter().enumerate() {
        let members = message.fields.iter().filter(|field| field.oneof_index == Some(at as u32));
        let members: String =
            members.map(|field| format!("  {}", field_text(schema, field))).collect();
        if !members.is_empty() {
            let _ = write!(out, "  oneof {oneof} {{\n{members}  }}\n");
        }
    }
    for field in message.fields.iter().filter(|field| field.oneof_index.is_none()) {
        out.push_str(&field_text(schema, field));
    }
    out + "}\n"
}

fn field_text(schema: &ResolvedSchema, field: &ResolvedField) -> String {
    let is_message = matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
    let target = &schema.messages[if is_message { field.message_index as usize } else { 0 }];
    let typed = match &target.fields[..] {
        [key, value] if is_message && target.map_entry => {
            format!("map<{}, {}>", type_text(schema, key), type_text(schema, value))
        }
        _ => {
            let label = match field.repeated {
                true => "repeated ",
                false if field.has_presence && !is_message && field.oneof_index.is_none() => {
                    "optional "
                }
                false => "",
            };
            format!("{label}{}", type_text(schema, field))
        }
    };
    let is_packable = !is_message
        && !matches!(field.kind(), FieldKind::FieldString | FieldKind::FieldBytes)
        && field.repeated;
    let mut options = Vec::new();
    if is_packable && !field.packed {
        options.push("packed = false".to_owned());
    }
    for (key, value) in &field.parameters {
        let pair = format!("{{ key: \"{key}\", value: \"{value}\" }}");
        options.push(format!("(confluent.field_meta) = {{ params: [{pair}] }}"));
    }
    let options = match options.join(", ") {
        options if options.is_empty() => options,
        options => format!(" [{options}]"),
    };
    format!("  {typed} {} = {}{options};\n", field.name, field.number)
}

fn type_text(schema: &ResolvedSchema, field: &ResolvedField) -> String {
    match field.kind() {
        FieldKind::FieldMessage | FieldKind::FieldGroup => {
            let target = &schema.messages[field.message_index as usize];
            match is_well_known(target) {
                true => format!(".{}", target.full_name),
                false => format!(".random.M{}", field.message_index),
            }
        }
        FieldKind::FieldEnum => {
            let full_name = &schema.enums[field.enum_index as usize].full_name;
            let simple = full_name.rsplit('.').next().unwrap_or_default();
            format!(".random.Scope{}.{simple}", field.enum_index)
        }
        kind => kind.as_str_name().trim_start_matches("FIELD_").to_lowercase(),
    }
}
