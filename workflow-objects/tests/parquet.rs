//! Tables of Apache Parquet.

#[path = "../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use maps::Flow;

use parquet::basic::{Compression, GzipLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use workflow_objects::reader::{
    Item, ItemReader, ItemSource, Position, ReaderArguments, ReaderConfig, ReaderError, ReaderResource, ReaderSettings,
};
use workflow_objects::store::{MemoryStore, Stores};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Builder, Task, TaskContext, Value, value};

const SCHEMA: &str = "message row {
    required int64 id;
    optional binary name (UTF8);
    required binary raw;
    required int64 at (TIMESTAMP(MILLIS, true));
    required int32 day (DATE);
    required int32 price (DECIMAL(9, 2));
    required double weight;
    repeated int32 tags;
}";

/// Returns a table of row groups of some rows.
fn table(groups: &[usize], compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("the schema is one"));
    let properties = WriterProperties::builder().set_compression(compression).set_data_page_row_count_limit(7).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("a writer");
    let mut first = 0;
    for count in groups {
        let rows: Vec<i64> = (first..).take(*count).collect();
        first += i64::try_from(*count).expect("it is small");
        let small = |row: &i64| i32::try_from(*row).expect("it is small");
        let mut group = writer.next_row_group().expect("a row group");
        let mut column = 0;
        while let Some(mut writer) = group.next_column().expect("a column") {
            match column {
                0 => {
                    writer.typed::<Int64Type>().write_batch(&rows, None, None).expect("it is written");
                }
                1 => {
                    let levels: Vec<i16> = rows.iter().map(|row| i16::from(row % 3 != 0)).collect();
                    let names = rows.iter().filter(|row| *row % 3 != 0);
                    let names: Vec<ByteArray> = names.map(|row| format!("n{row}").as_str().into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&names, Some(&levels), None).expect("it is written");
                }
                2 => {
                    let raw: Vec<ByteArray> = rows.iter().map(|_| vec![0xff, 0x00].into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&raw, None, None).expect("it is written");
                }
                3 => {
                    let at: Vec<i64> = rows.iter().map(|row| row * 1000 + 5).collect();
                    writer.typed::<Int64Type>().write_batch(&at, None, None).expect("it is written");
                }
                4 | 5 => {
                    let numbers: Vec<i32> = rows.iter().map(|row| small(row) * 150).collect();
                    writer.typed::<Int32Type>().write_batch(&numbers, None, None).expect("it is written");
                }
                6 => {
                    let weights: Vec<f64> = rows.iter().map(|row| f64::from(small(row)) / 4.0).collect();
                    writer.typed::<DoubleType>().write_batch(&weights, None, None).expect("it is written");
                }
                _ => {
                    let tags: Vec<i32> = rows.iter().flat_map(|row| [small(row), 7]).collect();
                    let definitions = vec![1; tags.len()];
                    let repetitions: Vec<i16> = rows.iter().flat_map(|_| [0, 1]).collect();
                    let mut tagged = writer.typed::<Int32Type>();
                    tagged.write_batch(&tags, Some(&definitions), Some(&repetitions)).expect("it is written");
                    let _ = &mut tagged;
                }
            }
            writer.close().expect("the column is complete");
            column += 1;
        }
        group.close().expect("the row group is complete");
    }
    writer.into_inner().expect("the table is complete")
}

fn reader() -> ItemReader {
    let settings = ReaderSettings { input_type: Some("PARQUET".to_owned()), ..ReaderSettings::default() };
    let config = ReaderConfig::new(ReaderResource::GetObject, &settings).expect("the configuration is accepted");
    let arguments = ReaderArguments { bucket: "b".into(), key: "a".into(), ..ReaderArguments::default() };
    ItemReader::new(config, arguments, None).expect("the arguments are accepted")
}

async fn read(table: &[u8], position: Option<&Position>) -> Result<Vec<(Item, Position)>, ReaderError> {
    let store = MemoryStore::new();
    store.insert("a", table.to_vec());
    let stores = Stores::new().with("b", store);
    let mut source = ItemSource::open(&stores, &reader(), position).await?;
    let mut items = Vec::new();
    while let Some(item) = source.next().await? {
        items.push((item, source.position()));
    }
    Ok(items)
}

#[tokio::test]
async fn rows_are_objects() {
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::GZIP(GzipLevel::default())] {
        let items = read(&table(&[3], compression), None).await.expect("the table is read");
        let values: Vec<Value> = items.into_iter().map(|(item, _)| item.value).collect();
        let row = |id: i64, name: Value, at: &str, day: &str, price: Value, weight: f64| {
            value!({
                "id": id, "name": name, "raw": "/wA=", "at": at, "day": day, "price": price, "weight": weight,
                "tags": [id, 7],
            })
        };
        let expected = [
            row(0, Value::Null, "1970-01-01T00:00:00.005Z", "1970-01-01", value!(0), 0.0),
            row(1, value!("n1"), "1970-01-01T00:00:01.005Z", "1970-05-31", value!(1.5), 0.25),
            row(2, value!("n2"), "1970-01-01T00:00:02.005Z", "1970-10-28", value!(3), 0.5),
        ];
        assert_eq!(values, expected, "{compression:?}");
    }
}

#[tokio::test]
async fn every_row_continues() {
    let table = table(&[10, 0, 1, 150, 3], Compression::SNAPPY);
    let items = read(&table, None).await.expect("the table is read");
    assert_eq!(items.len(), 164);
    for (at, (item, position)) in items.iter().enumerate().filter(|(at, _)| at % 7 == 0 || *at < 12 || *at > 158) {
        assert_eq!(item.value.get("id").and_then(Value::as_i64), i64::try_from(at).ok());
        let rest = read(&table, Some(position)).await.expect("the table is read");
        assert!(rest == items[at + 1..], "behind row {at}");
    }
}

#[tokio::test]
async fn damaged_tables_are_named() {
    let whole = table(&[100, 100], Compression::SNAPPY);
    for length in [0, 1, 7, 8, 100, whole.len() / 2, whole.len() - 1] {
        let error = read(&whole[..length], None).await.expect_err("the table is truncated");
        assert!(error.cause().starts_with("s3://b/a, record 1: the Parquet data cannot be read: "), "{error}");
    }
    // Whatever byte is damaged, there are rows or an error, and no panic leaves the thread.
    for at in (0..whole.len()).step_by(11) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        if let Err(error) = read(&damaged, None).await {
            assert!(error.cause().starts_with("s3://b/a, record "), "{error}");
        }
    }
}

/// Returns a table with one value.
fn table_of_one(bytes: usize, compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type("message row { required binary raw; }").expect("the schema is one"));
    let properties = WriterProperties::builder().set_compression(compression).set_dictionary_enabled(false);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).expect("a writer");
    let mut group = writer.next_row_group().expect("a row group");
    let mut column = group.next_column().expect("a column").expect("there is one");
    let value = ByteArray::from(vec![0; bytes]);
    column.typed::<ByteArrayType>().write_batch(&[value], None, None).expect("it is written");
    column.close().expect("the column is complete");
    group.close().expect("the row group is complete");
    writer.into_inner().expect("the table is complete")
}

#[tokio::test]
async fn a_page_that_inflates_beyond_reason_is_refused() {
    for (bytes, expected) in [
        (65 << 20, "a page has more than 67108864 bytes once it is inflated"),
        (20 << 20, "a row is longer than 16777216 bytes"),
    ] {
        let error = read(&table_of_one(bytes, Compression::SNAPPY), None).await.expect_err("it is too large");
        assert!(error.cause().contains(expected), "{error}");
    }
}

/// Returns each input, and counts them.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Invoke for Counter {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move { Ok(input) })
    }
}

#[tokio::test]
async fn a_run_over_a_damaged_table_processes_the_rows_before_the_damage() {
    let whole = table(&[100, 100, 100], Compression::SNAPPY);
    // The footer, which says where the columns are, is at the end.
    let truncated = whole[..whole.len() - 1].to_vec();
    let mut damaged = whole.clone();
    // All pages behind the middle of the second row group, up to the footer and its length.
    let footer = u32::from_le_bytes(whole[whole.len() - 8..][..4].try_into().expect("four bytes")) as usize + 8;
    let middle = (whole.len() - footer) / 2;
    damaged[middle..whole.len() - footer].fill(0xff);
    for (table, least, record) in [(truncated, 0, "record 1"), (damaged, 100, "record ")] {
        let (store, counter) = (MemoryStore::new(), Counter::default());
        store.insert("a", table);
        let settings = value!({ "reader": { "Bucket": "b", "Key": "a" }, "config": { "InputType": "PARQUET" } });
        let builder = Builder::<Flow>::new().tasks(&counter).objects(Stores::new().with("b", store));
        let outcome = builder.run(value!({ "map": 1, "settings": settings })).await;
        let Err(fault) = outcome else { panic!("the table is damaged") };
        assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
        let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
        assert!(cause.starts_with(&format!("s3://b/a, {record}")), "{cause}");
        let count = counter.0.load(Ordering::Relaxed);
        assert!((least..300).contains(&count) && (least > 0 || count == 0), "{count}: {cause}");
    }
}
