//! The measured shapes: schemas, row types and a set of differing records for each.
//!
//! Records differ in values and lengths, so that branch prediction does not learn one record by
//! heart. They are the same on every run.

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MapKey, Value};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use sluice_plan::proto::{Column, ResolvedSchema, SqlKind, SqlType};
use sluice_testkit::arbitrary::choices::Choices;

/// Records of one shape.
const COUNT: u32 = 64;

/// One shape, ready to decode.
pub struct Shape {
    /// Its name in the report.
    pub name: &'static str,
    /// The writer's schema.
    pub schema: ResolvedSchema,
    /// The table's row type.
    pub row: SqlType,
    /// Messages without frame.
    pub records: Vec<Vec<u8>>,
}

/// Flat, nested, and twice wide but sparse: the same fields in all records, and other ones in each.
pub fn all() -> Vec<Shape> {
    let pool = pool();
    let flat = shape(&pool, "flat", "shapes.Flat", |_, _| true, |_| true);
    let nested = shape(&pool, "nested", "shapes.Order", |_, _| true, |_| true);
    // 12 of 100 fields are set, and 8 of the 12 are columns.
    let set = |number| number % 8 == 3 && number < 96;
    let column = |number| set(number) && number < 64;
    let sparse = shape(&pool, "sparse", "shapes.Wide", |_, number| set(number), column);
    let any = |seed, number| without_pattern(seed * 100 + number) % 8 == 3;
    let scattered = shape(&pool, "scattered", "shapes.Wide", any, column);
    vec![flat, nested, sparse, scattered]
}

/// Numbers without a pattern, by a multiplication with an odd constant.
fn without_pattern(at: u32) -> u32 {
    at.wrapping_mul(2_654_435_761) >> 5
}

/// `shapes.proto`, its import, and 100 generated fields.
struct Files;

impl FileResolver for Files {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let text = match name {
            "shapes.proto" => include_str!("shapes.proto").to_owned(),
            "wide.proto" => {
                let kinds = ["int64", "string", "double", "bool", "int32"];
                let fields = (1..=100).map(|at| format!("{} f{at} = {at};", kinds[(at - 1) % 5]));
                let fields: String = fields.collect();
                format!("syntax = \"proto3\"; package shapes; message Wide {{ {fields} }}")
            }
            _ => return Err(protox::Error::file_not_found(name)),
        };
        File::from_source(name, &text)
    }
}

fn pool() -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Files);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true);
    compiler.open_files(["shapes.proto", "wide.proto"]).expect("the texts compile");
    sluice_schema::read_set(&compiler.encode_file_descriptor_set()).expect("the set links")
}

fn shape(
    pool: &DescriptorPool, name: &'static str, message: &str, is_set: impl Fn(u32, u32) -> bool,
    is_column: impl Fn(u32) -> bool,
) -> Shape {
    let descriptor = pool.get_message_by_name(message).expect("a message of the files");
    let record = |seed: u32| {
        let units: Vec<u32> = (1..500).map(|at| without_pattern(seed * 500 + at)).collect();
        let choices = &mut Choices::new(&units);
        let mut message = DynamicMessage::new(descriptor.clone());
        for field in descriptor.fields() {
            if is_set(seed, field.number()) {
                message.set_field(&field, value(choices, &field));
            }
        }
        message.encode_to_vec()
    };
    let fields = descriptor.fields().filter(|field| is_column(field.number()));
    Shape {
        name,
        schema: sluice_schema::resolve(&descriptor),
        row: row(fields),
        records: (0..COUNT).map(record).collect(),
    }
}

fn value(choices: &mut Choices<'_>, field: &FieldDescriptor) -> Value {
    if let (true, Kind::Message(entry)) = (field.is_map(), field.kind()) {
        let pairs = (0..3).map(|at| {
            let value = single(choices, &entry.map_entry_value_field());
            (MapKey::String(["channel", "campaign", "ref"][at].to_owned()), value)
        });
        return Value::Map(pairs.collect());
    }
    if field.is_list() {
        let count = if field.name() == "samples" { 16 } else { 3 };
        return Value::List((0..count).map(|_| single(choices, field)).collect());
    }
    single(choices, field)
}

fn single(choices: &mut Choices<'_>, field: &FieldDescriptor) -> Value {
    let small = 1 + choices.below(100_000);
    match field.kind() {
        Kind::Double => Value::F64(f64::from(small) / 7.0),
        Kind::Float => Value::F32(small as f32 / 7.0),
        Kind::Int32 | Kind::Sint32 => Value::I32(small as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            Value::I64(i64::from(small) << choices.below(9))
        }
        Kind::Bool => Value::Bool(true),
        Kind::String => {
            let len = 6 + choices.index(12);
            Value::String("lorem ipsum dolor"[..len].to_owned())
        }
        Kind::Enum(_) => Value::EnumNumber(1 + choices.below(4) as i32),
        Kind::Message(descriptor) if descriptor.name() == "Timestamp" => {
            let mut message = DynamicMessage::new(descriptor);
            message.set_field_by_number(1, Value::I64(1_700_000_000 + i64::from(small)));
            message.set_field_by_number(2, Value::I32(small as i32 * 1000));
            Value::Message(message)
        }
        Kind::Message(descriptor) => {
            let mut message = DynamicMessage::new(descriptor.clone());
            for field in descriptor.fields() {
                message.set_field(&field, single(choices, &field));
            }
            Value::Message(message)
        }
        kind => unreachable!("{kind:?} is in no shape"),
    }
}

/// The columns that the mapping gives to these fields.
fn row(fields: impl Iterator<Item = FieldDescriptor>) -> SqlType {
    let columns = fields
        .map(|field| Column { name: field.name().to_owned(), r#type: Some(column_type(&field)) });
    SqlType { columns: columns.collect(), ..sql(SqlKind::Row) }
}

fn sql(kind: SqlKind) -> SqlType {
    SqlType { kind: kind as i32, nullable: true, length: i32::MAX as u32, ..Default::default() }
}

fn column_type(field: &FieldDescriptor) -> SqlType {
    if let (true, Kind::Message(entry)) = (field.is_map(), field.kind()) {
        return SqlType {
            key: Some(Box::new(element_type(&entry.map_entry_key_field()))),
            value: Some(Box::new(element_type(&entry.map_entry_value_field()))),
            ..sql(SqlKind::Map)
        };
    }
    let element = element_type(field);
    if !field.is_list() {
        return element;
    }
    SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array) }
}

fn element_type(field: &FieldDescriptor) -> SqlType {
    match field.kind() {
        Kind::Double => sql(SqlKind::Double),
        Kind::Float => sql(SqlKind::Float),
        Kind::Int32 | Kind::Sint32 => sql(SqlKind::Integer),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => sql(SqlKind::Bigint),
        Kind::Bool => sql(SqlKind::Boolean),
        Kind::String | Kind::Enum(_) => sql(SqlKind::Varchar),
        Kind::Message(message) if message.name() == "Timestamp" => {
            SqlType { precision: 3, ..sql(SqlKind::TimestampLtz) }
        }
        Kind::Message(message) => row(message.fields()),
        kind => unreachable!("{kind:?} is in no shape"),
    }
}
