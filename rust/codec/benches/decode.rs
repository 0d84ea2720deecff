//! Nanoseconds to decode one record into a canonical row, by shape.
//!
//! Run by `./dev bench --rust`. Measured, in CPU time of the thread, is `Decoder::decode_row` alone: the
//! record lies in its slab and the decoder is warm, as after the first records of a job; the border
//! to Java is not in it. Each shape is checked against the test kit's reference before it is timed.

mod cpu_clock;
mod shapes;

use std::hint::black_box;

use cpu_clock::CpuClock;
use criterion::{Criterion, criterion_group, criterion_main};
use prost::Message;
use shapes::Shape;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Plan, Program};
use sluice_testkit::arbitrary::plans;
use sluice_testkit::reference;

fn mean_len(things: &[Vec<u8>]) -> usize {
    things.iter().map(Vec::len).sum::<usize>() / things.len()
}

fn decode(criterion: &mut Criterion<CpuClock>) {
    for Shape { name, schema, row, records } in shapes::all() {
        let plan = plans::confluent(&row).encode_to_vec();
        let plan = Plan::read(&plan).expect("the plan is read");
        let program = Program::compile(&plan, &schema).expect("the program compiles");
        let mut decoder = Decoder::new();
        let mut rows = RowBuffer::default();

        let mut wanted = Vec::new();
        for record in &records {
            rows.clear();
            let len = decoder.decode_row(&program, &Slab::of(record), 0, &mut rows);
            wanted.push(reference::decode(&schema, &row, record).expect("a valid record"));
            assert_eq!(len, Ok(rows.rows().len()), "{name}");
            assert_eq!(rows.rows(), wanted.last().expect("just pushed"), "{name}");
        }

        let slabs: Vec<Slab> = records.iter().map(|record| Slab::of(record)).collect();
        let sizes = format!("{name}, {} B to {} B", mean_len(&records), mean_len(&wanted));
        let mut at = 0;
        criterion.bench_function(&sizes, |bencher| {
            bencher.iter(|| {
                at = (at + 1) % slabs.len();
                rows.clear();
                black_box(decoder.decode_row(&program, black_box(&slabs[at]), 0, &mut rows))
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuClock);
    targets = decode
}
criterion_main!(benches);
