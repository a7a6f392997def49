//! Mocked readers and writers of distributed Maps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fault::{Fault, names};
use crate::machine::ReaderKind;
use crate::objects::{
    ChildRecord, ItemChunk, ItemStream, ObjectAccess, ObjectFuture, Objects, ReadItems, WriteResults, result_key,
    text_argument,
};
use crate::value::{Str, Value, object};

/// The items that the mocked reader of a distributed Map finds.
///
/// ```
/// use workflow_runtime::testing::{MapItems, Mocks};
/// use workflow_runtime::{Fault, value};
///
/// let rows = MapItems::new([value!({ "id": "1" }), value!({ "id": "2" })]);
/// let prices = MapItems::pairs([("lamp", value!(25)), ("table", value!(90))]).source("s3://shop/prices.json");
/// let gone = MapItems::fault(Fault::new("States.ItemReaderFailed", "the object does not exist"));
/// let mocks = Mocks::new().items("Rows", rows).items("Prices", prices).items("Orders", gone);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MapItems {
    found: Result<Arc<FoundItems>, Fault>,
    source: Option<Str>,
    /// The key behind the prefix that stands for those of the objects that hold the items.
    any_object: Option<Str>,
}

#[derive(Debug, PartialEq)]
struct FoundItems {
    values: Vec<Value>,
    /// The keys, where the data is an object. Empty, or as many as values.
    keys: Vec<Str>,
}

impl MapItems {
    /// Creates items that are elements of an array, rows or objects of a bucket.
    pub fn new(values: impl IntoIterator<Item = Value>) -> MapItems {
        MapItems::of(values.into_iter().collect(), Vec::new())
    }

    /// Creates items that are members of an object, with their keys.
    pub fn pairs<K: Into<Str>>(pairs: impl IntoIterator<Item = (K, Value)>) -> MapItems {
        let (keys, values) = pairs.into_iter().map(|(key, value)| (key.into(), value)).unzip();
        MapItems::of(values, keys)
    }

    /// Creates a reader that fails.
    pub fn fault(fault: Fault) -> MapItems {
        MapItems { found: Err(fault), source: None, any_object: None }
    }

    fn of(values: Vec<Value>, keys: Vec<Str>) -> MapItems {
        let found = Ok(Arc::new(FoundItems { values, keys }));
        MapItems { found, source: None, any_object: None }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.found.as_ref().map_or(0, |found| found.values.len())
    }

    /// Returns `true` if there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets the `Source` that the context object shows for each item. The default is the object or
    /// bucket that the state names, as `s3://bucket/key` or `s3://bucket`. A reader with
    /// `LOAD_AND_FLATTEN` or a manifest has no default: its items are those of other objects.
    #[must_use]
    pub fn source(mut self, source: impl Into<Str>) -> MapItems {
        self.source = Some(source.into());
        self
    }

    /// Sets the key, behind the prefix, of an object that stands for those with the items, for
    /// readers without a default source.
    #[doc(hidden)]
    #[must_use]
    pub fn any_object(mut self, key: impl Into<Str>) -> MapItems {
        self.any_object = Some(key.into());
        self
    }

    /// Returns the items of a request, behind its position.
    fn open(&self, request: &ReadItems) -> Result<MockedItems, Fault> {
        let default = self.default_source(request)?;
        let found = self.found.clone()?;
        let most = max_items(&request.config)?.and_then(|most| usize::try_from(most).ok());
        let end = found.values.len().min(most.unwrap_or(usize::MAX));
        let at = request.position.as_i64().and_then(|at| usize::try_from(at).ok()).unwrap_or(0).min(end);
        let source = self.source.clone().or(default).ok_or_else(|| {
            let map = &request.map;
            Fault::runtime(format!("the items of the Map `{map}` need a `source`: they are those of other objects"))
        })?;
        Ok(MockedItems { found, source, at, end })
    }

    /// Returns the object or bucket that a request names, as the source of its items. `None` if
    /// they are those of objects that it does not name.
    fn default_source(&self, request: &ReadItems) -> Result<Option<Str>, Fault> {
        let argument = |name: &str| {
            let argument = text_argument(&request.arguments, name).map(Option::unwrap_or_default);
            argument.map_err(|cause| Fault::named(names::ITEM_READER_FAILED, cause))
        };
        let (bucket, key, prefix) = (argument("Bucket")?, argument("Key")?, argument("Prefix")?);
        argument("VersionId")?;
        let has = |name: &str, value: &str| request.config.get(name).and_then(Value::as_str) == Some(value);
        let of_others = has("InputType", "MANIFEST") || has("Transformation", "LOAD_AND_FLATTEN");
        Ok(match (request.kind, &self.any_object) {
            (_, None) if of_others => None,
            (_, Some(object)) if of_others => Some(format!("s3://{bucket}/{prefix}{object}").into()),
            (ReaderKind::GetObject, _) => Some(format!("s3://{bucket}/{key}").into()),
            (ReaderKind::ListObjects, _) => Some(format!("s3://{bucket}").into()),
        })
    }
}

/// Returns the largest number of items that the configuration of a reader allows, if it has one.
fn max_items(config: &Value) -> Result<Option<u64>, Fault> {
    match config.get("MaxItems").and_then(Value::as_i64) {
        None | Some(0) => Ok(None),
        Some(most) => match u64::try_from(most) {
            Ok(most) => Ok(Some(most)),
            Err(_) => Err(Fault::named(names::ITEM_READER_FAILED, "field MaxItems must be positive")),
        },
    }
}

/// Mocked items that are being read.
struct MockedItems {
    found: Arc<FoundItems>,
    source: Str,
    /// The number of items before the next one.
    at: usize,
    end: usize,
}

impl ItemStream for MockedItems {
    fn next(&mut self, count: u32, _bytes: u64) -> ObjectFuture<'_, Result<ItemChunk, Fault>> {
        let until = self.end.min(self.at.saturating_add(count as usize));
        let mut chunk = ItemChunk::default();
        for at in self.at..until {
            chunk.push(self.found.values[at].clone(), self.found.keys.get(at).cloned(), &self.source);
        }
        self.at = until;
        chunk.position = Value::from(until as u64);
        chunk.is_last = until == self.end;
        Box::pin(std::future::ready(Ok(chunk)))
    }
}

/// The mocked Maps of a test. A clone shares them.
#[derive(Clone, Default)]
pub(super) struct MockedMaps(Arc<Mutex<Maps>>);

#[derive(Default)]
struct Maps {
    /// The items, by the name of the state.
    items: BTreeMap<String, MapItems>,
    /// The faults of writers, by the name of the state.
    write_faults: BTreeMap<String, Fault>,
    /// The Maps whose items were read.
    read: BTreeSet<String>,
    /// The Maps whose items were to be read, and that have none.
    missing: BTreeSet<String>,
    /// The results that runs of Maps have written, in the order of their first results.
    written: Vec<WrittenRun>,
}

/// The results that one run of a Map has written.
struct WrittenRun {
    map: Str,
    run: Str,
    records: Vec<ChildRecord>,
}

impl MockedMaps {
    pub fn add(&self, map: String, items: MapItems) {
        self.lock().items.insert(map, items);
    }

    pub fn add_write_fault(&self, map: String, fault: Fault) {
        self.lock().write_faults.insert(map, fault);
    }

    /// Returns the Maps whose items were to be read, and that have none.
    pub fn missing(&self) -> Vec<String> {
        self.lock().missing.iter().cloned().collect()
    }

    /// Returns the Maps with items that were not read.
    pub fn unread(&self) -> Vec<String> {
        let maps = self.lock();
        maps.items.keys().filter(|map| !maps.read.contains(*map)).cloned().collect()
    }

    /// Returns the results that Maps have written, each with the name of the state.
    pub fn written(&self) -> Vec<(String, ChildRecord)> {
        let maps = self.lock();
        let of_run = |run: &WrittenRun| {
            let map = run.map.to_string();
            run.records.clone().into_iter().map(move |record| (map.clone(), record))
        };
        maps.written.iter().flat_map(of_run).collect()
    }

    /// Returns the stores of the mocked Maps. The other Maps use `others`.
    pub fn access(&self, others: Option<ObjectAccess>) -> ObjectAccess {
        ObjectAccess::new(MockedObjects { maps: self.clone(), others })
    }

    fn lock(&self) -> MutexGuard<'_, Maps> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, request: &ReadItems) -> Result<Box<dyn ItemStream>, Fault> {
        let mut maps = self.lock();
        let map = request.map.to_string();
        let Some(items) = maps.items.get(&map).cloned() else {
            let fault = Fault::runtime(format!("no items for the reader of the Map `{map}`"));
            maps.missing.insert(map);
            return Err(fault);
        };
        maps.read.insert(map);
        Ok(Box::new(items.open(request)?))
    }

    /// Keeps results. The state of the writer is the number of results until then, so that results
    /// that are written again take the place of the same ones.
    fn write(&self, request: &WriteResults) -> Result<Value, Fault> {
        let result = result(request)?;
        let mut maps = self.lock();
        if let Some(fault) = maps.write_faults.get(&*request.map) {
            return Err(fault.clone());
        }
        let at = maps.written.iter().position(|written| written.run == request.run).unwrap_or_else(|| {
            maps.written.push(WrittenRun { map: request.map.clone(), run: request.run.clone(), records: Vec::new() });
            maps.written.len() - 1
        });
        let records = &mut maps.written[at].records;
        let before = request.state.as_i64().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
        records.truncate(before);
        records.extend(request.records.iter().cloned());
        Ok(match request.is_last {
            true => result,
            false => Value::from(records.len() as u64),
        })
    }
}

/// Returns the result of a Map whose results are written.
fn result(request: &WriteResults) -> Result<Value, Fault> {
    let argument = |name: &str| {
        let argument = text_argument(&request.arguments, name).map(Option::unwrap_or_default);
        argument.map_err(|cause| Fault::named(names::RESULT_WRITER_FAILED, cause))
    };
    let (bucket, prefix) = (argument("Bucket")?, argument("Prefix")?);
    let key = result_key(&prefix, &request.run, "manifest.json");
    let details = object([("Bucket", bucket.into()), ("Key", key.into())]);
    Ok(object([("MapRunArn", request.map_run_arn.clone().into()), ("ResultWriterDetails", details)]))
}

/// The stores of mocked Maps, and those of the others.
struct MockedObjects {
    maps: MockedMaps,
    others: Option<ObjectAccess>,
}

impl MockedObjects {
    /// Returns the stores of a Map that is not mocked.
    fn others(&self, map: &str) -> Option<&ObjectAccess> {
        self.others.as_ref().filter(|_| !self.maps.lock().items.contains_key(map))
    }
}

impl Objects for MockedObjects {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        match self.others(&request.map) {
            Some(others) => others.open(request),
            None => Box::pin(std::future::ready(self.maps.open(request))),
        }
    }

    fn write<'a>(&'a self, request: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        let fails = self.maps.lock().write_faults.contains_key(&*request.map);
        match self.others(&request.map).filter(|_| !fails) {
            Some(others) => others.write(request),
            None => Box::pin(std::future::ready(self.maps.write(request))),
        }
    }
}

/// Fails as a Map whose items have `failed` this often, in the test of its state, if the Map does
/// not tolerate it. `settings` is the input of the task in place of the iterations, and `total`
/// the number of items that a reader has.
///
/// # Errors
/// `States.ExceedToleratedFailureThreshold`. `States.Runtime`, if there are fewer items, or if it
/// depends on the number of items, which is not known. `States.ItemReaderFailed`, if `MaxItems` is
/// negative.
#[doc(hidden)]
pub fn map_failures(settings: &Value, failed: u64, total: Option<u64>) -> Result<(), Fault> {
    let items = settings.get("items").and_then(|items| match items {
        Value::Array(items) => Some(items.len()),
        Value::Object(members) => Some(members.len()),
        _ => None,
    });
    let most = settings.get("config").map_or(Ok(None), max_items)?;
    let read = total.map(|total| most.map_or(total, |most| total.min(most)));
    let total = items.map(|items| items as u64).or(read);
    if let Some(total) = total.filter(|total| failed > *total) {
        let cause = format!("{failed} failures are more than the items of the Map: it has {total}");
        return Err(Fault::runtime(cause));
    }
    match crate::machine::fault_of_failures(settings, failed, total) {
        Some(fault) => fault.map_or(Ok(()), Err),
        None => Err(Fault::runtime("the tolerated percentage of failures needs the number of items: add `--items`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::ChildOutcome;
    use crate::polling::block_on;
    use crate::value;

    fn request(config: Value) -> ReadItems {
        let arguments = value!({ "Bucket": "shop", "Key": "rows.csv" });
        ReadItems::new(ReaderKind::GetObject, arguments, config, 2, 1 << 20).of_map("Rows".into())
    }

    fn read(access: &ObjectAccess, request: &ReadItems) -> Result<ItemChunk, Fault> {
        let reading = async { access.open(request).await?.next(request.count, request.bytes).await };
        block_on(reading).expect("it is ready at once")
    }

    #[test]
    fn items_are_read_in_chunks_up_to_the_limit_of_the_state() {
        let maps = MockedMaps::default();
        maps.add("Rows".to_owned(), MapItems::new((0..5).map(Value::Int)));
        let access = maps.access(None);
        let source = |count| vec![(count, Str::from("s3://shop/rows.csv"))];
        let first = read(&access, &request(value!({ "MaxItems": 3 }))).expect("items");
        let chunk = |values: &[i64], position: i64, is_last| ItemChunk {
            values: values.iter().copied().map(Value::Int).collect(),
            keys: Vec::new(),
            sources: source(values.len() as u32),
            position: Value::Int(position),
            is_last,
            marks: Vec::new(),
        };
        assert_eq!(first, chunk(&[0, 1], 2, false));
        let rest = request(value!({ "MaxItems": 3 })).behind(first.position);
        assert_eq!(read(&access, &rest), Ok(chunk(&[2], 3, true)));
        let fault = read(&access, &request(value!({ "MaxItems": (-1) }))).expect_err("a refusal");
        assert_eq!(fault.error(), Some("States.ItemReaderFailed"));
        assert_eq!((maps.missing(), maps.unread()), (vec![], vec![]));
    }

    #[test]
    fn members_have_keys_and_a_map_without_items_is_noted() {
        let maps = MockedMaps::default();
        maps.add("Prices".to_owned(), MapItems::pairs([("lamp", Value::Int(25))]).source("s3://x"));
        let access = maps.access(None);
        assert!(read(&access, &request(Value::Null)).is_err_and(|fault| fault.error() == Some("States.Runtime")));
        assert_eq!((maps.missing(), maps.unread()), (vec!["Rows".to_owned()], vec!["Prices".to_owned()]));
        let chunk = read(&access, &request(Value::Null).of_map("Prices".into())).expect("items");
        assert_eq!((chunk.keys, chunk.sources), (vec![Str::from("lamp")], vec![(1, Str::from("s3://x"))]));
    }

    #[test]
    fn results_that_are_written_again_take_the_place_of_the_same_ones() {
        let maps = MockedMaps::default();
        let record = |name: &str| ChildRecord {
            execution_arn: name.into(),
            name: name.into(),
            state_machine_arn: "m".into(),
            input: Value::Null,
            outcome: ChildOutcome::Pending,
            redrive_count: 0,
            redrive_status: "NOT_REDRIVABLE".into(),
            redrive_status_reason: None,
            start_date: None,
            stop_date: None,
        };
        let arguments = value!({ "Bucket": "results", "Prefix": "2026/" });
        let write = |state: Value, names: &[&str], is_last: bool| {
            let records = names.iter().map(|name| record(name)).collect();
            let request = WriteResults::new(arguments.clone(), Value::Null, "r".into(), "arn:r".into(), records);
            maps.write(&request.of_map("Rows".into()).after(state).last(is_last)).expect("it writes")
        };
        let checked = write(Value::Null, &[], false);
        let first = write(checked, &["a", "b"], false);
        write(first.clone(), &["c"], false);
        let end = write(first, &["c", "d"], true);
        let details = value!({ "Bucket": "results", "Key": "2026/r/manifest.json" });
        assert_eq!(end, value!({ "MapRunArn": "arn:r", "ResultWriterDetails": details }));
        let names: Vec<(String, Str)> = maps.written().into_iter().map(|(map, record)| (map, record.name)).collect();
        assert_eq!(names, ["a", "b", "c", "d"].map(|name| ("Rows".to_owned(), Str::from(name))));
    }

    /// Returns the error and cause of a fault.
    fn shown(fault: &Fault) -> (&str, &str) {
        (fault.error().unwrap_or_default(), fault.cause().and_then(Value::as_str).unwrap_or_default())
    }

    #[test]
    fn arguments_that_stores_refuse_are_refused() {
        let maps = MockedMaps::default();
        maps.add("Rows".to_owned(), MapItems::new([]));
        let access = maps.access(None);
        for (name, bad, what) in [
            ("Bucket", value!(7), "7"),
            ("Key", value!([]), "an array"),
            ("Prefix", value!({}), "an object"),
            ("VersionId", Value::Null, "null"),
        ] {
            let cause = format!("the field {name} must be a string, and is {what}");
            let mut reading = request(Value::Null);
            reading.arguments = object([(name, bad.clone())]);
            let fault = read(&access, &reading).expect_err("a refusal");
            assert_eq!(shown(&fault), ("States.ItemReaderFailed", &*cause));
            let arguments = object([(name, bad)]);
            let writing = WriteResults::new(arguments, Value::Null, "r".into(), "arn:r".into(), vec![]);
            let fault = maps.write(&writing.of_map("Rows".into())).err();
            let is_read_only = matches!(name, "Key" | "VersionId");
            let expected = (!is_read_only).then_some(("States.ResultWriterFailed", &*cause));
            assert_eq!(fault.as_ref().map(shown), expected);
        }
    }

    #[test]
    fn one_slash_ends_the_prefix_of_results() {
        for (prefix, key) in [("a/", "a/r/manifest.json"), ("a//", "a//r/manifest.json"), ("/", "r/manifest.json")] {
            let arguments = value!({ "Bucket": "b", "Prefix": prefix });
            let request = WriteResults::new(arguments, Value::Null, "r".into(), "arn:r".into(), vec![]).last(true);
            let result = MockedMaps::default().write(&request).expect("a result");
            let details = result.get("ResultWriterDetails").and_then(|details| details.get("Key"));
            assert_eq!(details, Some(&Value::from(key)));
        }
    }

    #[test]
    fn a_fault_of_a_writer_is_for_its_map() {
        let maps = MockedMaps::default();
        maps.add_write_fault("Rows".to_owned(), Fault::new("States.ResultWriterFailed", "no bucket"));
        let write = |map: &str| {
            let request = WriteResults::new(value!({}), Value::Null, "r".into(), "arn:r".into(), vec![]);
            maps.write(&request.of_map(map.into()))
        };
        let fault = write("Rows").expect_err("a fault");
        assert_eq!(shown(&fault), ("States.ResultWriterFailed", "no bucket"));
        assert_eq!(write("Others"), Ok(Value::Int(0)));
    }

    #[test]
    fn items_of_objects_that_the_state_does_not_name_need_a_source() {
        for (kind, config) in [
            (ReaderKind::ListObjects, value!({ "Transformation": "LOAD_AND_FLATTEN", "InputType": "CSV" })),
            (ReaderKind::GetObject, value!({ "InputType": "MANIFEST" })),
        ] {
            let source = |items: MapItems| {
                let maps = MockedMaps::default();
                maps.add("Rows".to_owned(), items);
                let mut request = request(config.clone());
                request.kind = kind;
                request.arguments = value!({ "Bucket": "shop", "Prefix": "2026/" });
                read(&maps.access(None), &request).map(|chunk| chunk.sources)
            };
            let items = || MapItems::new([Value::Int(1)]);
            let fault = source(items()).expect_err("no source");
            let cause = "the items of the Map `Rows` need a `source`: they are those of other objects";
            assert_eq!(shown(&fault), ("States.Runtime", cause));
            assert_eq!(source(items().source("s3://shop/a")), Ok(vec![(1, "s3://shop/a".into())]));
            assert_eq!(source(items().any_object("any")), Ok(vec![(1, "s3://shop/2026/any".into())]));
        }
    }

    #[test]
    fn failures_are_compared_with_the_limits_of_the_settings() {
        let error = |settings: Value, failed, total| {
            let fault = map_failures(&settings, failed, total).err();
            fault.and_then(|fault| fault.error().map(str::to_owned)).unwrap_or_default()
        };
        let exceeded = "States.ExceedToleratedFailureThreshold";
        assert_eq!(error(value!({ "items": [1, 2, 3] }), 2, None), "");
        assert_eq!(error(value!({ "items": [1, 2, 3] }), 4, None), "States.Runtime");
        assert_eq!(error(value!({ "items": [1, 2, 3], "tolerated_count": 1 }), 2, None), exceeded);
        assert_eq!(error(value!({ "items": { "a": 1, "b": 2 }, "tolerated_percentage": 50 }), 2, None), exceeded);
        assert_eq!(error(value!({ "tolerated_percentage": 50 }), 2, Some(4)), "");
        assert_eq!(error(value!({ "tolerated_percentage": 50 }), 2, None), "States.Runtime");
        let limited = |most: i64| value!({ "tolerated_percentage": 50, "config": { "MaxItems": most } });
        assert_eq!(error(limited(3), 2, Some(4)), exceeded);
        assert_eq!(error(limited(0), 2, Some(4)), "");
        assert_eq!(error(limited(1), 2, Some(4)), "States.Runtime");
        assert_eq!(error(limited(-1), 0, Some(4)), "States.ItemReaderFailed");
    }
}
