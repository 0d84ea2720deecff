//! Messages that are one value: dates, times, decimals, wrappers, and opaque bytes.

use sluice_testkit::arbitrary::wire::varint;

use super::Table;

const IMPORTS: &str = "syntax = \"proto3\"; import \"google/type/date.proto\";
    import \"google/type/timeofday.proto\"; import \"google/protobuf/wrappers.proto\";
    import \"google/protobuf/timestamp.proto\"; import \"google/protobuf/duration.proto\";
    import \"google/protobuf/any.proto\"; import \"confluent/type/decimal.proto\"; ";

fn table(body: &str, columns: &str) -> Table {
    Table::new(&format!("{IMPORTS} message M {{ {body} }}"), columns)
}

/// Field `tag` holding numbers in fields 1, 2, 3 ..., as hex.
fn numbers(tag: u8, numbers: &[i64]) -> String {
    let mut body = Vec::new();
    for (at, number) in numbers.iter().enumerate() {
        body.push(8 * (at as u8 + 1));
        varint(&mut body, *number as u64);
    }
    field(tag, &body)
}

fn field(tag: u8, body: &[u8]) -> String {
    let mut out = vec![tag];
    varint(&mut out, body.len() as u64);
    out.extend(body);
    out.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Field `tag` holding a Decimal of the registry's layout.
fn decimal(tag: u8, value: &[u8], precision: u32, scale: i32) -> String {
    let mut body = vec![0x0a];
    varint(&mut body, value.len() as u64);
    body.extend(value);
    body.push(0x10);
    varint(&mut body, precision.into());
    body.push(0x18);
    varint(&mut body, i64::from(scale) as u64);
    field(tag, &body)
}

#[test]
fn dates_are_days_that_exist() {
    let table = table(
        "google.type.Date d = 1; repeated google.type.Date r = 2; map<int32, google.type.Date> m = 3;",
        "d DATE, r ARRAY<DATE>, m MAP<INT, DATE>",
    );
    assert_eq!(table.read(""), "(NULL, [], {})");
    assert_eq!(table.read(&numbers(0x0a, &[1970, 1, 2])), "(day 1, [], {})");
    assert_eq!(table.read(&numbers(0x0a, &[1, 1, 1])), "(day -719162, [], {})");
    assert_eq!(table.read(&numbers(0x0a, &[9999, 12, 31])), "(day 2932896, [], {})");
    assert_eq!(table.read("0a0308d00f 0a021002 0a02181d"), "(day 11016, [], {})", "2000-02-29");
    for [year, month, day] in [[0, 1, 1], [10_000, 1, 1], [2023, 7, 0], [2023, 0, 0], [2023, 2, 29]]
    {
        assert_eq!(table.read(&numbers(0x0a, &[year, month, day])), "bad-date d 2");
        let failure = table.bytes(&numbers(0x0a, &[year, month, day])).unwrap_err();
        let reason = format!("there is no date of year {year}, month {month} and day {day}");
        assert_eq!(failure.reason, reason);
    }
    let days = [numbers(0x12, &[1970, 1, 1]), numbers(0x12, &[1969, 12, 31])].concat();
    assert_eq!(table.read(&days), "(NULL, [day 0, day -1], {})");
    assert_eq!(table.read("1200"), "bad-date r[] 2");
    assert_eq!(table.read("1a0b 0801 1207 08b20f10011801"), "(NULL, [], {1: day 0})");
    assert_eq!(table.read("1a02 0801"), "bad-date m[].value 2", "an absent value is the default");
}

#[test]
fn times_are_cut_to_the_precision_and_checked() {
    let body = "google.type.TimeOfDay t = 1;";
    let millis = |columns: &str, parts: &[i64]| table(body, columns).read(&numbers(0x0a, parts));
    for (column, expected) in [
        ("t TIME(0)", "(86399000 ms)"),
        ("t TIME(1)", "(86399900 ms)"),
        ("t TIME(2)", "(86399980 ms)"),
        ("t TIME(3)", "(86399987 ms)"),
        ("t TIME(9)", "(86399987 ms)"),
    ] {
        assert_eq!(millis(column, &[23, 59, 59, 987_999_999]), expected, "{column}");
    }
    assert_eq!(table(body, "t TIME(3)").read("0a00"), "(0 ms)");
    assert_eq!(table(body, "t TIME(3)").read(""), "(NULL)");
    for parts in
        [[24, 0, 0, 0], [0, 60, 0, 0], [0, 0, 60, 0], [0, 0, 0, 1_000_000_000], [-1, 0, 0, 0]]
    {
        assert_eq!(millis("t TIME(3)", &parts), "bad-time t 2", "{parts:?}");
    }
}

#[test]
fn decimals_have_the_scale_of_the_message_and_fit_the_column_half_up() {
    let read = |column: &str, value: &[u8], precision, scale| {
        let table = table("confluent.type.Decimal d = 1;", &format!("d {column}"));
        table.read(&decimal(0x0a, value, precision, scale))
    };
    assert_eq!(read("DECIMAL(10, 2)", &[0x30, 0x39], 0, 4), "(1.23)");
    assert_eq!(read("DECIMAL(10, 2)", &[0xcf, 0xc7], 0, 2), "(-123.45)");
    assert_eq!(read("DECIMAL(5, 1)", &[25], 0, 2), "(0.3)", "half up");
    assert_eq!(read("DECIMAL(5, 1)", &[0xe7], 0, 2), "(-0.3)", "away from zero");
    assert_eq!(read("DECIMAL(5, 1)", &[24], 0, 2), "(0.2)");
    assert_eq!(read("DECIMAL(5, 0)", &[7], 0, -3), "(7000)", "a negative scale");
    // 0.45 with one digit is 0.5, and that is 1.
    assert_eq!(read("DECIMAL(2, 0)", &[45], 1, 2), "(1)", "rounded twice");
    assert_eq!(read("DECIMAL(2, 0)", &[45], 0, 2), "(0)", "rounded once");
    assert_eq!(read("DECIMAL(4, 0)", &[0x27, 0x0f], 3, 0), "(NULL)", "9999 rounds to 1.00e4");
    assert_eq!(read("DECIMAL(5, 0)", &[0x27, 0x0f], 3, 0), "(10000)");
    assert_eq!(read("DECIMAL(3, 2)", &[0x03, 0xe8], 0, 2), "(NULL)", "10.00 has four digits");
    assert_eq!(read("DECIMAL(3, 2)", &[0x00, 0x00, 0x03, 0xe7], 0, 2), "(9.99)", "sign bytes");
    assert_eq!(read("DECIMAL(3, 2)", &[0xff, 0xff, 0xfc, 0x19], 0, 2), "(-9.99)");
    for (scale, expected) in [(i32::MAX, "(0.00)"), (i32::MIN, "(NULL)")] {
        assert_eq!(read("DECIMAL(9, 2)", &[0x7f], 0, scale), expected, "{scale}");
        assert_eq!(read("DECIMAL(9, 2)", &[0x00], 0, scale), "(0.00)", "{scale}");
        assert_eq!(read("DECIMAL(9, 2)", &[0x7f; 1024], 1, scale), expected, "{scale}");
    }
    assert_eq!(
        read("DECIMAL(38, 0)", &[0x7f; 16], 0, 1),
        "(16947396313317327396019049076013554061)"
    );
    assert_eq!(
        read("DECIMAL(38, 0)", &[0x80; 16], u32::MAX, 1),
        "(-16947396313317327396019049076013554061)"
    );
    assert_eq!(read("DECIMAL(38, 0)", &[0x7f; 16], 0, 0), "(NULL)", "39 digits");
}

#[test]
fn long_decimals_are_read_by_their_digits() {
    let read = |column: &str, value: &[u8], precision, scale| {
        let table = table("confluent.type.Decimal d = 1;", &format!("d {column}"));
        table.read(&decimal(0x0a, value, precision, scale))
    };
    let power = |bits: usize| [&[1u8][..], &vec![0; bits / 8]].concat();
    let minus = |bits: usize| [&[0xffu8][..], &vec![0; bits / 8]].concat();
    // 2^136 = 87112285931760246646623899502532662132736
    assert_eq!(read("DECIMAL(20, 10)", &power(136), 0, 31), "(8711228593.1760246647)");
    assert_eq!(read("DECIMAL(20, 10)", &minus(136), 0, 31), "(-8711228593.1760246647)");
    // 2^128 = 340282366920938463463374607431768211456
    assert_eq!(read("DECIMAL(5, 1)", &power(128), 0, 35), "(3402.8)");
    assert_eq!(read("DECIMAL(5, 1)", &minus(128), 0, 35), "(-3402.8)");
    assert_eq!(read("DECIMAL(5, 1)", &minus(128), 4, 35), "(-3403.0)", "four digits first");
    assert_eq!(read("DECIMAL(5, 1)", &minus(128), 0, 39), "(-0.3)");
    assert_eq!(read("DECIMAL(5, 1)", &minus(128), 0, 41), "(0.0)");
    assert_eq!(read("DECIMAL(38, 0)", &power(136), 0, 0), "(NULL)");
    // 125 · 10^38, exactly half a unit at one decimal, and the numbers one below and one above
    let tie = |text: &str| read("DECIMAL(5, 1)", &super::hex(text), 0, 40);
    assert_eq!(tie("24bbf46e3433cdef96a872b94000000000"), "(1.3)", "half up");
    assert_eq!(tie("24bbf46e3433cdef96a872b93fffffffff"), "(1.2)");
    assert_eq!(tie("db440b91cbcc321069578d46c000000000"), "(-1.3)", "away from zero");
    assert_eq!(tie("db440b91cbcc321069578d46c000000001"), "(-1.2)");
    // 2^8184 has 2464 digits, the first of them 42607349.
    assert_eq!(read("DECIMAL(5, 3)", &power(8184), 0, 2463), "(4.261)");
    assert_eq!(read("DECIMAL(5, 3)", &[0xff; 1024], 0, 0), "(-1.000)");
    let table = table("confluent.type.Decimal d = 1;", "d DECIMAL(5, 3)");
    assert_eq!(table.read(&decimal(0x0a, &[0; 1025], 0, 0)), "bad-decimal d 3");
    assert_eq!(table.read(&decimal(0x0a, &[], 9, 2)), "bad-decimal d 2");
    assert_eq!(table.read("0a00"), "bad-decimal d 2");
}

#[test]
fn a_decimal_that_does_not_fit_is_null_or_refused() {
    let body = "confluent.type.Decimal d = 1; repeated confluent.type.Decimal r = 2;
                map<int32, confluent.type.Decimal> m = 3; string after = 4;";
    let nullable = table(
        body,
        "d DECIMAL(20, 0), r ARRAY<DECIMAL(3, 0)>, m MAP<INT, DECIMAL(20, 0)>, after STRING",
    );
    let (fits, does_not) = ([7u8], [0x7fu8; 10]);
    let wire = [
        decimal(0x0a, &does_not, 0, 0),
        decimal(0x12, &fits, 0, 0),
        decimal(0x12, &does_not, 0, 0),
        decimal(0x12, &fits, 0, 0),
        "1a0b 0801 1207 0a0107 1001 1800".to_string(),
        "1a14 0802 1210 0a0a 7f7f7f7f7f7f7f7f7f7f 1001 1800".to_string(),
        "2208 6162636465666768".to_string(),
    ];
    assert_eq!(nullable.read(&wire.concat()), "(NULL, [7, NULL, 7], {1: 7, 2: NULL}, 'abcdefgh')");
    let strict = table(body, "d DECIMAL(20, 0) NOT NULL");
    assert_eq!(strict.read(&decimal(0x0a, &does_not, 0, 0)), "null-in-not-null d 2");
    let failure = strict.decode(&super::hex(&decimal(0x0a, &does_not, 0, 0))).unwrap_err();
    assert_eq!(failure.reason, "column d is NOT NULL and the value does not fit it");
    assert_eq!(strict.read(""), "null-in-not-null d 0");
    let strict = table(body, "r ARRAY<DECIMAL(3, 0) NOT NULL>");
    assert_eq!(strict.read(&decimal(0x12, &does_not, 0, 0)), "null-in-not-null r[] 2");
    let strict = table(body, "m MAP<INT, DECIMAL(3, 0) NOT NULL>");
    assert_eq!(strict.read(&wire[5]), "null-in-not-null m[].value 6");
}

#[test]
fn both_published_layouts_of_a_decimal_are_read_by_name() {
    // The older one, here with the name of the newer: scale is field 2, precision is not there.
    let older = "syntax = \"proto3\"; package confluent.type;
                 message Decimal { bytes value = 1; int32 scale = 2; } message M { Decimal d = 1; }";
    let table = Table::of(older, "confluent.type.M", "d DECIMAL(5, 2)").unwrap();
    assert_eq!(table.read("0a05 0a0119 1001"), "(2.50)");
    assert!(table.program.missing_columns().is_empty());
    let other = older.replace("bytes value", "string value");
    let failure = Table::of(&other, "confluent.type.M", "d DECIMAL(5, 2)").err().unwrap();
    assert_eq!(failure.code.label(), "type-mismatch");
    let other = older.replace("int32 scale", "int32 places");
    let failure = Table::of(&other, "confluent.type.M", "d DECIMAL(5, 2)").err().unwrap();
    assert_eq!(
        failure.reason,
        "DECIMAL(5, 2) cannot hold field d: confluent.type.Decimal has no field scale"
    );
}

#[test]
fn all_nine_wrappers_and_their_wider_and_narrower_types() {
    let kinds =
        ["Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes"];
    let fields: Vec<String> = kinds
        .iter()
        .enumerate()
        .map(|(at, kind)| format!("google.protobuf.{kind}Value f{} = {0};", at + 1))
        .collect();
    let table = table(
        &fields.join(" "),
        "f1 DOUBLE, f2 FLOAT, f3 BIGINT, f4 BIGINT, f5 INT, f6 BIGINT, f7 BOOLEAN, f8 STRING,
         f9 BYTES",
    );
    assert_eq!(table.read(""), "(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
    let empty: String = (1..=9).map(|number| format!("{:02x}00", number * 8 + 2)).collect();
    assert_eq!(table.read(&empty), "(0.0, 0.0, 0, 0, 0, 0, false, '', x)");
    let ones = "0a09 09000000000000f83f 1205 0d0000c0bf 1a0b 08ffffffffffffffffff01
                220b 08ffffffffffffffffff01 2a0b 08ffffffffffffffffff01 3206 08ffffffff0f 3a02 0801
                4203 0a0178 4a03 0a01ff";
    assert_eq!(table.read(ones), "(1.5, -1.5, -1, -1, -1, 4294967295, true, 'x', xff)");
    let other = self::table(
        &fields.join(" "),
        "f2 DOUBLE, f4 DECIMAL(20, 0), f5 TINYINT, f6 BIGINT, f8 CHAR(3), f9 BINARY(3)",
    );
    assert_eq!(other.read(ones), "(-1.5, 18446744073709551615, -1, 4294967295, 'x', xff)");
    for column in ["f5 SMALLINT", "f5 BIGINT"] {
        assert_eq!(self::table(&fields.join(" "), column).read(ones), "(-1)", "{column}");
    }
    let schema = format!("{IMPORTS} message M {{ {} }}", fields.join(" "));
    for column in ["f1 FLOAT", "f3 INT", "f4 DECIMAL(19, 0)", "f6 INT", "f7 INT", "f8 BINARY(3)"] {
        assert_eq!(Table::refused(&schema, column).code.label(), "type-mismatch", "{column}");
    }
    let repeated = self::table(
        "repeated google.protobuf.StringValue s = 1; map<string, google.protobuf.Int32Value> m = 2;",
        "s ARRAY<STRING>, m MAP<STRING, BIGINT>",
    );
    assert_eq!(
        repeated.read("0a00 0a03 0a0178 1203 0a0161 1209 0a0162 1204 08ffff03"),
        "(['', 'x'], {'a': 0, 'b': 65535})"
    );
}

#[test]
fn well_known_types_are_plain_rows_as_well() {
    let table = table(
        "google.protobuf.Timestamp t = 1; google.protobuf.Duration d = 2; google.protobuf.Any a = 3;
         google.type.Date e = 4; google.type.TimeOfDay o = 5; confluent.type.Decimal n = 6;
         google.protobuf.BytesValue b = 7;",
        "t ROW<seconds BIGINT, nanos INT>, d ROW<nanos INT>, a ROW<type_url STRING, `value` BYTES>,
         e ROW<year INT, month INT, day INT>, o ROW<hours INT>,
         n ROW<`value` BYTES, `precision` BIGINT, scale INT>, b ROW<`value` BYTES>"
            .replace('`', "")
            .as_str(),
    );
    assert_eq!(
        table.read("0a021005 12021001 1a031201ff 2200 2a020818 3200 3a00"),
        "((0, 5), (1), ('', xff), (0, 0, 0), (24), (x, 0, 0), (x))"
    );
}

#[test]
fn messages_are_bytes_that_nobody_looks_into() {
    let schema = "syntax = \"proto2\"; message M { optional R m = 1; repeated R r = 2;
         map<int32, R> e = 3; oneof o { R a = 4; int32 b = 5; } optional group G = 6 { } }
         message R { required string s = 1; optional M m = 2; }";
    let table = Table::new(schema, "m BYTES, r ARRAY<BYTES>, e MAP<INT, BYTES>, a BYTES");
    assert_eq!(table.read(""), "(NULL, [], {}, NULL)");
    assert_eq!(table.read("0a00 1200 1a00 2200"), "(x, [x], {0: x}, x)", "nothing is required");
    assert_eq!(table.read("0a02ffff 0801 0a0401020304"), "(xffff01020304, [], {}, NULL)");
    assert_eq!(
        table.read("0a08 0102030405060708 0a00 0a0109 1203ffffff 1200"),
        "(x010203040506070809, [xffffff, x], {}, NULL)"
    );
    assert_eq!(
        table.read("1a09 0807 1202ffff 120100 1a04 0807 1200 1a05 0808 120101"),
        "(NULL, [], {7: x, 8: x01}, NULL)"
    );
    assert_eq!(table.read("2201ff 2801"), "(NULL, [], {}, NULL)", "a cleared member");
    assert_eq!(table.read("2201ff 2801 2201fe"), "(NULL, [], {}, xfe)", "from then on only");
    assert_eq!(Table::refused(schema, "g BYTES").code.label(), "type-mismatch");
    assert_eq!(Table::refused(schema, "m BINARY(9)").code.label(), "type-mismatch");
}

#[test]
fn bytes_of_discarded_messages_are_not_looked_into_either() {
    let schema = "syntax = \"proto2\"; message M { oneof o { N a = 1; int32 b = 2; }
         repeated E m = 3; repeated E l = 4; }
         message N { optional R r = 1; optional R s = 2; repeated R t = 3; optional N n = 4; }
         message E { optional int32 key = 1; optional N value = 2; }
         message R { required string q = 1; }";
    let table = Table::new(
        schema,
        "a ROW<r BYTES, t ARRAY<BYTES>, n ROW<r BYTES>>, b INT, m MAP<INT, ROW<r BYTES>>",
    );
    assert_eq!(table.read("0a03 0a01ff 1007"), "(NULL, 7, {})", "a cleared member");
    assert_eq!(table.read("0a08 1a01ff 2203 0a01ff 1007"), "(NULL, 7, {})");
    assert_eq!(table.read("0a03 1201ff 1007"), "truncated a.s 4", "s is no column");
    assert_eq!(table.read("0a05 2203 1201ff 1007"), "truncated a.n.s 6");
    assert_eq!(table.read("1a07 0801 1203 0a01ff 1a04 0801 1200"), "(NULL, NULL, {1: (NULL)})");
    assert_eq!(
        table.read("1a06 0801 1202 1200 1a04 0801 1200"),
        "missing-required m[].value.s.q 8"
    );
    let both = Table::new(schema, "a BYTES, o ROW<a ROW<r BYTES>>");
    assert_eq!(both.read("0a03 0a01ff"), "(x0a01ff, ((xff)))");
    assert_eq!(both.read("0a03 0affff 1007"), "truncated a.r 2", "one of the two looks into it");
}
