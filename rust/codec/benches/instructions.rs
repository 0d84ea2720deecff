//! One path over and over, for a tool that counts instructions.
//!
//! `instructions PATH SHAPE ROUNDS` goes through the records of a shape so many times; what one record
//! costs is the difference between two runs, divided by the records between them. `instructions` alone
//! lists paths and shapes, and how many records a round has.

mod shapes;

use std::hint::black_box;

use prost::Message;
use shapes::Shape;
use sluice_codec::{Decoder, Encoder, RecordBuffer, RowBuffer, RowImage, Slab};
use sluice_plan::{EncodeProgram, Plan, Program};
use sluice_testkit::arbitrary::plans;
use sluice_wire::quick::has_pext;

/// A path over the records of a shape.
type Path = fn(&Plan, &Shape, usize);

const PATHS: [(&str, Path); 3] =
    [("decode", decode_baseline), ("decode-pext", decode_pext), ("encode", encode)];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let shapes = shapes::all();
    let [path, shape, rounds] = &arguments[..] else {
        for (path, _) in PATHS {
            if path == "decode-pext" && !has_pext() {
                continue;
            }
            for shape in &shapes {
                println!("{path} {} {}", shape.name, shape.records.len());
            }
        }
        return;
    };
    let (_, path) = PATHS.iter().find(|(name, _)| name == path).expect("a path of the list");
    let shape = shapes.iter().find(|one| one.name == shape).expect("a shape of the list");
    let plan = plans::confluent(&shape.row).encode_to_vec();
    let plan = Plan::read(&plan).expect("the plan is read");
    path(&plan, shape, rounds.parse().expect("a number of rounds"));
}

fn decode_baseline(plan: &Plan, shape: &Shape, rounds: usize) {
    decode(plan, shape, rounds, Decoder::baseline());
}

fn decode_pext(plan: &Plan, shape: &Shape, rounds: usize) {
    decode(plan, shape, rounds, Decoder::new());
}

fn decode(plan: &Plan, shape: &Shape, rounds: usize, mut decoder: Decoder) {
    let program = Program::compile(plan, &shape.schema).expect("the program compiles");
    let slabs: Vec<Slab> = shape.records.iter().map(|record| Slab::of(record)).collect();
    let mut rows = RowBuffer::default();
    for _ in 0..rounds {
        for slab in &slabs {
            rows.clear();
            let len = decoder.decode_row(&program, black_box(slab), 0, &mut rows);
            black_box(len).expect("a valid record");
        }
    }
}

fn encode(plan: &Plan, shape: &Shape, rounds: usize) {
    let reader = Program::compile(plan, &shape.schema).expect("the program compiles");
    let writer = EncodeProgram::compile(plan, &shape.schema).expect("the program compiles");
    let (mut decoder, mut encoder) = (Decoder::new(), Encoder::new());
    let mut images: Vec<RowImage> = Vec::new();
    for record in &shape.records {
        let mut rows = RowBuffer::default();
        decoder.decode_row(&reader, &Slab::of(record), 0, &mut rows).expect("a valid record");
        let mut image = RowImage::default();
        image.space(rows.rows().len()).copy_from_slice(rows.rows());
        images.push(image);
    }
    let mut out = RecordBuffer::default();
    for _ in 0..rounds {
        for image in &mut images {
            let len = encoder.encode(&writer, black_box(image), &[], &mut out);
            black_box(len).expect("a valid row");
        }
    }
}
