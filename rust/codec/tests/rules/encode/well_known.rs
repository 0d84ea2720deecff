//! TIMESTAMP, DATE, TIME, DECIMAL and messages as bytes, at their limits (E2 to E4).

use super::Sink;

fn sink(columns: &str) -> Sink {
    Sink::new(
        "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; import
         \"google/type/date.proto\"; import \"google/type/timeofday.proto\"; import
         \"confluent/type/decimal.proto\"; message M { google.protobuf.Timestamp ts = 1;
         google.type.Date da = 2; google.type.TimeOfDay ti = 3; confluent.type.Decimal de = 4;
         M m = 5; repeated google.protobuf.Timestamp all = 6; }",
        columns,
    )
}

#[test]
fn seconds_are_floored_and_nanos_count_forward() {
    for columns in ["ts TIMESTAMP(3)", "ts TIMESTAMP_LTZ(3)"] {
        sink(columns).all_written(&[
            ("(0)", "0a00"),
            ("(1500)", "0a08 0801 1080cab5ee01"),
            ("(-1500)", "0a11 08feffffffffffffffff01 1080cab5ee01"),
            ("(-1)", "0a11 08ffffffffffffffffff01 10c08faedc03"),
        ]);
    }
    sink("ts TIMESTAMP(9)").all_written(&[
        ("(0 1)", "0a02 1001"),
        ("(-1 999999)", "0a11 08ffffffffffffffffff01 10ff93ebdc03"),
        ("(-1000 0)", "0a0b 08ffffffffffffffffff01"),
    ]);
    sink("all ARRAY<TIMESTAMP(9)>").all_written(&[("([0 1, 1000 0])", "3202 1001 3202 0801")]);
}

#[test]
fn timestamps_stand_in_the_years_1_to_9999() {
    sink("ts TIMESTAMP(3)").all_written(&[
        ("(-62135596800000)", "0a0b 088092b8c398feffffff01"),
        ("(-62135596800001)", "timestamp-range ts"),
        ("(253402300799999)", "0a0d 08ff82d1ffaf07 10c08faedc03"),
        ("(253402300800000)", "timestamp-range ts"),
    ]);
    // A slot may hold more nanoseconds than a millisecond has.
    sink("ts TIMESTAMP(9)").all_written(&[("(999 1000000)", "timestamp-range ts")]);
}

#[test]
fn dates_and_times() {
    let table = sink("da DATE, ti TIME");
    table.all_written(&[
        ("(0, 0)", "1207 08b20f 1001 1801 1a00"),
        (
            "(11016, 86399999)",
            "1207 08d00f 1002 181d 1a0c 0817 103b 183b 20c0 8faedc03".replace(' ', "").leak(),
        ),
        ("(-719162, 1)", "1206 0801 1001 1801 1a04 20c0843d"),
        ("(2932896, 3600000)", "1207 088f4e 100c 181f 1a02 0801"),
        ("(-719163, 0)", "bad-date da"),
        ("(2932897, 0)", "bad-date da"),
        ("(0, -1)", "bad-time ti"),
        ("(0, 86400000)", "bad-time ti"),
    ]);
}

#[test]
fn decimals_have_the_fewest_bytes_and_their_own_digits() {
    sink("de DECIMAL(9, 2)").all_written(&[
        ("(0)", "2207 0a0100 1001 1802"),
        ("(150)", "2208 0a020096 1003 1802"),
        ("(127)", "2207 0a017f 1003 1802"),
        ("(128)", "2208 0a020080 1003 1802"),
        ("(-128)", "2207 0a0180 1003 1802"),
        ("(-129)", "2208 0a02ff7f 1003 1802"),
    ]);
    sink("de DECIMAL(38, 0)").all_written(&[
        ("(1)", "2205 0a0101 1001"),
        (
            "(99999999999999999999999999999999999999)",
            "2214 0a10 4b3b4ca85a86c47a098a223fffffffff 1026",
        ),
        (
            "(-99999999999999999999999999999999999999)",
            "2214 0a10 b4c4b357a5793b85f675ddc000000001 1026",
        ),
    ]);
}

#[test]
fn a_message_may_be_bytes_that_are_not_looked_into() {
    sink("m BYTES").all_written(&[("(NULL)", ""), ("(x)", "2a00"), ("(xff)", "2a01ff")]);
}
