//! The derive macro `Shape`: the JSON that serde's derived `Serialize` writes, by its attributes.

mod attributes;
mod case;

use attributes::ShapeAttributes;
use case::Case;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::quote;
use std::cell::RefCell;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Field, Fields, GenericParam, Type, Variant, parse_quote};
use workflow_compiler::name_hash;

/// Implements `Shape` for a type.
pub fn derive_shape(input: DeriveInput) -> Result<TokenStream, Error> {
    let container = ShapeAttributes::of(&input.attrs)?;
    let parameters = input.generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    let types = TypeUses { name: &input.ident, parameters, used: RefCell::default() };
    let shape = match (&container.into, &input.data) {
        _ if container.is_any => any(),
        (Some(into), _) => types.shape_of(into),
        (None, Data::Struct(data)) => types.structure(&container, &data.fields),
        (None, Data::Enum(data)) => types.choice(&container, data.variants.iter())?,
        (None, Data::Union(data)) => {
            return Err(Error::new(
                data.union_token.span,
                "serde does not write unions: derive `Shape` for a struct or an enum",
            ));
        }
    };
    let mut generics = input.generics.clone();
    for parameter in types.used.into_inner() {
        for declared in &mut generics.params {
            match declared {
                GenericParam::Type(declared) if declared.ident == parameter => {
                    declared.bounds.push(parse_quote!(::workflow_runtime::Shape));
                }
                _ => {}
            }
        }
    }
    let name = &input.ident;
    let (declared, applied, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #declared ::workflow_runtime::Shape for #name #applied #bounds {
            const SHAPE: &'static ::workflow_runtime::TypeShape = {
                use ::workflow_runtime::__private::{
                    ShapeOf as __ShapeOf, TypeShape as __TypeShape, UnknownShape as _,
                };
                #shape
            };
        }
    })
}

/// The types that the shape of a type is made of.
struct TypeUses<'a> {
    /// The type itself.
    name: &'a Ident,
    /// Its type parameters.
    parameters: Vec<Ident>,
    /// The parameters whose shapes are part of its shape.
    used: RefCell<Vec<Ident>>,
}

/// A field that is written.
struct Written<'a> {
    field: &'a Field,
    attributes: ShapeAttributes,
}

impl TypeUses<'_> {
    /// Returns the shape of another type. A type that is made of itself is not followed, because
    /// rustc cannot evaluate the cycle.
    fn shape_of(&self, ty: &Type) -> TokenStream {
        let mut idents = Vec::new();
        mentioned(quote!(#ty), &mut idents);
        if idents.iter().any(|ident| ident == self.name || ident == "Self") {
            return any();
        }
        if !is_phantom(ty) {
            let mut used = self.used.borrow_mut();
            for parameter in &self.parameters {
                if idents.contains(parameter) && !used.contains(parameter) {
                    used.push(parameter.clone());
                }
            }
        }
        quote!(__ShapeOf::<#ty>::SHAPE)
    }

    fn shape_of_field(&self, written: &Written<'_>) -> TokenStream {
        if written.attributes.is_any { any() } else { self.shape_of(&written.field.ty) }
    }

    fn structure(&self, container: &ShapeAttributes, fields: &Fields) -> TokenStream {
        let Ok(written) = written(fields) else { return any() };
        if container.is_transparent {
            let mut inner = written.iter().filter(|written| !is_phantom(&written.field.ty));
            return match (inner.next(), inner.next()) {
                (Some(only), None) => self.shape_of_field(only),
                _ => any(),
            };
        }
        let shape = self.content(&self.name.unraw().to_string(), fields, &written, container.rename_all);
        match &container.tag {
            // The name of the type is a member of the object.
            Some(tag) if matches!(fields, Fields::Named(_)) => tagged(&self.name.unraw().to_string(), tag, &[shape]),
            Some(_) => any(),
            None => shape,
        }
    }

    /// Returns the shape of the fields of a struct or a variant.
    fn content(&self, name: &str, fields: &Fields, written: &[Written<'_>], rename_all: Case) -> TokenStream {
        match fields {
            Fields::Unit => quote!(&__TypeShape::Null),
            Fields::Unnamed(all) if all.unnamed.len() == 1 => match written {
                [only] => self.shape_of_field(only),
                _ => any(),
            },
            Fields::Unnamed(_) => {
                // A field that may be skipped moves those behind it.
                if written.iter().any(|written| written.attributes.is_optional) {
                    return any();
                }
                let shapes = written.iter().map(|written| self.shape_of_field(written));
                quote!(&__TypeShape::Tuple(&[#(#shapes),*]))
            }
            Fields::Named(_) => {
                let (flattened, own): (Vec<_>, Vec<_>) =
                    written.iter().partition(|written| written.attributes.is_flattened);
                let names = own.iter().map(|written| {
                    let ident = written.field.ident.as_ref().map(|ident| ident.unraw().to_string()).unwrap_or_default();
                    written.attributes.rename.clone().unwrap_or_else(|| rename_all.of_field(&ident))
                });
                let members = names.zip(&own).map(|(name, written)| member(&name, &self.shape_of_field(written)));
                let flattened = flattened.into_iter().map(|written| self.shape_of_field(written));
                quote! {
                    &__TypeShape::Record {
                        name: #name,
                        members: &[#(#members),*],
                        flattened: &[#(#flattened),*],
                    }
                }
            }
        }
    }

    fn choice<'v>(
        &self,
        container: &ShapeAttributes,
        variants: impl Iterator<Item = &'v Variant>,
    ) -> Result<TokenStream, Error> {
        let mut shapes = Vec::new();
        for variant in variants {
            let attributes = ShapeAttributes::of(&variant.attrs)?;
            if !attributes.is_skipped {
                shapes.push(self.variant(container, variant, &attributes));
            }
        }
        let name = self.name.unraw().to_string();
        Ok(quote!(&__TypeShape::OneOf(#name, &[#(#shapes),*])))
    }

    fn variant(&self, container: &ShapeAttributes, variant: &Variant, attributes: &ShapeAttributes) -> TokenStream {
        let ident = variant.ident.unraw().to_string();
        let tag = attributes.rename.clone().unwrap_or_else(|| container.rename_all.of_variant(&ident));
        let name = format!("{}::{ident}", self.name.unraw());
        let rename_all = attributes.rename_all.or(container.rename_all_fields);
        let content = match written(&variant.fields) {
            Ok(written) if !attributes.is_any => self.content(&name, &variant.fields, &written, rename_all),
            _ => any(),
        };
        let is_unit = matches!(variant.fields, Fields::Unit) && !attributes.is_any;
        let text = quote!(&__TypeShape::String);
        let record = |members: &[(&str, &TokenStream)]| {
            let members = members.iter().map(|(name, shape)| member(name, shape));
            quote!(&__TypeShape::Record { name: #name, members: &[#(#members),*], flattened: &[] })
        };
        match (&container.tag, &container.content) {
            _ if container.is_untagged || attributes.is_untagged => content,
            (Some(tag), Some(_)) if is_unit => record(&[(tag, &text)]),
            (Some(tag), Some(of)) => record(&[(tag, &text), (of, &content)]),
            (Some(tag), None) if is_unit => tagged(&name, tag, &[]),
            (Some(tag), None) => tagged(&name, tag, &[content]),
            // A content without a tag is refused by serde.
            (None, Some(_)) => any(),
            (None, None) if is_unit => text,
            (None, None) => record(&[(&tag, &content)]),
        }
    }
}

/// Returns the fields that are written.
fn written(fields: &Fields) -> Result<Vec<Written<'_>>, Error> {
    let mut written = Vec::new();
    for field in fields {
        let attributes = ShapeAttributes::of(&field.attrs)?;
        if !attributes.is_skipped {
            written.push(Written { field, attributes });
        }
    }
    Ok(written)
}

fn any() -> TokenStream {
    quote!(&__TypeShape::Any)
}

/// Returns a member of an object: the hash of its name, the name, and the shape.
fn member(name: &str, shape: &TokenStream) -> TokenStream {
    let hash = Literal::u64_unsuffixed(name_hash(name));
    quote!((#hash, #name, #shape))
}

/// Returns the shape of an object that has a tag beside the members of other shapes.
fn tagged(name: &str, tag: &str, others: &[TokenStream]) -> TokenStream {
    let tag = member(tag, &quote!(&__TypeShape::String));
    quote! {
        &__TypeShape::Record {
            name: #name,
            members: &[#tag],
            flattened: &[#(#others),*],
        }
    }
}

/// Collects the identifiers in tokens.
fn mentioned(tokens: TokenStream, idents: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => idents.push(ident),
            TokenTree::Group(group) => mentioned(group.stream(), idents),
            _ => {}
        }
    }
}

fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

#[cfg(test)]
mod tests;
