//! Pruning of descriptors to those that a method needs.

use protox::prost::Message;
use protox::prost_reflect::prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumOptions, FieldOptions, FileDescriptorProto, FileDescriptorSet,
    MessageOptions,
};
use protox::prost_reflect::{EnumDescriptor, FileDescriptor, Kind, MessageDescriptor, MethodDescriptor};
use std::collections::{BTreeMap, BTreeSet};

/// Returns an encoded descriptor set with a method, its service, and the types of its request and
/// response. A message that can hold any other message, such as `Any`, makes all messages of the
/// files necessary.
pub fn descriptors_for(method: &MethodDescriptor) -> Vec<u8> {
    let mut needed = NeededTypes::default();
    needed.message(method.input());
    needed.message(method.output());
    if needed.types.contains_key("google.protobuf.Any") {
        method.parent_pool().all_messages().for_each(|message| needed.message(message));
    }
    let service = method.parent_service();
    let (home, index) = (service.parent_file(), service.index());
    let mut files = needed.files;
    files.insert(home.name().to_owned(), home.clone());
    // Imports must precede the files that import them.
    let order = method.parent_pool().files().filter(|file| files.contains_key(file.name()));
    let file = order.map(|file| {
        let mut kept = file.file_descriptor_proto().clone();
        without_options(&mut kept);
        let service = (file.name() == home.name()).then(|| kept.service.swap_remove(index));
        let package = if kept.package().is_empty() { String::new() } else { format!(".{}", kept.package()) };
        kept.source_code_info = None;
        kept.extension = Vec::new();
        kept.message_type.retain_mut(|message| prune_message(message, &package, &needed.types));
        kept.enum_type.retain(|kind| is_needed(kind.name(), &package, &needed.types));
        kept.service = service.into_iter().collect();
        let mut used = BTreeSet::new();
        kept.message_type.iter().for_each(|message| collect_used_files(message, &needed.types, &mut used));
        for service in &mut kept.service {
            service.method.retain(|other| other.name() == method.name());
            used.extend([method.input(), method.output()].map(|message| message.parent_file().name().to_owned()));
        }
        used.remove(file.name());
        kept.dependency = used.into_iter().collect();
        (kept.public_dependency, kept.weak_dependency) = (Vec::new(), Vec::new());
        kept
    });
    FileDescriptorSet { file: file.collect() }.encode_to_vec()
}

/// The needed types by full name, each with the name of its file, and the files.
#[derive(Default)]
struct NeededTypes {
    types: BTreeMap<String, String>,
    files: BTreeMap<String, FileDescriptor>,
}

impl NeededTypes {
    fn message(&mut self, message: MessageDescriptor) {
        let mut open = vec![message];
        while let Some(message) = open.pop() {
            if !self.add(message.full_name(), message.parent_file()) {
                continue;
            }
            for field in message.fields() {
                match field.kind() {
                    Kind::Message(message) => open.push(message),
                    Kind::Enum(kind) => self.enumeration(&kind),
                    _ => {}
                }
            }
        }
    }

    fn enumeration(&mut self, kind: &EnumDescriptor) {
        self.add(kind.full_name(), kind.parent_file());
    }

    fn add(&mut self, name: &str, file: FileDescriptor) -> bool {
        let is_new = self.types.insert(name.to_owned(), file.name().to_owned()).is_none();
        if is_new {
            self.files.insert(file.name().to_owned(), file);
        }
        is_new
    }
}

fn is_needed(name: &str, parent: &str, needed: &BTreeMap<String, String>) -> bool {
    needed.contains_key(format!("{parent}.{name}").trim_start_matches('.'))
}

/// Removes unneeded parts of a message. A message kept only as a container loses its fields.
/// Returns `true` if the message is kept.
fn prune_message(message: &mut DescriptorProto, parent: &str, needed: &BTreeMap<String, String>) -> bool {
    let path = format!("{parent}.{}", message.name());
    message.nested_type.retain_mut(|inner| prune_message(inner, &path, needed));
    message.enum_type.retain(|kind| is_needed(kind.name(), &path, needed));
    message.extension = Vec::new();
    message.extension_range = Vec::new();
    message.reserved_range = Vec::new();
    message.reserved_name = Vec::new();
    let itself = needed.contains_key(path.trim_start_matches('.'));
    if !itself {
        message.field = Vec::new();
        message.oneof_decl = Vec::new();
    }
    for field in &mut message.field {
        // Defaults do not affect the sent bytes.
        field.default_value = None;
    }
    itself || !message.nested_type.is_empty() || !message.enum_type.is_empty()
}

/// Collects the files of the types of a message's fields.
fn collect_used_files(message: &DescriptorProto, needed: &BTreeMap<String, String>, files: &mut BTreeSet<String>) {
    let types = message.field.iter().filter_map(|field| needed.get(field.type_name().trim_start_matches('.')));
    files.extend(types.cloned());
    message.nested_type.iter().for_each(|inner| collect_used_files(inner, needed, files));
}

/// Removes all options except those that affect the validity or the meaning of a file.
pub fn without_options(file: &mut FileDescriptorProto) {
    file.options = None;
    file.extension = Vec::new();
    file.message_type.iter_mut().for_each(message_without_options);
    file.enum_type.iter_mut().for_each(enum_without_options);
    for service in &mut file.service {
        service.options = None;
        service.method.iter_mut().for_each(|method| method.options = None);
    }
}

fn message_without_options(message: &mut DescriptorProto) {
    let is_entry = message.options.as_ref().is_some_and(|options| options.map_entry());
    message.options = is_entry.then(|| MessageOptions { map_entry: Some(true), ..MessageOptions::default() });
    message.extension = Vec::new();
    message.extension_range.iter_mut().for_each(|range| range.options = None);
    message.oneof_decl.iter_mut().for_each(|oneof| oneof.options = None);
    for field in &mut message.field {
        let packed = field.options.as_ref().and_then(|options| options.packed);
        field.options = packed.map(|packed| FieldOptions { packed: Some(packed), ..FieldOptions::default() });
    }
    message.enum_type.iter_mut().for_each(enum_without_options);
    message.nested_type.iter_mut().for_each(message_without_options);
}

fn enum_without_options(kind: &mut EnumDescriptorProto) {
    let has_aliases = kind.options.as_ref().is_some_and(|options| options.allow_alias());
    kind.options = has_aliases.then(|| EnumOptions { allow_alias: Some(true), ..EnumOptions::default() });
    kind.value.iter_mut().for_each(|value| value.options = None);
    (kind.reserved_range, kind.reserved_name) = (Vec::new(), Vec::new());
}
