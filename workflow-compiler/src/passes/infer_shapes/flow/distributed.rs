//! The analysis of distributed Maps.

use super::StateFlow;
use crate::hir::DistributedMap;
use crate::model::ReaderKind;
use crate::passes::infer_shapes::env::LocalShapes;
use crate::shapes::{AnyReason, ArrayShape, Field, KindSet, RecordShape, Shape, ValueOrigin};
use crate::source::Span;

impl StateFlow<'_, '_> {
    /// Analyses what a distributed Map runs for each item or batch. `settings` are those of the
    /// run. Returns the shape of its result.
    pub(super) fn distributed(&mut self, map: &DistributedMap, settings: &Shape, span: Span) -> Shape {
        let mut item = item(map, settings);
        if let Some(selection) = &map.selection {
            let mut inner = LocalShapes::default();
            inner.forget_for(selection.input, AnyReason::DistributedItem);
            item = self.analysis.enter(selection.scope, &inner, false);
        }
        let batcher = settings.member("batcher").shape;
        let (input, what) = match batcher.is_never() {
            true => (item, "an item"),
            false => (batch(item, &batcher), "a batch of items"),
        };
        let mut inner = LocalShapes::default();
        match input.is_unknown() || input.is_never() {
            true => inner.forget_for(map.input, AnyReason::DistributedItem),
            false => {
                let phrase = format!("{what} of {}", self.state_name());
                inner.set(map.input, input.from_origin(ValueOrigin::new(span.at_start(), phrase)));
            }
        }
        let output = self.analysis.enter(map.body, &inner, false);
        let phrase = format!("the result of {}", self.state_name());
        result(map, settings, &output).from_origin(ValueOrigin::new(span.at_start(), phrase))
    }
}

/// Returns the shape of an item as it is read.
fn item(map: &DistributedMap, settings: &Shape) -> Shape {
    let is_whole = settings.member("config").shape.member("Transformation").shape.is_never();
    match (map.reader, map.input_type()) {
        (None, _) => {
            let items = settings.member("items").shape;
            // The members of an object are items, too.
            if items.set() == KindSet::ARRAY { items.elements() } else { Shape::any() }
        }
        (Some(ReaderKind::ListObjects), _) if is_whole => {
            let text = Shape::string();
            open([("Etag", text.clone()), ("Key", text.clone()), ("Size", Shape::number()), ("StorageClass", text)])
        }
        // The names are those of the columns.
        (Some(ReaderKind::GetObject), Some("CSV")) => {
            Shape::object(RecordShape { fields: Default::default(), rest: Shape::string() })
        }
        (Some(_), _) => Shape::any(),
    }
}

/// Returns the shape of the batches of some items.
fn batch(item: Shape, batcher: &Shape) -> Shape {
    let rest = if item.is_never() { Shape::any() } else { item };
    let items = Shape::array(ArrayShape { prefix: Vec::new(), rest, least: 1 });
    let of_all = batcher.member("BatchInput").shape;
    let of_all = Some(("BatchInput", of_all)).filter(|(_, shape)| !shape.is_never());
    Shape::record(of_all.into_iter().chain([("Items", items)]))
}

/// Returns the shape of the result of a Map whose executions have this output.
fn result(map: &DistributedMap, settings: &Shape, output: &Shape) -> Shape {
    if map.has_writer {
        let text = Shape::string();
        let details = open([("Bucket", text.clone()), ("Key", text.clone())]);
        return open([("MapRunArn", text), ("ResultWriterDetails", details)]);
    }
    // A writer without a bucket changes the form of the results, and a failure that is tolerated
    // has none.
    let changes = ["writer", "tolerated_count", "tolerated_percentage"];
    let is_plain = changes.iter().all(|name| settings.member(name).shape.is_never());
    Shape::list(if is_plain && !output.is_never() { output.clone() } else { Shape::any() })
}

/// Returns the shape of objects with such members, each of which may be missing, and others.
fn open<const N: usize>(members: [(&str, Shape); N]) -> Shape {
    let fields = members.into_iter().map(|(name, shape)| (name.into(), Field { shape, required: false }));
    Shape::object(RecordShape { fields: fields.collect(), rest: Shape::any() })
}
