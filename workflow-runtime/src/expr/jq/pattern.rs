//! Translation of Oniguruma patterns (in the Perl syntax that jq selects) to the syntax of the
//! crate `regex`.
//!
//! `regex` matches in linear time. It has no look-around, back-references, atomic groups,
//! possessive quantifiers or recursion. A pattern that needs one of them is rejected with an error
//! that names the construct. Common constructs are translated so that they keep their meaning:
//! POSIX classes and `\p{…}` are Unicode classes, `$` also matches before a line feed at the end
//! of the text, brackets do not nest, and `{,n}` is not a quantifier.

/// A pattern in the syntax of `regex`.
pub(super) struct TranslatedPattern {
    pub pattern: String,
    /// The names of the capturing groups, in order.
    pub names: Vec<Option<String>>,
    /// `true` if the pattern tests for the end of the text where a line feed may follow.
    pub ends: bool,
}

/// An invalid pattern, with Oniguruma's message, or an unsupported construct.
pub(super) enum PatternError {
    Invalid(String),
    Unsupported(&'static str),
}

impl From<&str> for PatternError {
    fn from(text: &str) -> PatternError {
        PatternError::Invalid(text.to_owned())
    }
}

type Result<T = ()> = std::result::Result<T, PatternError>;

/// The options that can change within a pattern.
#[derive(Clone, Copy)]
struct Options {
    extended: bool,
    /// `true` if `^` and `$` match at lines.
    lines: bool,
}

struct Writer<'a> {
    rest: std::str::Chars<'a>,
    out: TranslatedPattern,
    options: Options,
    /// The options before each open group.
    open: Vec<Options>,
    /// `true` after an item that a quantifier can repeat.
    repeatable: bool,
}

/// Translates a pattern. `extended` is the flag `x`.
pub(super) fn write(pattern: &str, extended: bool) -> Result<TranslatedPattern> {
    let out = TranslatedPattern { pattern: String::with_capacity(pattern.len()), names: Vec::new(), ends: false };
    let options = Options { extended, lines: false };
    let mut writer = Writer { rest: pattern.chars(), out, options, open: Vec::new(), repeatable: false };
    while let Some(c) = writer.rest.next() {
        writer.one(c)?;
    }
    if writer.open.is_empty() { Ok(writer.out) } else { Err("end pattern with unmatched parenthesis".into()) }
}

/// Appends a literal character, escaped where necessary.
fn literal(c: char, out: &mut String) {
    if c.is_ascii_alphanumeric() || !c.is_ascii() {
        out.push(c);
    } else {
        out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
    }
}

impl Writer<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Consumes the text if the rest of the pattern begins with it.
    fn takes(&mut self, text: &str) -> bool {
        match self.rest.as_str().strip_prefix(text) {
            Some(rest) => {
                self.rest = rest.chars();
                true
            }
            None => false,
        }
    }

    /// Consumes the pattern up to and including `end`. Returns the text before `end`.
    fn take_until(&mut self, end: char) -> Option<&str> {
        let (taken, rest) = self.rest.as_str().split_once(end)?;
        self.rest = rest.chars();
        Some(taken)
    }

    fn one(&mut self, c: char) -> Result {
        match c {
            '(' => return self.group(),
            ')' => {
                self.options = self.open.pop().ok_or("unmatched close parenthesis")?;
                self.out.pattern.push(')');
            }
            '[' => self.class()?,
            '\\' => return self.escape(),
            '|' => {
                self.out.pattern.push('|');
                self.repeatable = false;
                return Ok(());
            }
            '*' | '+' | '?' => return self.quantifier(c.to_string()),
            '{' => match self.interval()? {
                Some(interval) => return self.quantifier(interval),
                None => literal('{', &mut self.out.pattern),
            },
            '^' if self.options.lines => self.out.pattern.push_str("(?m:^)"),
            '^' => self.out.pattern.push_str("\\A"),
            '$' if self.options.lines => self.out.pattern.push_str("(?m:$)"),
            '$' => self.end(),
            '.' => self.out.pattern.push('.'),
            '#' if self.options.extended => {
                if self.take_until('\n').is_none() {
                    self.rest = "".chars();
                }
                return Ok(());
            }
            c if self.options.extended && c.is_ascii_whitespace() => return Ok(()),
            c => literal(c, &mut self.out.pattern),
        }
        self.repeatable = true;
        Ok(())
    }

    fn end(&mut self) {
        self.out.ends = true;
        self.out.pattern.push_str("\\z");
    }

    fn quantifier(&mut self, quantifier: String) -> Result {
        if !self.repeatable {
            return Err("target of repeat operator is not specified".into());
        }
        self.out.pattern.push_str(&quantifier);
        if self.takes("?") {
            self.out.pattern.push('?');
        } else if self.peek() == Some('+') && !quantifier.starts_with('{') {
            return Err(PatternError::Unsupported("a possessive quantifier"));
        }
        Ok(())
    }

    /// Reads `{n}`, `{n,}` or `{n,m}` after the opening brace. Returns `None` for anything else.
    fn interval(&mut self) -> Result<Option<String>> {
        let Some((inside, rest)) = self.rest.as_str().split_once('}') else { return Ok(None) };
        let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if least.is_empty() || !digits(least) || !digits(most) {
            return Ok(None);
        }
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if number <= 100_000 => Ok(number),
            _ => Err(PatternError::from("too big number is used for repeat range")),
        };
        if !most.is_empty() && number(most)? < number(least)? {
            return Err("upper is smaller than lower in repeat range".into());
        }
        number(least)?;
        let interval = format!("{{{inside}}}");
        self.rest = rest.chars();
        Ok(Some(interval))
    }

    /// Translates a group after its `(`.
    fn group(&mut self) -> Result {
        if !self.takes("?") {
            self.out.names.push(None);
            return self.enter("(");
        }
        if self.takes("#") {
            return self.take_until(')').map(|_| ()).ok_or("end pattern in group".into());
        }
        if self.takes(":") {
            return self.enter("(?:");
        }
        for (start, what) in [
            ("=", "a look-ahead"),
            ("!", "a look-ahead"),
            ("<=", "a look-behind"),
            ("<!", "a look-behind"),
            (">", "an atomic group"),
            ("~", "an absence operator"),
            ("(", "a condition"),
            ("R", "a call of a group"),
            ("&", "a call of a group"),
            ("|", "a branch reset"),
        ] {
            if self.takes(start) {
                return Err(PatternError::Unsupported(what));
            }
        }
        let name_end = match () {
            () if self.takes("<") => Some('>'),
            () if self.takes("'") => Some('\''),
            () if self.takes("P<") => Some('>'),
            () => None,
        };
        if let Some(end) = name_end {
            let name = self.take_until(end).ok_or("end pattern in group")?.to_owned();
            let starts_well = |c: char| c.is_alphabetic() || c == '_';
            if name.is_empty() {
                return Err("group name is empty".into());
            }
            if !name.starts_with(starts_well) || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                return Err(PatternError::Invalid(format!("invalid group name <{name}>")));
            }
            self.out.names.push(Some(name));
            return self.enter("(");
        }
        self.group_options()
    }

    fn enter(&mut self, start: &str) -> Result {
        self.out.pattern.push_str(start);
        self.open.push(self.options);
        self.repeatable = false;
        Ok(())
    }

    /// Translates `(?i-x)` and `(?i-x:…)`.
    fn group_options(&mut self) -> Result {
        let around = self.options;
        let (mut on, mut off, mut negated) = (String::new(), String::new(), false);
        loop {
            match self.rest.next() {
                Some('-') => negated = true,
                Some('x') => self.options.extended = !negated,
                Some('m') => self.options.lines = !negated,
                Some(c @ ('i' | 's')) => if negated { &mut off } else { &mut on }.push(c),
                Some(end @ (')' | ':')) => {
                    let minus = if off.is_empty() { "" } else { "-" };
                    let options = format!("{on}{minus}{off}");
                    let pattern = &mut self.out.pattern;
                    match (end, options.is_empty()) {
                        (')', true) => {}
                        (')', false) => pattern.push_str(&format!("(?{options})")),
                        _ => pattern.push_str(&format!("(?{options}:")),
                    }
                    if end == ':' {
                        self.open.push(around);
                        self.repeatable = false;
                    }
                    return Ok(());
                }
                Some(_) => return Err("undefined group option".into()),
                None => return Err("end pattern in group".into()),
            }
        }
    }

    /// Translates an escape after its `\`, outside of brackets.
    fn escape(&mut self) -> Result {
        let c = self.rest.next().ok_or("end pattern at escape")?;
        match c {
            'Q' => {
                let quoted = match self.rest.as_str().split_once("\\E") {
                    Some((quoted, rest)) => {
                        self.rest = rest.chars();
                        quoted.to_owned()
                    }
                    None => std::mem::replace(&mut self.rest, "".chars()).as_str().to_owned(),
                };
                quoted.chars().for_each(|c| literal(c, &mut self.out.pattern));
                self.repeatable |= !quoted.is_empty();
                return Ok(());
            }
            'E' => return Ok(()),
            'A' | 'z' | 'b' | 'B' => self.out.pattern.extend(['\\', c]),
            'Z' => self.end(),
            'G' => return Err(PatternError::Unsupported("the anchor `\\G`")),
            'K' => return Err(PatternError::Unsupported("`\\K`")),
            'X' => return Err(PatternError::Unsupported("the text segment `\\X`")),
            'y' | 'Y' => return Err(PatternError::Unsupported("a boundary of text segments")),
            'k' | '1'..='9' if self.is_reference(c) => return Err(PatternError::Unsupported("a back-reference")),
            'g' if matches!(self.peek(), Some('<' | '\'' | '{')) => {
                return Err(PatternError::Unsupported("a call of a group"));
            }
            'N' => self.out.pattern.push_str("[^\\n]"),
            'O' => self.out.pattern.push_str("(?s:.)"),
            'R' => self.out.pattern.push_str("(?:\\r\\n|[\\n\\x0b\\x0c\\r\\x{85}\\x{2028}\\x{2029}])"),
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P' => self.set(c, false)?,
            c => match self.character(c)? {
                Some(c) => literal(c, &mut self.out.pattern),
                None => literal(c, &mut self.out.pattern),
            },
        }
        self.repeatable = true;
        Ok(())
    }

    /// Returns `true` if digits or a name refer to a group. Two or more digits can be a character
    /// code instead.
    fn is_reference(&self, first: char) -> bool {
        match self.peek() {
            _ if first == 'k' => matches!(self.peek(), Some('<' | '\'' | '{')),
            Some(second) if second.is_digit(8) && first < '8' => {
                let number = first.to_digit(10).unwrap_or(0) * 10 + second.to_digit(10).unwrap_or(0);
                number as usize <= self.out.names.len()
            }
            _ => true,
        }
    }

    /// Translates an escape for a character set, within brackets or outside of them.
    fn set(&mut self, c: char, within: bool) -> Result {
        let out = &mut self.out.pattern;
        match c {
            'p' | 'P' => {
                if !self.takes("{") {
                    return Err(PatternError::Invalid(format!("invalid character property name {{{c}}}")));
                }
                let name = self.take_until('}').ok_or("invalid character property name {p}")?.to_owned();
                let (negated, plain) = match name.strip_prefix('^') {
                    Some(plain) => (true, plain),
                    None => (false, name.as_str()),
                };
                let negated = negated != (c == 'P');
                let key: String = plain.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).collect();
                let set = match posix(&key.to_ascii_lowercase()) {
                    Some(set) => set.to_owned(),
                    None if regex::Regex::new(&format!("\\p{{{plain}}}")).is_ok() => format!("\\p{{{plain}}}"),
                    None => return Err(PatternError::Invalid(format!("invalid character property name {{{name}}}"))),
                };
                let set = format!("[{}{set}]", if negated { "^" } else { "" });
                // Outside of brackets, a property is case-sensitive.
                self.out.pattern.push_str(&if within { set } else { format!("(?-i:{set})") });
            }
            c => out.extend(['\\', c]),
        }
        Ok(())
    }

    /// Returns the character of an escape, or `None` if the escape stands for its letter itself.
    fn character(&mut self, c: char) -> Result<Option<char>> {
        let code = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'f' => 12,
            'v' => 11,
            'a' => 7,
            'e' => 27,
            'x' if self.takes("{") => {
                let digits = self.take_until('}').ok_or("invalid code point value")?;
                u32::from_str_radix(digits, 16).map_err(|_| "invalid code point value")?
            }
            'x' => self.digits(16, 2, 0),
            '0'..='7' => self.digits(8, 2, c.to_digit(8).unwrap_or(0)),
            'c' => match self.rest.next() {
                Some(c) => u32::from(c) & 0x1f,
                None => return Err("end pattern at control".into()),
            },
            _ => return Ok(None),
        };
        char::from_u32(code).map(Some).ok_or("invalid code point value".into())
    }

    /// Reads a number of at most `most` more digits, continuing `start`.
    fn digits(&mut self, radix: u32, most: usize, start: u32) -> u32 {
        let mut code = start;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            self.rest.next();
            code = code * radix + digit;
        }
        code
    }

    /// Translates a bracket expression after its `[`.
    fn class(&mut self) -> Result {
        self.out.pattern.push('[');
        if self.takes("^") {
            self.out.pattern.push('^');
        }
        let mut first = true;
        loop {
            let c = self.rest.next().ok_or("premature end of char-class")?;
            match c {
                ']' if !first => break,
                // An empty class is not allowed: the bracket is its first character if another
                // bracket follows.
                ']' if !self.rest.as_str().contains(']') => return Err("empty char-class".into()),
                '[' if self.rest.as_str().starts_with(':') && self.posix_bracket()? => {}
                c => self.member(c)?,
            }
            first = false;
        }
        self.out.pattern.push(']');
        Ok(())
    }

    /// Translates `[:alpha:]` after its opening bracket.
    fn posix_bracket(&mut self) -> Result<bool> {
        let Some((name, rest)) = self.rest.as_str()[1..].split_once(":]") else { return Ok(false) };
        let (negated, name) = match name.strip_prefix('^') {
            Some(name) => ("^", name),
            None => ("", name),
        };
        let Some(set) = posix(name) else { return Ok(false) };
        self.out.pattern.push_str(&format!("[{negated}{set}]"));
        self.rest = rest.chars();
        Ok(true)
    }

    /// Translates a character, a range or a set within brackets.
    fn member(&mut self, c: char) -> Result {
        let Some(from) = self.class_character(c)? else { return Ok(()) };
        let is_range = self.rest.as_str().starts_with('-') && !self.rest.as_str().starts_with("-]");
        if !is_range {
            literal(from, &mut self.out.pattern);
            return Ok(());
        }
        self.rest.next();
        let behind = self.rest.next().ok_or("premature end of char-class")?;
        literal(from, &mut self.out.pattern);
        let before = self.out.pattern.len();
        match self.class_character(behind)? {
            Some(to) if to < from => Err("empty range in char class".into()),
            Some(to) => {
                self.out.pattern.push('-');
                literal(to, &mut self.out.pattern);
                Ok(())
            }
            // A set cannot end a range, so the dash is a character.
            None => {
                self.out.pattern.insert_str(before, "\\x{2d}");
                Ok(())
            }
        }
    }

    /// Reads a character within brackets. Returns `None` for a set, which has been appended.
    fn class_character(&mut self, c: char) -> Result<Option<char>> {
        if c != '\\' {
            return Ok(Some(c));
        }
        match self.rest.next().ok_or("end pattern at escape")? {
            c @ ('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P') => {
                self.set(c, true)?;
                Ok(None)
            }
            'b' => Ok(Some('\u{8}')),
            c => Ok(Some(self.character(c)?.unwrap_or(c))),
        }
    }
}

/// Returns the POSIX class of this name in Unicode, as the content of brackets.
fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "alpha" => "\\p{Alphabetic}",
        "ascii" => "\\x00-\\x7f",
        "blank" => "\\t\\p{Zs}",
        "cntrl" => "\\p{Cc}",
        "digit" => "\\p{Nd}",
        "graph" => "[^\\s\\p{Cc}\\p{Cn}\\p{Cs}]",
        "lower" => "\\p{Lowercase}",
        "print" => "[^\\p{Cc}\\p{Cn}\\p{Cs}]",
        "punct" => "\\p{P}$+<=>\\^`|\\x7e",
        "space" => "\\s",
        "upper" => "\\p{Uppercase}",
        "xdigit" => "0-9A-Fa-f",
        "word" => "\\w",
        _ => return None,
    })
}
