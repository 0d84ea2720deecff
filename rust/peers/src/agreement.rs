//! Contenders are compared only if they say the same.

use std::error::Error;

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::datatypes::DataType;
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::contenders::Contender;
use crate::payload::Payload;

/// An error if two of them make different values of a record. Values are compared as texts, so that a
/// dictionary equals the texts that it stands for.
pub fn require(
    payload: &Payload, contenders: &mut [Box<dyn Contender>],
) -> Result<(), Box<dyn Error>> {
    for batch in &payload.batches {
        let mut wanted = None;
        for contender in &mut *contenders {
            let found = texts(&contender.columns(batch))?;
            let wanted = wanted.get_or_insert_with(|| found.clone());
            if let Some((found, wanted)) = found.iter().zip(&*wanted).find(|(a, b)| a != b) {
                let name = contender.name();
                return Err(format!("{name} disagrees:\n{found}\n{wanted}").into());
            }
        }
    }
    Ok(())
}

/// Each value with the name of its column, row after row.
fn texts(batch: &RecordBatch) -> Result<Vec<String>, Box<dyn Error>> {
    let options = FormatOptions::default().with_null("NULL").with_display_error(false);
    let schema = batch.schema();
    let columns = batch.columns().iter().map(counted).collect::<Result<Vec<ArrayRef>, _>>()?;
    let formatters = columns.iter().map(|column| ArrayFormatter::try_new(column, &options));
    let formatters = formatters.collect::<Result<Vec<ArrayFormatter<'_>>, _>>()?;
    let mut texts = Vec::new();
    for row in 0..batch.num_rows() {
        for (field, column) in schema.fields().iter().zip(&formatters) {
            let mut value = column.value(row).try_to_string()?;
            if matches!(field.data_type(), DataType::Map(..)) {
                value = without_order(&value);
            }
            texts.push(format!("{row} {} {value}", field.name()));
        }
    }
    // What is missing at the end would go unseen.
    texts.push(format!("{} rows of {} columns", batch.num_rows(), batch.num_columns()));
    Ok(texts)
}

/// Moments as what they count: a text of them would want a table of time zones.
fn counted(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(..) => arrow::compute::cast(column, &DataType::Int64),
        _ => Ok(column.clone()),
    }
}

/// A map keeps no order where it is a hash map.
fn without_order(entries: &str) -> String {
    let mut entries: Vec<&str> = entries.trim_matches(['{', '}']).split(", ").collect();
    entries.sort_unstable();
    entries.join(", ")
}
