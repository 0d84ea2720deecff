//! Our columns beside those of other crates, on the records of the Java bench.
//!
//! `sluice-peers FOLDER OUT ROUNDS WARM_MILLIS SLICE_MILLIS` reads `payload`, `set` and `records` of the
//! folder (see [`payload`]), holds all contenders against each other, times them in turns, and writes a
//! list of results as `bench/` merges it. Bytes are not counted, and told as 0.
//!
//! ```text
//! native-arrow           sluice-arrow, records to a RecordBatch
//! native-arrow-exported  … and out through the C Data Interface, released by its consumer
//! native-rows            sluice-codec alone, records to canonical rows: what the columns cost is the rest
//! ptars-core             records to a RecordBatch
//! prost-reflect          records to DynamicMessages
//! prost-reflect-read     … and every value of the columns read, which a column would have to do at least
//! ```

mod agreement;
mod contenders;
mod payload;
mod rounds;

use std::error::Error;
use std::fs;
use std::path::Path;

use payload::Payload;
use rounds::{Rounds, Times};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out, numbers @ ..] = &arguments[..] else { return Err("FOLDER OUT …".into()) };
    let payload = Payload::read(Path::new(folder))?;
    let mut contenders = contenders::all(&payload)?;
    agreement::require(&payload, &mut contenders)?;
    let times = Rounds::of(numbers)?.run(&payload, &mut contenders);
    let lines: Vec<String> = times.iter().map(|times| line(&payload.name, times)).collect();
    fs::write(out, format!("[\n{}\n]\n", lines.join(",\n")))?;
    Ok(())
}

fn line(payload: &str, times: &Times) -> String {
    let Times { contender, median, min, max } = times;
    format!(
        r#"{{"payload":"{payload}","path":"arrow","contender":"{contender}","ns":{median:.1},"min":{min:.1},"max":{max:.1},"bytes":0,"vs_flink":null}}"#
    )
}
