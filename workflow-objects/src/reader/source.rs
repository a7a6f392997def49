//! The stream of items.

use workflow_runtime::{Value, value};

use super::config::{InputType, ItemReader, ManifestType, ReaderConfig, ReaderResource};
use super::content::Content;
use super::decode::Decoder;
use super::error::ReaderError;
use super::item::Item;
use super::lines::LinesDecoder;
use super::manifest::Inventory;
use super::object::{ObjectReader, Target};
use super::objects::{Listing, Objects};
use super::position::{ObjectPosition, Position};
use crate::store::{ObjectInfo, Stores};

/// The items of a reader, one after the other, in bounded memory.
///
/// ```
/// use workflow_objects::reader::{
///     ItemReader, ItemSource, ReaderArguments, ReaderConfig, ReaderResource, ReaderSettings,
/// };
/// use workflow_objects::store::{MemoryStore, Stores};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let lists = MemoryStore::new();
/// lists.insert("guests.json", r#"["Ada", "Bob"]"#);
/// let stores = Stores::new().with("lists", lists);
///
/// let settings = ReaderSettings { input_type: Some("JSON".to_owned()), ..Default::default() };
/// let config = ReaderConfig::new(ReaderResource::GetObject, &settings);
/// let config = config.map_err(|refusals| format!("{refusals:?}"))?;
/// let (bucket, key) = ("lists".into(), "guests.json".into());
/// let arguments = ReaderArguments { bucket, key, ..Default::default() };
/// let reader = ItemReader::new(config, arguments, None)?;
/// let mut items = ItemSource::open(&stores, &reader, None).await?;
/// let first = items.next().await?.ok_or("there are no items")?;
/// assert_eq!((first.index, first.value.as_str()), (0, Some("Ada")));
/// assert_eq!(items.position().index, 1);
/// # Ok(())
/// # }
/// ```
pub struct ItemSource {
    stores: Stores,
    reader: ItemReader,
    from: From,
    index: u64,
    /// The position before the last item, if it is the first one of an object.
    mark: Option<Position>,
    /// `true` behind the last item, and after an error.
    done: bool,
}

/// The origin of the items.
enum From {
    /// The objects of a listing themselves.
    Listing(Listing),
    /// The content of objects.
    Content {
        objects: Box<Objects>,
        config: ReaderConfig,
        input: InputType,
        current: Option<Content>,
        /// The object that is being opened. It stays if that fails.
        opening: Option<Target>,
        /// The beginning of the object that was opened last, until it has yielded an item.
        begun: Option<Box<ObjectPosition>>,
    },
}

impl ItemSource {
    /// Opens a reader, at the beginning or behind an item. An object that was not begun is opened
    /// when its first item is wanted.
    ///
    /// # Errors
    /// A store failed, the data is bad at the position, or an object that was read in part is
    /// another one by now.
    pub async fn open(
        stores: &Stores,
        reader: &ItemReader,
        position: Option<&Position>,
    ) -> Result<ItemSource, ReaderError> {
        let beginning = Position::default();
        let position = position.unwrap_or(&beginning);
        Ok(ItemSource {
            stores: stores.clone(),
            reader: reader.clone(),
            from: From::open(stores, reader, position).await?,
            index: position.index,
            mark: None,
            done: false,
        })
    }

    /// Returns the next item, or `None` behind the last one.
    ///
    /// # Errors
    /// A store failed, or the data is bad. The items before that are not affected.
    pub async fn next(&mut self) -> Result<Option<Item>, ReaderError> {
        if self.done || self.index >= self.reader.max_items {
            return Ok(None);
        }
        self.mark = match &self.from {
            From::Listing(_) => Some(self.position()),
            From::Content { .. } => None,
        };
        let next = self.from.next(&self.stores, self.index).await;
        match &next {
            Ok(Some(_)) => {
                if let From::Content { objects, begun, .. } = &mut self.from
                    && let Some(object) = begun.take()
                {
                    let mark = Position { index: self.index, object: Some(*object), ..Position::default() };
                    self.mark = Some(objects.place(mark));
                }
                self.index += 1;
            }
            Ok(None) | Err(_) => self.done = true,
        }
        next
    }

    /// Takes the position before the last item, if it is the first one of an object. What is
    /// before the position is not read again, and may be gone.
    pub(crate) fn take_mark(&mut self) -> Option<Position> {
        self.mark.take()
    }

    /// Returns the position behind the last item.
    pub fn position(&self) -> Position {
        let mut position = Position { index: self.index, ..Position::default() };
        match &self.from {
            From::Listing(listing) => position.after = listing.after(),
            From::Content { objects, current, opening, .. } => {
                position = objects.place(position);
                position.object = current.as_ref().map(Content::position);
                position.object = position.object.or_else(|| opening.as_ref().map(Target::beginning));
            }
        }
        position
    }
}

impl From {
    async fn open(stores: &Stores, reader: &ItemReader, position: &Position) -> Result<From, ReaderError> {
        let (config, arguments) = (&reader.config, &reader.arguments);
        let target = Target {
            version: arguments.version.clone(),
            ..Target::new(arguments.bucket.clone(), arguments.key.clone())
        };
        let (objects, config, input) = match (config.resource, config.input) {
            (ReaderResource::ListObjects, input) => {
                let listing = Listing::open(stores, &arguments.bucket, &arguments.prefix, position.after.clone())?;
                match input {
                    None => return Ok(From::Listing(listing)),
                    Some(input) => (Objects::Listed(listing), config.clone(), input),
                }
            }
            (ReaderResource::GetObject, input) => {
                // A checked configuration has a type.
                let input = input.unwrap_or(InputType::Json);
                match config.manifest {
                    None => (Objects::One(position.object.is_none().then_some(target)), config.clone(), input),
                    Some(ManifestType::Inventory) => {
                        let (objects, config) = inventory(stores, config, target, position).await?;
                        (objects, config, InputType::Csv)
                    }
                    Some(ManifestType::AthenaData) => (lines(stores, target, position).await?, config.clone(), input),
                }
            }
        };
        let current = match &position.object {
            None => None,
            Some(object) => {
                let version = matches!(objects, Objects::One(_)).then(|| arguments.version.clone()).flatten();
                Some(Content::open_at(stores, &config, input, version, object).await?)
            }
        };
        Ok(From::Content { objects: Box::new(objects), config, input, current, opening: None, begun: None })
    }

    async fn next(&mut self, stores: &Stores, index: u64) -> Result<Option<Item>, ReaderError> {
        match self {
            From::Listing(listing) => {
                let object = listing.next().await?;
                let source = listing.name().clone();
                Ok(object.map(|object| Item { index, key: None, value: description(object), source }))
            }
            From::Content { objects, config, input, current, opening, begun } => loop {
                if let Some(content) = current {
                    if let Some(record) = content.next().await? {
                        let source = content.name().clone();
                        return Ok(Some(Item { index, key: record.key, value: record.value, source }));
                    }
                    *current = None;
                }
                *opening = objects.next().await?;
                let Some(target) = opening.clone() else { return Ok(None) };
                let content = Content::open(stores, config, *input, target).await?;
                *begun = Some(Box::new(content.position()));
                *current = Some(content);
                *opening = None;
            },
        }
    }
}

/// Opens the manifest of an inventory.
async fn inventory(
    stores: &Stores,
    config: &ReaderConfig,
    target: Target,
    position: &Position,
) -> Result<(Objects, ReaderConfig), ReaderError> {
    let etag = position.manifest.as_ref().map(|manifest| manifest.etag.clone()).unwrap_or_default();
    let inventory = Inventory::read(stores, config, Target { etag, ..target }).await?;
    let config = inventory.config.clone();
    let taken = position.manifest.as_ref().map_or(0, |manifest| manifest.record);
    let taken = usize::try_from(taken).unwrap_or(usize::MAX);
    Ok((Objects::Inventory { inventory: Box::new(inventory), taken }, config))
}

/// Opens Athena's manifest.
async fn lines(stores: &Stores, target: Target, position: &Position) -> Result<Objects, ReaderError> {
    let beginning = ObjectPosition { bucket: target.bucket, key: target.key, ..ObjectPosition::default() };
    let place = position.manifest.as_ref().unwrap_or(&beginning);
    let decoder = Decoder::Lines(LinesDecoder::text());
    let lines = ObjectReader::open_behind(stores, decoder, target.version, place).await?;
    Ok(Objects::Lines(Box::new(lines)))
}

/// Returns the item that an object of a listing is.
fn description(object: ObjectInfo) -> Value {
    value!({
        "Etag": object.etag,
        "LastModified": object.modified,
        "Key": object.key,
        "Size": i64::try_from(object.size).unwrap_or(i64::MAX),
        "StorageClass": object.class,
    })
}
