//! Tables of Apache Parquet that few bytes make enormous.

use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use workflow_objects::reader::{ItemReader, ItemSource, ReaderArguments, ReaderConfig, ReaderResource, ReaderSettings};
use workflow_objects::store::{MemoryStore, Stores};

/// Returns the number of rows of a table, or the error of the first that cannot be read.
async fn rows(table: &[u8]) -> Result<usize, String> {
    let store = MemoryStore::new();
    store.insert("a", table.to_vec());
    let stores = Stores::new().with("b", store);
    let settings = ReaderSettings { input_type: Some("PARQUET".to_owned()), ..ReaderSettings::default() };
    let config = ReaderConfig::new(ReaderResource::GetObject, &settings).expect("the configuration is accepted");
    let arguments = ReaderArguments { bucket: "b".into(), key: "a".into(), ..ReaderArguments::default() };
    let reader = ItemReader::new(config, arguments, None).expect("the arguments are accepted");
    let mut source = ItemSource::open(&stores, &reader, None).await.map_err(|error| error.cause().to_owned())?;
    let mut count = 0;
    while source.next().await.map_err(|error| error.cause().to_owned())?.is_some() {
        count += 1;
    }
    Ok(count)
}

async fn check(table: &[u8], expected: Result<usize, &str>) {
    match (rows(table).await, expected) {
        (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}, but not {expected}"),
        (found, expected) => {
            assert_eq!(found.as_ref().map_err(String::as_str).ok(), expected.as_ref().ok(), "{found:?}")
        }
    }
}

/// Returns a file without rows: a directory with a schema, in the compact protocol of Thrift.
fn file(count: usize, elements: &[u8]) -> Vec<u8> {
    // 1: i32 = 1, 2: a list of structures.
    let mut directory = vec![0x15, 2, 0x19, 0xfc];
    directory.extend(varint(count as u64));
    directory.extend_from_slice(elements);
    // 3: i64 = 0, 4: no structures, and the end.
    directory.extend([0x16, 0, 0x19, 0x0c, 0]);
    let length = u32::try_from(directory.len()).expect("it is small");
    [b"PAR1", &directory[..], &length.to_le_bytes(), b"PAR1"].concat()
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        // The lowest seven bits.
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Returns a group of the schema: a repetition, a name, and a number of children.
fn group(children: u64) -> Vec<u8> {
    [&[0x35, 0, 0x18, 1, b'a', 0x15][..], &varint(children * 2), &[0]].concat()
}

/// A column of whole numbers: a type, a repetition, and a name.
const COLUMN: [u8; 8] = [0x15, 2, 0x25, 0, 0x18, 1, b'a', 0];

/// Returns a file with a column in groups.
fn nested(levels: usize) -> Vec<u8> {
    file(levels, &[group(1).repeat(levels - 1), COLUMN.to_vec()].concat())
}

#[tokio::test]
async fn a_schema_with_too_many_levels_is_refused() {
    check(&nested(127), Ok(0)).await;
    for levels in [128, 20_000, 500_000] {
        check(&nested(levels), Err("the schema is nested deeper than 127 levels")).await;
    }
}

#[tokio::test]
async fn a_schema_that_is_not_what_it_says_is_refused() {
    let fewer = "the schema has fewer elements than its groups have children";
    check(&file(3, &[group(2), COLUMN.repeat(2)].concat()), Ok(0)).await;
    check(&file(3, &[group(3), COLUMN.repeat(2)].concat()), Err(fewer)).await;
    check(&file(2, &[group((1 << 31) - 1), COLUMN.to_vec()].concat()), Err(fewer)).await;
    check(&file(4, &[group(2), group(2), COLUMN.repeat(2)].concat()), Err(fewer)).await;
    check(&file(1_000_001, &[]), Err("the schema has more than 1000000 elements")).await;
    let damaged = "the directory of the table is damaged";
    check(&file(2, &[group(1 << 31), COLUMN.to_vec()].concat()), Err(damaged)).await;
    // The number of children has the type of a text, so that readers differ in what follows it.
    let mut text = group(1);
    text[5] = 0x18;
    check(&file(2, &[text, COLUMN.to_vec()].concat()), Err(damaged)).await;
    check(&file(3, &group(2)), Err(damaged)).await;
    let mut groups = file(2, &[group(1), COLUMN.to_vec()].concat());
    let at = groups.len() - 8 - 2;
    groups[at] = 0xec;
    check(&groups, Err("the directory has fewer row groups than it says")).await;
}

#[tokio::test]
async fn logical_types_are_passed() {
    let schema = "message row {
        required int64 at (TIMESTAMP(MICROS, true));
        required int32 time (TIME(MILLIS, false));
        required int32 price (DECIMAL(9, 2));
        required int32 small (INTEGER(8, false));
        required binary name (STRING);
        optional group list (LIST) { repeated group list { required int32 element; } }
    }";
    let schema = Arc::new(parse_message_type(schema).expect("the schema is one"));
    let writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("a writer");
    check(&writer.into_inner().expect("the table is complete"), Ok(0)).await;
}

/// The values of a column, with the levels of their definitions and repetitions.
enum Column {
    Numbers(Vec<i32>, Vec<i16>, Vec<i16>),
    Texts(Vec<ByteArray>, Vec<i16>, Vec<i16>),
}

/// Returns the levels of a column, if it has lists.
fn some(levels: &[i16]) -> Option<&[i16]> {
    (!levels.is_empty()).then_some(levels)
}

/// Returns a table with a row group.
fn table(schema: &str, properties: WriterPropertiesBuilder, columns: &[Column]) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).expect("the schema is one"));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).expect("a writer");
    let mut group = writer.next_row_group().expect("a row group");
    for column in columns {
        let mut writer = group.next_column().expect("a column").expect("there is one");
        let written = match column {
            Column::Numbers(values, definitions, repetitions) => {
                writer.typed::<Int32Type>().write_batch(values, some(definitions), some(repetitions))
            }
            Column::Texts(values, definitions, repetitions) => {
                writer.typed::<ByteArrayType>().write_batch(values, some(definitions), some(repetitions))
            }
        };
        written.expect("it is written");
        writer.close().expect("the column is complete");
    }
    group.close().expect("the row group is complete");
    writer.into_inner().expect("the table is complete")
}

/// Returns the levels of a row with some values.
fn list(count: usize) -> (Vec<i16>, Vec<i16>) {
    (vec![1; count], (0..count).map(|at| i16::from(at > 0)).collect())
}

const TEXTS: &str = "message row { repeated binary x (UTF8); }";

#[tokio::test]
async fn a_row_that_is_a_large_value_many_times_is_refused() {
    let value = ByteArray::from("x".repeat(1 << 20).as_str());
    let properties = || WriterProperties::builder().set_dictionary_page_size_limit(16 << 20);
    for (count, expected) in [
        (10, Ok(1)),
        (20, Err("a row is longer than 16777216 bytes")),
        (260, Err("the lists of a row may have more than 268435456 bytes")),
    ] {
        let (definitions, repetitions) = list(count);
        let column = Column::Texts(vec![value.clone(); count], definitions, repetitions);
        let table = table(TEXTS, properties(), &[column]);
        assert!(table.len() < 4 << 20);
        check(&table, expected).await;
    }
    // A large value in one of many rows is no large row.
    let mut values = vec![ByteArray::from("a"); 2000];
    values[1000] = value;
    let column = Column::Texts(values, vec![1; 2000], vec![0; 2000]);
    check(&table(TEXTS, properties(), &[column]), Ok(2000)).await;
}

#[tokio::test]
async fn a_row_of_too_many_values_is_refused() {
    let count = 5_000_000;
    let (definitions, repetitions) = list(count);
    let column = Column::Numbers(vec![1; count], definitions, repetitions);
    let table = table("message row { repeated int32 x; }", WriterProperties::builder(), &[column]);
    check(&table, Err("the lists of a row may have more than 268435456 bytes")).await;
}

#[tokio::test]
async fn columns_whose_rows_do_not_match_are_refused() {
    let schema = "message row { repeated group g { required int32 a; required binary b; } }";
    let properties = || {
        let properties = WriterProperties::builder().set_dictionary_enabled(false);
        properties.set_data_page_row_count_limit(7).set_write_batch_size(1)
    };
    let texts = |count| vec![ByteArray::from("x"); count];
    let matching = [
        Column::Numbers(vec![1; 100], vec![1; 100], vec![0; 100]),
        Column::Texts(texts(100), vec![1; 100], vec![0; 100]),
    ];
    check(&table(schema, properties(), &matching), Ok(100)).await;
    // The first list takes the values of all rows.
    let (mut definitions, mut repetitions) = list(100);
    definitions.extend([0; 99]);
    repetitions.extend([0; 99]);
    let different = [
        Column::Numbers(vec![1; 100], definitions, repetitions),
        Column::Texts(texts(100), vec![1; 100], vec![0; 100]),
    ];
    check(&table(schema, properties(), &different), Err("the rows of its columns do not match")).await;
}

#[tokio::test]
async fn values_that_repeat_the_one_before_are_read_one_by_one() {
    let schema = "message row { required binary x (UTF8); }";
    let properties = |encoding| WriterProperties::builder().set_dictionary_enabled(false).set_encoding(encoding);
    for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let lists = "message row { repeated binary x (UTF8); }";
            let (definitions, repetitions) = list(3000);
            let values = (0..3000).map(|at| ByteArray::from(format!("{at}").as_str())).collect();
            let properties = properties(encoding).set_writer_version(version);
            let table = table(lists, properties, &[Column::Texts(values, definitions, repetitions)]);
            check(&table, Ok(1)).await;
        }
    }
    let properties = properties(Encoding::DELTA_BYTE_ARRAY);
    let values = vec![ByteArray::from("x".repeat(1000).as_str()); 2000];
    let table = table(schema, properties, &[Column::Texts(values, Vec::new(), Vec::new())]);
    check(&table, Ok(2000)).await;
    // A column that hides its encoding, a 7, would be read in large steps.
    let end = table.len() - 8;
    let length = u32::from_le_bytes(table[end..end + 4].try_into().expect("four bytes"));
    let directory = end - usize::try_from(length).expect("it is small");
    let mut errors = Vec::new();
    for at in (directory..end).filter(|at| table[*at] == 7 * 2) {
        let mut hidden = table.clone();
        hidden[at] = 0;
        errors.extend(rows(&hidden).await.err());
    }
    let expected = "a page is encoded by DELTA_BYTE_ARRAY, which its column does not list";
    assert!(errors.iter().any(|error| error.contains(expected)), "{errors:?}");
}

#[tokio::test]
async fn a_dictionary_with_fewer_values_than_it_says_is_refused() {
    let (definitions, repetitions) = list(4);
    let texts = ["a", "b", "a", "b"].map(ByteArray::from).to_vec();
    let mut table = table(TEXTS, WriterProperties::builder(), &[Column::Texts(texts, definitions, repetitions)]);
    // The header of the page of the dictionary has a structure with its number of values, 2.
    let at = table.windows(3).position(|bytes| bytes == [0x4c, 0x15, 4]).expect("it is there");
    table[at + 2] = 0x7e;
    check(&table, Err("a dictionary has fewer values than it says")).await;
}
