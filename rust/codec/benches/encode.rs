//! Nanoseconds to encode one canonical row into a record, by shape.
//!
//! Run by `./dev bench --rust`. Measured, in CPU time of the thread, is `Encoder::encode` alone: the
//! row lies in its image and the encoder is warm, as after the first rows of a job; the border to Java
//! is not in it. The rows are what the decoder makes of the records of the decoding bench; each is
//! checked to read back as itself before it is timed.

mod cpu_clock;
mod shapes;

use std::hint::black_box;

use cpu_clock::CpuClock;
use criterion::{Criterion, criterion_group, criterion_main};
use prost::Message;
use shapes::Shape;
use sluice_codec::{Decoder, Encoder, RecordBuffer, RowBuffer, RowImage, Slab};
use sluice_plan::{EncodeProgram, Plan, Program};
use sluice_testkit::arbitrary::plans;

fn mean_len(things: &[Vec<u8>]) -> usize {
    things.iter().map(Vec::len).sum::<usize>() / things.len()
}

fn image(row: &[u8]) -> RowImage {
    let mut image = RowImage::default();
    image.space(row.len()).copy_from_slice(row);
    image
}

fn encode(criterion: &mut Criterion<CpuClock>) {
    for Shape { name, schema, row, records } in shapes::all() {
        let plan = plans::confluent(&row).encode_to_vec();
        let plan = Plan::read(&plan).expect("the plan is read");
        let reader = Program::compile(&plan, &schema).expect("the program compiles");
        let writer = EncodeProgram::compile(&plan, &schema).expect("the encode program compiles");
        let (mut decoder, mut encoder) = (Decoder::new(), Encoder::new());
        let mut decode = |record: &[u8]| {
            let mut rows = RowBuffer::default();
            decoder.decode_row(&reader, &Slab::of(record), 0, &mut rows).expect("a valid record");
            rows.rows().to_vec()
        };

        let rows: Vec<Vec<u8>> = records.iter().map(|record| decode(record)).collect();
        let mut images: Vec<RowImage> = rows.iter().map(|row| image(row)).collect();
        let mut out = RecordBuffer::default();
        let mut written = Vec::new();
        for (row, image) in rows.iter().zip(&mut images) {
            let len = encoder.encode(&writer, image, &[], &mut out);
            written.push(out.record().to_vec());
            assert_eq!(len, Ok(out.record().len()), "{name}");
            assert_eq!(&decode(out.record()), row, "{name}");
        }

        let sizes = format!("{name}, {} B to {} B", mean_len(&rows), mean_len(&written));
        let mut at = 0;
        criterion.bench_function(&sizes, |bencher| {
            bencher.iter(|| {
                at = (at + 1) % images.len();
                black_box(encoder.encode(&writer, black_box(&mut images[at]), &[], &mut out))
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuClock);
    targets = encode
}
criterion_main!(benches);
