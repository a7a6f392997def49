//! A strict reader of the text format of Prometheus, version 0.0.4.

use std::collections::{BTreeMap, BTreeSet};

/// The samples of a text: values by the name and the labels as they are written.
#[derive(Debug)]
pub struct Exposition {
    samples: BTreeMap<String, f64>,
    /// The kinds of families.
    kinds: BTreeMap<String, String>,
}

impl Exposition {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Returns the first violation of the format or of its conventions.
    pub fn read(text: &str) -> Result<Exposition, String> {
        if !text.ends_with('\n') {
            return Err("the last line has no end".to_owned());
        }
        let mut read = Exposition { samples: BTreeMap::new(), kinds: BTreeMap::new() };
        let (mut helped, mut family) = (BTreeSet::new(), String::new());
        for line in text.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let name = help.split_once(' ').filter(|(_, help)| !help.is_empty()).ok_or(line)?.0;
                (is_name(name) && helped.insert(name.to_owned()))
                    .then_some(())
                    .ok_or(format!("second help: {line}"))?;
                family = name.to_owned();
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').ok_or(line)?;
                let known = ["counter", "gauge", "histogram"].contains(&kind) && name == family;
                known.then_some(()).ok_or(format!("a type apart from its help, or unknown: {line}"))?;
                if read.kinds.insert(name.to_owned(), kind.to_owned()).is_some() {
                    return Err(format!("second type: {line}"));
                }
            } else {
                read.sample(line, &family).map_err(|problem| format!("{problem}: {line}"))?;
            }
        }
        read.check_histograms()?;
        Ok(read)
    }

    fn sample(&mut self, line: &str, family: &str) -> Result<(), String> {
        let (series, value) = line.rsplit_once(' ').ok_or("no value")?;
        let value: f64 = value.parse().map_err(|_| "the value is no number")?;
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let kind = self.kinds.get(family).ok_or("a sample without a type")?;
        let suffixes: &[&str] = if kind == "histogram" { &["_bucket", "_sum", "_count"] } else { &[""] };
        let of_family = name.strip_prefix(family).is_some_and(|suffix| suffixes.contains(&suffix));
        let well = is_name(name) && of_family && (kind == "counter") == name.ends_with("_total");
        well.then_some(()).ok_or("the name is not of the family, or against the conventions")?;
        if kind != "gauge" && (value < 0.0 || !value.is_finite()) {
            return Err("a count below 0".to_owned());
        }
        let mut names = BTreeSet::new();
        for (label, _) in read_labels(labels.strip_suffix('}').ok_or("no end of labels")?)? {
            names.insert(label).then_some(()).ok_or("a label twice")?;
        }
        match self.samples.insert(series.to_owned(), value) {
            None => Ok(()),
            Some(_) => Err("a series twice".to_owned()),
        }
    }

    /// Checks that buckets grow, and that the last is the count.
    fn check_histograms(&self) -> Result<(), String> {
        for (family, _) in self.kinds.iter().filter(|(_, kind)| *kind == "histogram") {
            let mut series: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
            for (name, value) in &self.samples {
                let Some(labels) = name.strip_prefix(&format!("{family}_bucket{{")) else { continue };
                let labels = read_labels(labels.trim_end_matches('}'))?;
                let bound = labels.iter().find(|(name, _)| name == "le").ok_or("a bucket without a bound")?;
                let bound = bound.1.parse().map_err(|_| "a bound that is no number")?;
                let rest = labels.iter().filter(|(name, _)| name != "le");
                let rest: Vec<String> = rest.map(|(name, value)| format!("{name}=\"{value}\"")).collect();
                series.entry(rest.join(",")).or_default().push((bound, *value));
            }
            for (labels, mut buckets) in series {
                buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
                let suffix = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
                let count = self.samples.get(&format!("{family}_count{suffix}")).ok_or("no count")?;
                self.samples.get(&format!("{family}_sum{suffix}")).ok_or("no sum")?;
                let grows = buckets.windows(2).all(|pair| pair[0].1 <= pair[1].1);
                let last = buckets.last().is_some_and(|last| last.0 == f64::INFINITY && last.1 == *count);
                (grows && last).then_some(()).ok_or(format!("the buckets of {family}{{{labels}}}: {buckets:?}"))?;
            }
        }
        Ok(())
    }

    /// Returns the value of a series; 0 if there is none.
    pub fn value(&self, series: &str) -> f64 {
        self.samples.get(series).copied().unwrap_or_default()
    }

    /// Returns the texts of all series.
    pub fn series(&self) -> impl Iterator<Item = &str> {
        self.samples.keys().map(String::as_str)
    }

    /// Returns the names of all families.
    pub fn families(&self) -> Vec<&str> {
        self.kinds.keys().map(String::as_str).collect()
    }
}

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || "_:".contains(c));
    starts && text.chars().all(|c| c.is_ascii_alphanumeric() || "_:".contains(c))
}

/// Reads `name="value",…`.
fn read_labels(mut text: &str) -> Result<Vec<(String, String)>, String> {
    let mut labels = Vec::new();
    while !text.is_empty() {
        let (name, rest) = text.split_once("=\"").ok_or("a label without a value")?;
        (is_name(name) && !name.contains(':')).then_some(()).ok_or("a label that is no name")?;
        let (mut value, mut characters) = (String::new(), rest.char_indices());
        let end = loop {
            match characters.next().ok_or("a value without an end")? {
                (at, '"') => break at,
                (_, '\\') => match characters.next().ok_or("an escape without an end")?.1 {
                    'n' => value.push('\n'),
                    plain @ ('\\' | '"') => value.push(plain),
                    other => return Err(format!("the escape `{other}`")),
                },
                (_, plain) => value.push(plain),
            }
        };
        labels.push((name.to_owned(), value));
        text = &rest[end + 1..];
        if let Some(more) = text.strip_prefix(',') {
            text = more;
        } else if !text.is_empty() {
            return Err("no comma between labels".to_owned());
        }
    }
    Ok(labels)
}
