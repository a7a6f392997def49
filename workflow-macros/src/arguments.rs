//! Arguments of `include_workflow!`: the path of a definition, then `key: value` pairs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitBool, LitInt, LitStr, Result, Token, Type, braced, bracketed};
use workflow_compiler::diagnostics::suggest::did_you_mean;
use workflow_compiler::names::is_identifier;
use workflow_compiler::{
    CorrelationBinding, DefaultTimeout, DescribedValue, FunctionBinding, JsonataLimits, Options, RustCode,
    SchemaBinding, TaskBinding,
};
use {proc_macro2::Span, proc_macro2::TokenStream, proc_macro2::TokenTree, syn::ext::IdentExt};

const ARGUMENTS: &str = "`name`, `dialect`, `tasks`, `functions`, `input`, `output`, `schemas`, `substitutions`, \
                         `correlate`, `versions`, `subflows`, `root`, `allow`, `default_task_timeout`, `payload_limit`, \
                         `jsonata_limits`, `express`";

/// The arguments of the macro.
pub struct Arguments {
    /// The path of the definition, relative to the package.
    pub path: LitStr,
    /// The options of the compilation, without the texts of sub-flows.
    pub options: Options,
    /// Older versions of the definition: path and module of each.
    pub versions: Vec<(LitStr, Ident)>,
    /// Paths of definitions that sub-flows can name.
    pub subflows: Vec<LitStr>,
    /// The root folder of the files that definitions can name, relative to the package. The
    /// default is the folder of each definition.
    pub root: Option<LitStr>,
    keys: Keys,
}

impl Arguments {
    /// Returns the span of a key in `argument`, such as a task in `tasks`. For the name of an
    /// argument itself, `argument` is empty.
    pub fn span_of(&self, argument: &str, key: &str) -> Option<Span> {
        self.keys.0.get(&(argument.to_owned(), key.to_owned())).copied()
    }
}

/// The spans of keys, by the argument (empty for the names of arguments) and the key.
#[derive(Default)]
struct Keys(HashMap<(String, String), Span>);

impl Keys {
    /// Records a key. Fails at the second of two equal keys.
    fn insert(&mut self, argument: &str, key: &str, span: Span) -> Result<()> {
        match self.0.entry((argument.to_owned(), key.to_owned())) {
            Entry::Vacant(place) => {
                place.insert(span);
                Ok(())
            }
            Entry::Occupied(first) => {
                let mut error = Error::new(span, format!("`{key}` is specified twice"));
                error.combine(Error::new(*first.get(), format!("`{key}` is first specified here")));
                Err(error)
            }
        }
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path = input.parse().map_err(|error| {
            Error::new(error.span(), "expected the path of a workflow definition as a string literal")
        })?;
        let mut arguments = Arguments {
            path,
            options: Options { infer_types: true, ..Options::default() },
            versions: Vec::new(),
            subflows: Vec::new(),
            root: None,
            keys: Keys::default(),
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input
                .call(Ident::parse_any)
                .map_err(|error| Error::new(error.span(), "expected an argument such as `tasks: { … }`"))?;
            input.parse::<Token![:]>()?;
            arguments.keys.insert("", &key.to_string(), key.span())?;
            arguments.argument(&key, input)?;
        }
        Ok(arguments)
    }
}

impl Arguments {
    fn argument(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        let (options, keys) = (&mut self.options, &mut self.keys);
        match key.to_string().as_str() {
            "name" => options.name = Some(input.parse::<LitStr>()?.value()),
            "dialect" => options.dialect = Some(input.parse::<LitStr>()?.value()),
            "root" => self.root = Some(input.parse()?),
            "express" => options.express = input.parse::<LitBool>()?.value,
            "payload_limit" => options.payload_limit = Some(bytes(input)?),
            "jsonata_limits" => {
                let mut limits = JsonataLimits::default();
                entries(input, |entry| limit(entry, keys, &mut limits))?;
                options.jsonata_limits = Some(limits);
            }
            "default_task_timeout" => options.default_task_timeout = timeout(input)?,
            "input" => options.input = Some(rust_type(input)?),
            "output" => options.output = Some(rust_type(input)?),
            "allow" => {
                for code in list(input)? {
                    keys.insert("allow", &code.value(), code.span())?;
                    options.allow.push(code.value());
                }
            }
            "subflows" => self.subflows = list(input)?,
            "substitutions" => entries(input, |entry| {
                let name = named("substitutions", entry, keys)?;
                entry.parse::<Token![=>]>()?;
                options.substitutions.insert(name, entry.parse::<LitStr>()?.value());
                Ok(())
            })?,
            "correlate" => entries(input, |entry| {
                options.correlate.push(correlation(entry, keys)?);
                Ok(())
            })?,
            "tasks" => entries(input, |entry| {
                options.tasks.push(task(entry, keys)?);
                Ok(())
            })?,
            "functions" => entries(input, |entry| {
                let state = named("functions", entry, keys)?;
                entry.parse::<Token![=>]>()?;
                options.functions.push(FunctionBinding { state, function: function(entry)? });
                Ok(())
            })?,
            "schemas" => entries(input, |entry| {
                if !entry.peek(LitStr) {
                    options.schemas.push(schema(None, entry, keys)?);
                    return Ok(());
                }
                let task = entry.parse::<LitStr>()?.value();
                entry.parse::<Token![=>]>()?;
                entries(entry, |entry| {
                    options.schemas.push(schema(Some(&task), entry, keys)?);
                    Ok(())
                })
            })?,
            "versions" => entries(input, |entry| {
                let path = entry.parse::<LitStr>()?;
                entry.parse::<Token![=>]>()?;
                let module = entry.parse::<Ident>()?;
                if !is_identifier(&module.to_string()) {
                    return Err(Error::new(module.span(), format!("`{module}` cannot be the name of a module")));
                }
                keys.insert("versions", &module.to_string(), module.span())?;
                self.versions.push((path, module));
                Ok(())
            })?,
            unknown => {
                let names = ARGUMENTS.split(['`', ',', ' ']).filter(|name| !name.is_empty());
                let message = match did_you_mean(unknown, names) {
                    Some(question) => format!("unknown argument `{unknown}`: {question}"),
                    None => format!("unknown argument `{unknown}`, expected one of {ARGUMENTS}"),
                };
                return Err(Error::new(key.span(), message));
            }
        }
        Ok(())
    }
}

/// Parses `{ entry, … }`.
fn entries(input: ParseStream<'_>, mut entry: impl FnMut(ParseStream<'_>) -> Result<()>) -> Result<()> {
    let content;
    braced!(content in input);
    while !content.is_empty() {
        entry(&content)?;
        if !content.is_empty() {
            content.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

/// Parses `["text", …]`.
fn list(input: ParseStream<'_>) -> Result<Vec<LitStr>> {
    let content;
    bracketed!(content in input);
    Ok(content.parse_terminated(|item| item.parse(), Token![,])?.into_iter().collect())
}

/// Parses the key of an entry: a string literal that no other entry of the argument has.
fn named(argument: &str, input: ParseStream<'_>, keys: &mut Keys) -> Result<String> {
    let key = input.parse::<LitStr>()?;
    keys.insert(argument, &key.value(), key.span())?;
    Ok(key.value())
}

/// Parses `"Task" => method(Input) -> Output`. Both types are optional.
fn task(input: ParseStream<'_>, keys: &mut Keys) -> Result<TaskBinding> {
    let task = named("tasks", input, keys)?;
    let arrow = input.parse::<Token![=>]>()?;
    let signature = until_next_entry(input)?;
    if signature.is_empty() {
        return Err(Error::new_spanned(arrow, "expected a method and its types, as in `charge(Charge) -> Receipt`"));
    }
    TaskBinding::parse(task, signature).map_err(|mistake| Error::new(mistake.span, mistake.message))
}

/// Parses `attribute = "$.path"`. An attribute that is not an identifier is a string.
fn correlation(input: ParseStream<'_>, keys: &mut Keys) -> Result<CorrelationBinding> {
    let attribute = match input.peek(LitStr) {
        true => named("correlate", input, keys)?,
        false => {
            let attribute = input.call(Ident::parse_any)?;
            keys.insert("correlate", &attribute.to_string(), attribute.span())?;
            attribute.to_string()
        }
    };
    if input.peek(Token![=>]) {
        return Err(input.error("expected `=`"));
    }
    input.parse::<Token![=]>()?;
    Ok(CorrelationBinding { attribute, path: input.parse::<LitStr>()?.value() })
}

/// Parses `input = "schemas/order.json"` or `output = …`.
fn schema(task: Option<&str>, input: ParseStream<'_>, keys: &mut Keys) -> Result<SchemaBinding> {
    const EXPECTED: &str = "expected `input = \"FILE\"`, `output = \"FILE\"`, or a task in quotes";
    let name = input.call(Ident::parse_any).map_err(|error| Error::new(error.span(), EXPECTED))?;
    let value = match name.to_string().as_str() {
        "input" => DescribedValue::Input,
        "output" => DescribedValue::Output,
        _ => return Err(Error::new(name.span(), EXPECTED)),
    };
    input.parse::<Token![=]>()?;
    let file = input.parse::<LitStr>()?;
    let binding = SchemaBinding { task: task.map(str::to_owned), value, file: file.value(), is_shared: false };
    keys.insert("schemas", &binding.key(), name.span())?;
    Ok(binding)
}

/// Parses a number of seconds, or `none`.
fn timeout(input: ParseStream<'_>) -> Result<DefaultTimeout> {
    const EXPECTED: &str = "expected a number of seconds, or `none`";
    if input.peek(LitInt) {
        let seconds = input.parse::<LitInt>()?;
        // `300ms` is a number with a suffix, which the parser of the number ignores.
        return match (seconds.suffix(), seconds.base10_parse()) {
            ("", Ok(seconds)) => Ok(DefaultTimeout::Seconds(seconds)),
            _ => Err(Error::new(seconds.span(), EXPECTED)),
        };
    }
    match input.parse::<Ident>() {
        Ok(word) if word == "none" => Ok(DefaultTimeout::Unlimited),
        Ok(word) => Err(Error::new(word.span(), EXPECTED)),
        Err(error) => Err(Error::new(error.span(), EXPECTED)),
    }
}

/// Parses a limit of JSONata, `depth = 50` or `bytes = 100_000`.
fn limit(input: ParseStream<'_>, keys: &mut Keys, limits: &mut JsonataLimits) -> Result<()> {
    let name = input.call(Ident::parse_any)?;
    keys.insert("jsonata_limits", &name.to_string(), name.span())?;
    input.parse::<Token![=]>()?;
    match name.to_string().as_str() {
        "depth" => {
            let expected = format!("expected a number of levels from 1 to {}", JsonataLimits::MAX_DEPTH);
            let depth = input.parse::<LitInt>().map_err(|error| Error::new(error.span(), &expected))?;
            let number = depth.base10_parse().ok().filter(|_| depth.suffix().is_empty());
            let number = number.filter(|number| (1..=JsonataLimits::MAX_DEPTH).contains(number));
            limits.depth = number.ok_or_else(|| Error::new(depth.span(), expected))?;
        }
        "bytes" => limits.bytes = bytes(input)? as u64,
        _ => return Err(Error::new(name.span(), "expected `depth` or `bytes`")),
    }
    Ok(())
}

/// Parses a number of bytes.
fn bytes(input: ParseStream<'_>) -> Result<usize> {
    const EXPECTED: &str = "expected a number of bytes";
    let bytes = input.parse::<LitInt>().map_err(|error| Error::new(error.span(), EXPECTED))?;
    // `1k` is a number with a suffix, which the parser of the number ignores.
    let number = bytes.base10_parse().ok().filter(|_| bytes.suffix().is_empty());
    number.ok_or_else(|| Error::new(bytes.span(), EXPECTED))
}

/// Parses a type, and returns its tokens as written: a parsed type is printed with other spaces.
fn rust_type(input: ParseStream<'_>) -> Result<RustCode> {
    let mut rest = input.cursor();
    input.parse::<Type>()?;
    let mut written = TokenStream::new();
    while rest != input.cursor() {
        let Some((token, next)) = rest.token_tree() else { break };
        written.extend([token]);
        rest = next;
    }
    Ok(RustCode::from(written))
}

/// Reads a function: a path, a closure or `self.method`. The function ends before a comma that is
/// followed by the next key or by the end of the entries. rustc parses it, because a parser of
/// expressions would need the feature `full` of `syn`.
fn function(input: ParseStream<'_>) -> Result<RustCode> {
    let code = until_next_entry(input)?;
    match code.is_empty() {
        true => Err(input.error("expected a function: a path, a closure or `self.method`")),
        false => Ok(RustCode::from(code)),
    }
}

/// Takes the tokens before a comma that is followed by the next key or by the end of the entries.
fn until_next_entry(input: ParseStream<'_>) -> Result<TokenStream> {
    let mut code = TokenStream::new();
    while !input.is_empty() && !ends_entry(input) {
        code.extend([input.parse::<TokenTree>()?]);
    }
    Ok(code)
}

fn ends_entry(input: ParseStream<'_>) -> bool {
    let rest = input.fork();
    rest.parse::<Token![,]>().is_ok() && (rest.is_empty() || rest.peek(LitStr) && rest.peek2(Token![=>]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(rest: &str) -> std::result::Result<Arguments, String> {
        syn::parse_str(&format!(r#""a.json"{rest}"#)).map_err(|error| error.to_string())
    }

    fn texts(literals: &[LitStr]) -> Vec<String> {
        literals.iter().map(LitStr::value).collect()
    }

    #[test]
    fn all_arguments_are_read() {
        let arguments = parsed(
            r#", name: "order", dialect: "asl", input: Order, output: Vec<(Receipt, u8)>, root: "flows",
            tasks: { "Charge" => charge(Charge) -> HashMap<String, Receipt>, "Ship" => ship, "Log" => log() },
            functions: { "Discount" => |order, variables| Ok(order), "Price" => self.price, },
            substitutions: { "Stage" => "prod\n" }, correlate: { patient = "$.patient", "order id" = "$['order']" },
            schemas: { input = "order.json", "Charge" => { output = "receipt.json", input = "charge.json" }, },
            versions: { "b.json" => b, "c.json" => c_2025, }, subflows: ["d.json", "e.json",], allow: ["WF0251"],
            default_task_timeout: 300, payload_limit: 262_144, express: true,
            jsonata_limits: { depth = 50 },"#,
        )
        .unwrap_or_else(|error| panic!("{error}"));
        let options = &arguments.options;
        assert_eq!((options.name.as_deref(), options.dialect.as_deref()), (Some("order"), Some("asl")));
        assert_eq!(options.output.as_ref().map(ToString::to_string).as_deref(), Some("Vec < (Receipt , u8) >"));
        let methods: Vec<&str> = options.tasks.iter().map(|task| task.method.as_str()).collect();
        assert_eq!(methods, ["charge", "ship", "log"]);
        assert!(options.tasks[0].output.is_some() && options.tasks[2].input.is_none());
        let functions: Vec<String> = options.functions.iter().map(|bound| bound.function.to_string()).collect();
        assert_eq!(functions, ["| order , variables | Ok (order)", "self . price"]);
        assert_eq!(options.substitutions["Stage"], "prod\n");
        let paths: Vec<_> = options.correlate.iter().map(|bound| (&*bound.attribute, &*bound.path)).collect();
        assert_eq!(paths, [("patient", "$.patient"), ("order id", "$['order']")]);
        let modules: Vec<String> = arguments.versions.iter().map(|(_, module)| module.to_string()).collect();
        assert_eq!(
            (modules, texts(&arguments.subflows)),
            (vec!["b".into(), "c_2025".into()], vec!["d.json".into(), "e.json".into()])
        );
        assert_eq!(arguments.root.as_ref().map(LitStr::value).as_deref(), Some("flows"));
        assert_eq!((options.default_task_timeout, options.express), (DefaultTimeout::Seconds(300), true));
        assert_eq!(options.payload_limit, Some(262_144));
        assert_eq!(options.jsonata_limits, Some(JsonataLimits { depth: 50, ..JsonataLimits::default() }));
        let schemas: Vec<_> = options.schemas.iter().map(|bound| (bound.key(), &*bound.file)).collect();
        let [input, charge, charged] = ["input", "Charge.input", "Charge.output"].map(str::to_owned);
        assert_eq!(schemas, [(input, "order.json"), (charged, "receipt.json"), (charge, "charge.json")]);
        assert!(arguments.span_of("schemas", "Charge.output").is_some());
        assert!(arguments.span_of("tasks", "Ship").is_some() && arguments.span_of("tasks", "Chip").is_none());
    }

    #[test]
    fn a_path_is_enough() {
        let arguments = parsed("").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(arguments.path.value(), "a.json");
        assert!(arguments.subflows.is_empty() && arguments.root.is_none() && arguments.versions.is_empty());
        assert!(parsed(",").is_ok());
    }

    #[test]
    fn mistakes_are_named() {
        for (rest, problem) in [
            (r#", subflows: "b.json""#, "expected square brackets"),
            (", subflows: [b]", "expected string literal"),
            (", root: flows", "expected string literal"),
            (r#", correlate: "$.patient""#, "expected curly braces"),
            (r#", correlate: { patient => "$.a" }"#, "expected `=`"),
            (", correlate: { patient }", "expected `=`"),
            (r#", correlate: { a = "$.a" b = "$.b" }"#, "expected `,`"),
            (r#", schemas: { "A" = "a.json" }"#, "expected `=>`"),
            (r#", schemas: { "A" => "a.json" }"#, "expected curly braces"),
            (r#", schemas: { "A" => { result = "a.json" } }"#, "expected `input = \"FILE\"`, `output = \"FILE\"`"),
            (r#", schemas: { "A" => { input = "a.json", input = "b.json" } }"#, "`A.input` is specified twice"),
            (r#", schemas: { A => { input = "a.json" } }"#, "or a task in quotes"),
            (r#", versions: { "b.json" => fn }"#, "expected identifier, found keyword `fn`"),
            (", versions: { \"b.json\" => r#fn }", "`r#fn` cannot be the name of a module"),
            (r#", versions: { "b.json" => b, "c.json" => b }"#, "`b` is specified twice"),
            (r#", tasks: { "A" => a, "A" => b }"#, "`A` is specified twice"),
            (r#", tasks: { "A" => a(Order, Card) }"#, "expected one type, found `,`: a task has one input"),
            (r#", tasks: { "A" => }"#, "expected a method and its types"),
            (r#", tasks: { "A" => a(Vec<Order) }"#, "unclosed `<`"),
            (r#", tasks: { "A" => a(Order) "B" => b }"#, "expected `->` and the type of the output, found `\"B\"`"),
            (r#", functions: { "A" => }"#, "expected a function: a path, a closure or `self.method`"),
            (r#", name: "a", name: "b""#, "`name` is specified twice"),
            (", default_task_timeout: never", "expected a number of seconds, or `none`"),
            (", default_task_timeout: 300ms", "expected a number of seconds, or `none`"),
            (", default_task_timeout: -1", "expected a number of seconds, or `none`"),
            (", payload_limit: 1k", "expected a number of bytes"),
            (", payload_limit: -1", "expected a number of bytes"),
            (", jsonata_limits: { depth = 101 }", "expected a number of levels from 1 to 100"),
            (", jsonata_limits: { depth = 0 }", "expected a number of levels from 1 to 100"),
            (", jsonata_limits: { bytes = \"1\" }", "expected a number of bytes"),
            (", jsonata_limits: { steps = 1 }", "expected `depth` or `bytes`"),
            (", jsonata_limits: { bytes = 1, bytes = 2 }", "`bytes`"),
            (r#", "b.json""#, "expected an argument such as `tasks: { … }`"),
            (", express: yes", "expected boolean literal"),
            (r#" name: "a""#, "expected `,`"),
        ] {
            let found = parsed(rest).err().unwrap_or_default();
            assert!(found.contains(problem), "{rest}: {found}");
        }
        let found = parsed(r#", task: {}"#).err().unwrap_or_default();
        assert!(found.starts_with("unknown argument `task`: did you mean `tasks`?"), "{found}");
        assert!(syn::parse_str::<Arguments>("flows").is_err());
    }
}
