use super::*;
use crate::{log_buffer, programs};
use sluice_plan::proto::{
    Column, FieldKind, Framing, Limits, MessageSelection, ResolvedField, ResolvedMessage,
    ResolvedSchema, SqlKind, SqlType, message_selection::By,
};

const HEADER: [u8; 6] = [0, 0, 0, 0, 7, 0];

fn column(name: &str, kind: SqlKind) -> Column {
    let kind = kind as i32;
    let r#type = Some(SqlType { kind, nullable: true, ..SqlType::default() });
    Column { name: name.to_string(), r#type }
}

/// `id INT, name STRING`, each record read with its own schema. `depth_max` tells plans apart.
fn plan(depth_max: u32) -> proto::Plan {
    let columns = vec![column("id", SqlKind::Integer), column("name", SqlKind::Varchar)];
    proto::Plan {
        version: 1,
        body: proto::Body::Protobuf as i32,
        profile: proto::Profile::Confluent as i32,
        framing: Framing::Registry as i32,
        row: Some(SqlType { kind: SqlKind::Row as i32, columns, ..SqlType::default() }),
        message: Some(MessageSelection { by: Some(By::WriterSchema(true)) }),
        limits: Some(Limits { depth_max, record_bytes_max: 1 << 30, batch_bytes_max: 1 << 30 }),
        ..proto::Plan::default()
    }
}

fn schema(names: &[&str]) -> Vec<u8> {
    let field = |(at, name): (usize, &&str)| ResolvedField {
        name: name.to_string(),
        number: at as u32 + 1,
        kind: if *name == "id" { FieldKind::FieldInt32 } else { FieldKind::FieldString } as i32,
        ..ResolvedField::default()
    };
    let message = ResolvedMessage {
        full_name: "shop.v1.Order".to_string(),
        fields: names.iter().enumerate().map(field).collect(),
        ..ResolvedMessage::default()
    };
    ResolvedSchema { version: 1, messages: vec![message], ..ResolvedSchema::default() }
        .encode_to_vec()
}

fn session(depth_max: u32) -> Session {
    Session::open(plan(depth_max).encode_to_vec()).unwrap()
}

/// Decodes as Java does: a moved buffer is looked at again.
fn decode(session: &mut Session, record: &[u8]) -> Result<usize, FailureCode> {
    for _ in 0..2 {
        match session.input().get_mut(..record.len()) {
            Some(input) => {
                input.copy_from_slice(record);
                session.take_input(record.len())?;
            }
            None => session.space(record.len())?.copy_from_slice(record),
        }
        match session.decode_row() {
            Err(FailureCode::RowBufferMoved) => session.show_rows(),
            done => return done,
        };
    }
    Err(FailureCode::RowBufferMoved)
}

fn record(name_len: usize) -> Vec<u8> {
    let mut record = HEADER.to_vec();
    record.extend([8, 1, 18]);
    prost::encoding::encode_varint(name_len as u64, &mut record);
    record.resize(record.len() + name_len, b'x');
    record
}

#[test]
fn a_row_is_in_the_memory_that_was_shown() {
    let mut session = session(50);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    let length = decode(&mut session, &record(3)).unwrap();
    assert_eq!(length, 24, "null bits, id, and a name of up to 7 bytes inside its slot");
    let row = &session.show_rows()[..length];
    assert_eq!(row, b"\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0xxx\0\0\0\0\x83");
    assert_eq!(session.records(), 1);
}

/// Java writes there before it calls, and would write into memory that is no more ours.
#[test]
fn the_input_stays_where_it_is() {
    let mut session = session(56);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    let input = session.input().as_ptr();
    for len in [3, INPUT_BYTES, 3, 4 * KEPT_BYTES, 3] {
        let sizes = [len; 2].into_iter().chain([5; 2 * SHRINK_RECORDS as usize]);
        for len in sizes {
            let record = record(len);
            session.start_rows();
            append(&mut session, &record).unwrap();
            decode(&mut session, &record).unwrap();
            assert_eq!(session.input().as_ptr(), input);
        }
    }
    assert_eq!(session.take_input(INPUT_BYTES + 1), Err(FailureCode::RecordTooLarge));
}

/// What stands behind a record that is cut off looks like the end of a header.
#[test]
fn a_record_shorter_than_the_header_does_not_begin_with_it() {
    let mut session = session(52);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    decode(&mut session, &record(3)).unwrap();
    assert_eq!(HEADER[HEADER.len() - 1], 0);
    for len in 0..HEADER.len() {
        assert_eq!(decode(&mut session, &HEADER[..len]), Err(FailureCode::BadFrame), "{len}");
    }
    assert_eq!(decode(&mut session, &HEADER), Ok(24), "an empty message");
}

/// The header of a message inside of others is longer than the word that is compared first.
#[test]
fn long_headers_differ_behind_their_first_word() {
    let mut session = session(53);
    let header = |last: u8| [0, 0, 0, 0, 9, 14, 2, 4, 6, 8, 10, 12, last];
    session.add_schema(&header(14), &schema(&["id", "name"])).unwrap();
    let body = &record(3)[HEADER.len()..];
    assert_eq!(decode(&mut session, &[&header(14), body].concat()), Ok(24));
    let other = [&header(16), body].concat();
    assert_eq!(decode(&mut session, &other), Err(FailureCode::UnknownSchema));
}

#[test]
fn a_refusal_is_told_only_under_its_own_code() {
    let mut session = session(51);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    let cut = &record(3)[..10];
    assert_eq!(decode(&mut session, cut), Err(FailureCode::Truncated));
    assert_eq!(session.failure(FailureCode::Truncated).message_name, "shop.v1.Order");
    assert_eq!(session.failure(FailureCode::Panic).message_name, "");
}

/// What one poll makes of a record.
fn append(session: &mut Session, record: &[u8]) -> Result<(usize, u32), FailureCode> {
    session.room(record.len())?.copy_from_slice(record);
    session.append_row()
}

#[test]
fn rows_of_a_poll_stand_one_behind_the_other_and_a_refusal_leaves_no_trace() {
    let mut session = session(54);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    let single = decode(&mut session, &record(3)).unwrap();
    let expected = session.show_rows()[..single].repeat(2);
    for _ in 0..2 {
        session.start_rows();
        assert_eq!(append(&mut session, &record(3)), Ok((24, 0)));
        assert_eq!(append(&mut session, &record(3)[..10]), Err(FailureCode::Truncated));
        assert_eq!(append(&mut session, &[0, 0, 0, 0, 8, 0]), Err(FailureCode::UnknownSchema));
        assert_eq!(append(&mut session, &record(3)), Ok((24, 0)));
        assert_eq!(session.row_bytes(), 48);
        assert_eq!(session.show_rows()[..48], expected);
    }
    assert_eq!(session.records(), 5);
}

#[test]
fn rows_of_a_poll_may_move_and_say_so() {
    let mut session = session(55);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    session.start_rows();
    session.show_rows();
    let mut expected = Vec::new();
    while !session.rows_moved() {
        let (length, _) = append(&mut session, &record(3)).unwrap();
        expected.extend_from_slice(b"\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0xxx\0\0\0\0\x83");
        assert_eq!(length, 24);
    }
    assert_eq!(session.show_rows()[..expected.len()], expected);
}

#[test]
fn memory_of_a_huge_record_is_given_back_once_records_are_small_again() {
    let mut session = session(52);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    decode(&mut session, &record(8 << 20)).unwrap();
    let huge = session.show_rows().len();
    let mut given_back = 0;
    for _ in 0..3 * SHRINK_RECORDS {
        decode(&mut session, &record(100)).unwrap();
        given_back += u32::from(session.rows.memory().len() < huge);
    }
    assert!(session.rows.memory().len() < KEPT_BYTES);
    assert!(given_back > 0);
    assert_eq!(session.records(), 3 * SHRINK_RECORDS + 1);
}

#[test]
fn memory_is_kept_while_huge_records_are_usual() {
    let mut session = session(53);
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    decode(&mut session, &record(2 << 20)).unwrap();
    let huge = session.show_rows().len();
    for at in 0..2 * SHRINK_RECORDS {
        decode(&mut session, &record(if at % 1000 == 0 { 1 << 20 } else { 10 })).unwrap();
    }
    assert_eq!(session.rows.memory().len(), huge);
}

fn header(id: u32) -> [u8; 6] {
    let [a, b, c, d] = id.to_be_bytes();
    [0, a, b, c, d, 0]
}

/// Adds the schema if it is asked for, as Java does; whether it was.
fn decode_of(session: &mut Session, id: u32, schema: &[u8]) -> bool {
    let record = [&header(id)[..], &[8, 1]].concat();
    match decode(session, &record) {
        Err(FailureCode::UnknownSchema) => {
            session.add_schema(&header(id), schema).unwrap();
            decode(session, &record).unwrap();
            true
        }
        done => done.map(|_| false).unwrap(),
    }
}

#[test]
fn a_million_schema_ids_are_not_all_remembered() {
    const USUAL: u32 = u32::MAX;
    let mut session = session(56);
    let shared = schema(&["id", "name"]);
    for id in 0..1_000_000 {
        assert!(decode_of(&mut session, id, &shared));
        if id % 1000 == 0 {
            assert_eq!(decode_of(&mut session, USUAL, &shared), id == 0);
        }
    }
    assert!(session.programs.frames() <= programs::FRAMES_MAX);
    assert!(session.programs.frames() > programs::FRAMES_MAX / 2);
    assert!(session.programs.entries() <= programs::FRAMES_MAX + 1);
    assert!(!decode_of(&mut session, 999_000, &shared), "among the last ones");
    assert!(!decode_of(&mut session, USUAL, &shared), "used all the time");
    assert!(decode_of(&mut session, 1, &shared), "used once, long ago");
    assert_eq!(session.row_counts().iter().count(), 1);
}

#[test]
fn programs_of_frames_that_were_forgotten_are_freed() {
    let mut session = session(57);
    let before = program_cache::global().live();
    let count = 2 * programs::FRAMES_MAX as u32;
    for id in 0..count {
        let name = format!("only_in_{id}");
        assert!(decode_of(&mut session, id, &schema(&["id", "name", &name])));
    }
    // Other tests have programs in it as well.
    assert!(program_cache::global().live() < before + programs::FRAMES_MAX + 100);
}

/// A few of these are as much as thousands of usual ones.
#[test]
fn big_schemas_are_forgotten_earlier() {
    let mut session = session(60);
    let big = |id: u32| schema(&["id", "name", &format!("{id}").repeat(100_000)]);
    let len = big(10).len();
    let fits = programs::SCHEMA_BYTES_MAX / len;
    for id in 10..99 {
        assert!(decode_of(&mut session, id, &big(id)));
        assert!(!decode_of(&mut session, id, &big(id)), "the last one stays");
        assert!(session.programs.frames() <= fits);
    }
    assert!(session.programs.frames() > fits / 2);
    assert!(session.programs.entries() <= fits + 1);
    for _ in 0..3 {
        session.add_schema(&header(98), &big(98)).unwrap(); // in the place of itself
    }
    assert!(session.programs.frames() > fits / 2);
    assert!(decode_of(&mut session, 10, &big(10)), "used once, long ago");
}

#[test]
fn one_warning_per_schema_and_column() {
    log_buffer::install();
    let mut first = session(54);
    let mut second = session(54);
    for session in [&mut first, &mut second] {
        for id in [7, 8] {
            session.add_schema(&[0, 0, 0, 0, id, 0], &schema(&["id"])).unwrap();
        }
    }
    let mut unframed = changed(54, reads_unframed);
    let origin = proto::SchemaOrigin { id: Some(9), ..Default::default() };
    let told = proto::ResolvedSchema { origin: Some(origin), ..Default::default() };
    unframed.add_schema(&[], &[schema(&["id"]), told.encode_to_vec()].concat()).unwrap();
    let lines = String::from_utf8_lossy(&log_buffer::drain()).into_owned();
    for id in [7, 8, 9] {
        let line =
            format!("column name is NULL in records of message shop.v1.Order of schema id {id}");
        assert_eq!(lines.matches(&line).count(), 1, "{lines}");
    }
}

#[test]
fn programs_are_shared_while_someone_uses_them() {
    let schema = schema(&["id", "name"]);
    let cache = program_cache::ProgramCache::default();
    let bytes: Arc<[u8]> = plan(55).encode_to_vec().into();
    let plan = Plan::read(&bytes).unwrap();
    let first = cache.program(&plan, &bytes, &schema, None).unwrap();
    let second = cache.program(&plan, &bytes, &schema, None).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(cache.live(), 1);
    assert!(cache.program(&plan, &bytes, &[0xff], None).is_err());
    drop((first, second));
    assert_eq!(cache.live(), 0);
}

/// A session whose plan was changed.
fn changed(depth_max: u32, change: impl FnOnce(&mut proto::Plan)) -> Session {
    let mut plan = plan(depth_max);
    change(&mut plan);
    Session::open(plan.encode_to_vec()).unwrap()
}

fn reads_unframed(plan: &mut proto::Plan) {
    let unframed_records = proto::UnframedRecords::Latest as i32;
    plan.reader = Some(proto::ReaderOptions { unframed_records, ..Default::default() });
}

#[test]
fn records_without_frame_have_a_program_of_their_own() {
    let mut session = changed(56, reads_unframed);
    let record = [8, 1, 18, 1, b'x'];
    assert_eq!(decode(&mut session, &record), Err(FailureCode::UnknownSchema));
    session.add_schema(&[], &schema(&["id", "name"])).unwrap();
    assert!(decode(&mut session, &record).is_ok());
    assert!(decode(&mut session, &[]).is_ok(), "an empty record is an empty message");
    let framed = [&HEADER[..], &record].concat();
    assert_eq!(decode(&mut session, &framed), Err(FailureCode::UnknownSchema));
    assert_eq!(session.row_counts().iter().collect::<Vec<_>>(), [("shop.v1.Order", 2)]);
}

#[test]
fn a_record_without_frame_that_is_no_message_has_a_bad_frame() {
    let mut session = changed(57, reads_unframed);
    session.add_schema(&[], &schema(&["id", "name"])).unwrap();
    // An unknown field only; a known number in another wire type; cut; invalid UTF-8.
    for record in [&[0x50, 1][..], &[13, 0, 0, 0, 0], &[8, 1, 18, 9], &[18, 1, 0xff, 8, 1]] {
        let refused = decode(&mut session, record);
        let failure = session.failure(FailureCode::BadFrame);
        if record == [18, 1, 0xff, 8, 1] {
            assert!(refused.is_ok(), "the field of the test is lenient");
            continue;
        }
        assert_eq!(refused, Err(FailureCode::BadFrame), "{record:?}");
        assert_eq!(failure.message_name, "shop.v1.Order");
        assert!(failure.reason.starts_with("the record has no frame"), "{failure:?}");
    }
    assert!(decode(&mut session, &[0x50, 1, 8, 1]).is_ok(), "behind an unknown field");
}

#[test]
fn messages_that_nobody_asks_for_give_no_row() {
    let name = By::Name("shop.v1.Refund".to_string());
    let mut session = changed(58, |plan| plan.message = Some(MessageSelection { by: Some(name) }));
    session.add_schema(&HEADER, &schema(&["id", "name"])).unwrap();
    assert_eq!(decode(&mut session, &record(3)), Err(FailureCode::OtherMessage));
    assert_eq!(session.row_counts().iter().count(), 0);
}

#[test]
fn metadata_is_the_same_in_every_row_of_a_schema() {
    let mut session = changed(59, |plan| {
        let columns = &mut plan.row.as_mut().unwrap().columns;
        columns.push(column("m", SqlKind::Varchar));
        columns.push(column("s", SqlKind::Integer));
        plan.metadata = vec!["message-name".to_string(), "schema-id".to_string()];
    });
    let origin = proto::SchemaOrigin { id: Some(-2), guid: None };
    let added = ResolvedSchema { origin: Some(origin), ..ResolvedSchema::default() };
    let resolved = [schema(&["id", "name"]), added.encode_to_vec()].concat();
    session.add_schema(&HEADER, &resolved).unwrap();
    let length = decode(&mut session, &record(3)).unwrap();
    let row = &session.show_rows()[..length];
    assert_eq!(row[0], 0, "nothing is NULL");
    assert_eq!(row[32..40], (-2i32 as u32 as u64).to_le_bytes());
    assert!(row.ends_with(b"shop.v1.Order\0\0\0"));
}
