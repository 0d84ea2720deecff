//! Records to an Arrow batch, and back.

use std::error::Error;

use prost::Message;
use sluice_arrow::{BatchDecoder, BatchEncoder};
use sluice_plan::proto::Framing;
use sluice_plan::{Plan, infer};

const ORDER: &str = r#"
    syntax = "proto3";
    package shop;
    message Order { int64 id = 1; optional string note = 2; repeated int32 amounts = 3; }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // Any descriptor set will do: protoc's, protox's, buf's.
    let folder = std::env::temp_dir().join(format!("sluice-orders-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("order.proto"), ORDER)?;
    let set = protox::compile(["order.proto"], [&folder])?.encode_to_vec();
    std::fs::remove_dir_all(&folder)?;

    // The columns of the message; a row type of one's own does as well.
    let schema = sluice_schema::resolve_name(&sluice_schema::read_set(&set)?, "shop.Order")?;
    let plan = Plan::for_row(infer::row_type(&schema)?, Framing::Bare)?;

    let records = [&b"\x08\x01\x12\x04rope"[..], b"\x08", b"\x08\x03\x1a\x02\x05\x06"];
    let decoded = BatchDecoder::new(&plan, &schema)?.decode(&records)?;
    assert_eq!(decoded.batch.num_rows(), 2);
    assert_eq!(decoded.batch.schema().field(2).name(), "amounts");
    for refused in &decoded.refused {
        println!("record {}: {}", refused.index, refused.failure);
    }

    let encoded = BatchEncoder::new(&plan, &schema, &[])?.encode(&decoded.batch)?;
    let again: Vec<&[u8]> = encoded.records().collect();
    assert_eq!(again, [records[0], records[2]]);
    Ok(())
}

#[test]
fn runs() {
    main().unwrap();
}
