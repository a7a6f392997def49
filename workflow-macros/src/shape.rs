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
        _ if container.is_any || container.is_opaque || container.is_unknown => any(),
        (Some(into), _) => types.shape_of(into),
        (None, Data::Struct(data)) => types.structure(&container, &data.fields)?,
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
        let ShapeAttributes { is_any, is_opaque, is_unknown, .. } = written.attributes;
        if is_any || is_opaque || is_unknown { any() } else { self.shape_of(&written.field.ty) }
    }

    fn structure(&self, container: &ShapeAttributes, fields: &Fields) -> Result<TokenStream, Error> {
        let written = written(fields)?;
        if container.is_transparent {
            let mut inner = written.iter().filter(|written| !is_phantom(&written.field.ty));
            return Ok(match (inner.next(), inner.next()) {
                (Some(only), None) => self.shape_of_field(only),
                _ => any(),
            });
        }
        let name = self.name.unraw().to_string();
        let shape = self.content(&name, fields, &written, container.rename_all);
        Ok(match &container.tag {
            // The name of the type is a member of the object.
            Some(tag) if matches!(fields, Fields::Named(_)) => record(&name, &[(tag, &text())], &[shape]),
            Some(_) => any(),
            None => shape,
        })
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
                let may_move = |field: &Written<'_>| field.attributes.is_optional || field.attributes.is_unknown;
                if written.iter().any(may_move) {
                    return any();
                }
                let shapes = written.iter().map(|written| self.shape_of_field(written));
                quote!(&__TypeShape::Tuple(&[#(#shapes),*]))
            }
            Fields::Named(_) => {
                let (flattened, own): (Vec<_>, Vec<_>) =
                    written.iter().partition(|written| written.attributes.is_flattened);
                let members = own.iter().map(|written| {
                    let ident = written.field.ident.as_ref().map(|ident| ident.unraw().to_string()).unwrap_or_default();
                    let name = written.attributes.rename.clone().unwrap_or_else(|| rename_all.of_field(&ident));
                    (name, self.shape_of_field(written))
                });
                let members: Vec<_> = members.collect();
                let members: Vec<_> = members.iter().map(|(name, shape)| (&**name, shape)).collect();
                let mut flattened: Vec<_> = flattened.into_iter().map(|written| self.shape_of_field(written)).collect();
                // A member of another name may take the place of the field.
                flattened.extend(own.iter().filter(|written| written.attributes.is_unknown).map(|_| any()));
                record(name, &members, &flattened)
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
                shapes.push(self.variant(container, variant, &attributes)?);
            }
        }
        let name = self.name.unraw().to_string();
        Ok(quote!(&__TypeShape::OneOf(#name, &[#(#shapes),*])))
    }

    fn variant(
        &self,
        container: &ShapeAttributes,
        variant: &Variant,
        attributes: &ShapeAttributes,
    ) -> Result<TokenStream, Error> {
        let ident = variant.ident.unraw().to_string();
        let tag = attributes.rename.clone().unwrap_or_else(|| container.rename_all.of_variant(&ident));
        let name = format!("{}::{ident}", self.name.unraw());
        let rename_all = attributes.rename_all.or(container.rename_all_fields);
        let written = written(&variant.fields)?;
        if attributes.is_any || attributes.is_unknown {
            return Ok(any());
        }
        // serde writes a variant like one without fields if its only field is skipped.
        let is_unit = match &variant.fields {
            _ if attributes.is_opaque => false,
            Fields::Unit => true,
            Fields::Unnamed(all) => all.unnamed.len() == 1 && written.is_empty(),
            Fields::Named(_) => false,
        };
        let content = match is_unit {
            _ if attributes.is_opaque => any(),
            true => quote!(&__TypeShape::Null),
            false => self.content(&name, &variant.fields, &written, rename_all),
        };
        Ok(match (&container.tag, &container.content) {
            _ if container.is_untagged || attributes.is_untagged => content,
            (Some(tag), Some(_)) if is_unit => record(&name, &[(tag, &text())], &[]),
            (Some(tag), Some(of)) => record(&name, &[(tag, &text()), (of, &content)], &[]),
            (Some(tag), None) if is_unit => record(&name, &[(tag, &text())], &[]),
            (Some(tag), None) => record(&name, &[(tag, &text())], &[content]),
            // A content without a tag is refused by serde.
            (None, Some(_)) => any(),
            (None, None) if is_unit => {
                let hash = hash(&tag);
                quote!(&__TypeShape::Unit(#hash, #tag))
            }
            (None, None) => record(&name, &[(&tag, &content)], &[]),
        })
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

fn text() -> TokenStream {
    quote!(&__TypeShape::String)
}

fn hash(name: &str) -> Literal {
    Literal::u64_unsuffixed(name_hash(name))
}

/// Returns the shape of an object: its members, and the shapes whose members it has, too.
fn record(name: &str, members: &[(&str, &TokenStream)], flattened: &[TokenStream]) -> TokenStream {
    let members = members.iter().map(|(name, shape)| {
        let hash = hash(name);
        quote!((#hash, #name, #shape))
    });
    quote! {
        &__TypeShape::Record {
            name: #name,
            members: &[#(#members),*],
            flattened: &[#(#flattened),*],
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
