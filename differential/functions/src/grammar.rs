//! Random functions of the translated subset. Every loop ends. Results do not contain values that
//! implementations may choose: source texts of functions, and messages of errors.

mod expressions;

use crate::random::Random;

#[derive(Clone)]
struct Name {
    text: String,
    is_constant: bool,
    /// The number of its parameters, if it is a function.
    arity: Option<usize>,
    is_error: bool,
}

/// A generator of functions, with the scope of the current position.
pub struct Generator {
    pub random: Random,
    scope: Vec<Name>,
    /// The labels of loops in the enclosing function, each with `true` if `continue` may use it.
    labels: Vec<(String, bool)>,
    loops: usize,
    switches: usize,
    made: usize,
    budget: usize,
    /// `true` if the enclosing function can await.
    is_async: bool,
}

const KEYS: &[&str] = &["a", "b", "c", "d", "e", "length"];

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            scope: Vec::new(),
            labels: Vec::new(),
            loops: 0,
            switches: 0,
            made: 0,
            budget: 0,
            is_async: false,
        }
    }

    /// Returns a function of a document, which may use the Let variables `v` and `w`.
    pub fn function(&mut self) -> String {
        self.is_async = self.random.chance(30);
        let function = self.function_of_document();
        // `box` returns an object instead of a value whose members cannot be assigned.
        let wait = if self.is_async { "await " } else { "" };
        let word = if self.is_async { "async " } else { "" };
        format!(
            "{word}document => {{ const box = x => typeof x === 'object' && x !== null && !Array.isArray(x) ? x : {{}}; const it = {{ n: 0, f(x) {{ this.n++; return [this === it, this.n, x]; }}, g(x) {{ it.f = x; return x; }}, h: null }}; return {wait}({function})(document); }}"
        )
    }

    fn function_of_document(&mut self) -> String {
        self.scope.clear();
        self.labels.clear();
        (self.loops, self.switches, self.made, self.budget) = (0, 0, 0, 8);
        self.know("v", false);
        self.know("w", false);
        let params = match self.random.below(5) {
            0 => {
                self.know("a", false);
                self.know("b", false);
                "{ a, b = 1 }".to_owned()
            }
            1 => {
                self.know("a", false);
                self.know("rest", false);
                "{ a: { length: a } = [1], ...rest }".to_owned()
            }
            2 => String::new(),
            _ => {
                self.know("p", false);
                "p".to_owned()
            }
        };
        match self.random.below(6) {
            0 => {
                let value = self.expr(4);
                let word = if self.is_async { "async " } else { "" };
                format!("{word}({params}) => ({value})")
            }
            1 => {
                let word = if self.is_async { "async " } else { "" };
                let body = self.statements(3, 4);
                format!("{word}function ({params}) {{ {body} }}")
            }
            _ => {
                let word = if self.is_async { "async " } else { "" };
                let body = self.statements(3, 4);
                format!("{word}({params}) => {{ {body} }}")
            }
        }
    }

    fn know(&mut self, name: &str, is_constant: bool) {
        self.scope.push(Name { text: name.to_owned(), is_constant, arity: None, is_error: false });
    }

    fn fresh(&mut self, stem: &str) -> String {
        // Some names are reused, so that declarations hide each other.
        if self.random.chance(30) && stem == "x" {
            let name = self.random.pick(&["x", "y", "i", "type", "run", "value"]);
            if !self.scope.iter().any(|known| known.text == *name) {
                return name.to_owned();
            }
        }
        self.made += 1;
        format!("{stem}{}", self.made)
    }

    fn values(&self) -> Vec<String> {
        self.scope.iter().filter(|name| name.arity.is_none() && !name.is_error).map(|name| name.text.clone()).collect()
    }

    fn value_name(&mut self) -> String {
        let names = self.values();
        names[self.random.below(names.len())].clone()
    }

    fn target_name(&mut self) -> String {
        let names: Vec<String> = self
            .scope
            .iter()
            .filter(|name| name.arity.is_none() && !name.is_error && !name.is_constant)
            .map(|name| name.text.clone())
            .collect();
        names[self.random.below(names.len())].clone()
    }

    fn statements(&mut self, depth: usize, most: usize) -> String {
        let known = self.scope.len();
        let count = 1 + self.random.below(most);
        let statements: Vec<String> = (0..count).map(|_| self.statement(depth)).collect();
        let end = if self.random.chance(60) && self.loops == 0 && self.switches == 0 {
            format!(" return {};", self.expr(2))
        } else {
            String::new()
        };
        self.scope.truncate(known);
        statements.join(" ") + &end
    }

    fn block(&mut self, depth: usize) -> String {
        format!("{{ {} }}", self.statements(depth, 3))
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.budget == 0 {
            return format!("{};", self.effect(2));
        }
        self.budget -= 1;
        let d = depth - 1;
        match self.random.below(27) {
            24 => {
                let (list, name, object) = (self.fresh("g"), self.fresh("x"), self.expr(2));
                let target = self.target_name();
                match self.random.below(3) {
                    0 => format!(
                        "{{ const {list} = [1, {object}]; for (const {name} of {list}) {{ if ({list}.length < 5) {list}.push({name}); {target} = {list}.length; }} }}"
                    ),
                    1 => format!(
                        "{{ const {list} = [1, 2, {object}]; for (const {name} of {list}) {{ {list}.pop(); {target} = {name}; }} }}"
                    ),
                    _ => format!(
                        "{{ const {list} = {{ a: {object}, b: 1, c: 2, 0: 3, d: 4 }}; for (const {name} in {list}) {{ delete {list}.c; delete {list}[{}]; {list}.e = 1; {target} += {name}; }} }}",
                        self.literal()
                    ),
                }
            }
            25 if self.is_async => self.async_function(d),
            26 => {
                let (key, rest, source, target) = (self.fresh("x"), self.fresh("x"), self.expr(2), self.target_name());
                let text = format!(
                    "{{ const {{ [{}]: {key}, a: {key}b = 1, ...{rest} }} = ({source}) ?? 1; {target} = [{key}, {rest}]; }}",
                    self.expr(1)
                );
                text
            }
            0..=3 | 25 => self.declaration(d),
            4..=7 => format!("{};", self.effect(3)),
            8 | 9 => {
                let (test, yes) = (self.expr(2), self.block(d));
                match self.random.below(3) {
                    0 => format!("if ({test}) {yes}"),
                    1 => format!("if ({test}) {yes} else {}", self.block(d)),
                    _ => {
                        format!("if ({test}) {yes} else if ({}) {} else {}", self.expr(1), self.block(d), self.block(d))
                    }
                }
            }
            10 | 11 => self.for_loop(d),
            12 => {
                let (name, label) = (self.fresh("n"), self.label());
                let body = self.loop_body(d, &label, true);
                let test = if self.random.chance(50) { format!(" && {}", self.expr(1)) } else { String::new() };
                format!("{{ let {name} = {}; {label}: while ({name}-- > 0{test}) {body} }}", self.random.below(5))
            }
            13 => {
                let (name, label) = (self.fresh("n"), self.label());
                let body = self.loop_body(d, &label, true);
                format!("{{ let {name} = {}; {label}: do {body} while ({name}-- > 0) }}", self.random.below(4))
            }
            14 | 15 => {
                let list = self.list(2);
                let known = self.scope.len();
                let (target, label) = (self.pattern(1), self.label());
                let word = self.random.pick(&["const", "let"]);
                if word == "const" {
                    self.scope[known..].iter_mut().for_each(|name| name.is_constant = true);
                }
                let body = self.loop_body(d, &label, true);
                self.scope.truncate(known);
                format!("{label}: for ({word} {target} of {list}) {body}")
            }
            16 => {
                let (object, name, label) = (self.expr(2), self.fresh("x"), self.label());
                let known = self.scope.len();
                self.know(&name, true);
                let body = self.loop_body(d, &label, true);
                self.scope.truncate(known);
                format!("{label}: for (const {name} in {object}) {body}")
            }
            17 | 18 => self.switch(d),
            19 | 20 => self.try_statement(d),
            21 => {
                let label = self.label();
                self.labels.push((label.clone(), false));
                let body = self.block(d);
                self.labels.pop();
                format!("{label}: {body}")
            }
            22 => self.function_declaration(d),
            _ => self.leave(),
        }
    }

    fn leave(&mut self) -> String {
        let break_out = self.loops > 0 || self.switches > 0;
        match self.random.below(6) {
            0 if break_out => "break;".to_owned(),
            1 if self.loops > 0 => "continue;".to_owned(),
            2 | 3 if !self.labels.is_empty() => {
                let at = self.random.below(self.labels.len());
                let (label, is_loop) = self.labels[at].clone();
                if is_loop && self.random.chance(50) { format!("continue {label};") } else { format!("break {label};") }
            }
            4 => format!("if ({}) throw {};", self.expr(1), self.thrown()),
            _ => format!("if ({}) return {};", self.expr(1), self.expr(2)),
        }
    }

    fn thrown(&mut self) -> String {
        match self.random.below(3) {
            0 => "new Error('x')".to_owned(),
            1 => "new TypeError('x')".to_owned(),
            _ => self.expr(1),
        }
    }

    fn label(&mut self) -> String {
        self.made += 1;
        format!("l{}", self.made)
    }

    fn loop_body(&mut self, depth: usize, label: &str, is_loop: bool) -> String {
        self.labels.push((label.to_owned(), is_loop));
        self.loops += 1;
        let body = self.block(depth);
        self.loops -= 1;
        self.labels.pop();
        body
    }

    fn for_loop(&mut self, depth: usize) -> String {
        let (name, label, known) = (self.fresh("x"), self.label(), self.scope.len());
        let limit = 1 + self.random.below(4);
        self.know(&name, true);
        let word = self.random.pick(&["let", "let", "var"]);
        let list = self.fresh("fs");
        let captures = self.random.chance(40);
        let mut body = self.loop_body(depth, &label, true);
        if captures {
            // In QuickJS, an iteration that ends in `continue` has no loop variable of its own,
            // against ECMA-262 §14.7.4.4.
            body = body.replace("continue;", ";").replace(&format!("continue {label};"), ";");
            body = format!("{{ {list}.push(() => {name}); {body} }}");
        }
        let update = self.random.pick(&["++", " += 1", "++"]);
        let code = format!("{label}: for ({word} {name} = 0; {name} < {limit}; {name}{update}) {body}");
        self.scope.truncate(known);
        if captures {
            let target = self.target_name();
            return format!("const {list} = []; {code} {target} = {list}.map(f => f());");
        }
        if word == "var" {
            self.know(&name, false);
        }
        code
    }

    fn switch(&mut self, depth: usize) -> String {
        let value = self.expr(2);
        self.switches += 1;
        let count = 1 + self.random.below(4);
        let default = self.random.below(count + 2);
        let mut cases = String::new();
        for at in 0..count {
            if at == default {
                cases.push_str(&format!("default: {} ", self.statements(depth.min(1), 2)));
                continue;
            }
            let test = if self.random.chance(70) { self.literal() } else { self.expr(1) };
            let body = if self.random.chance(20) { String::new() } else { self.block(depth) };
            let end = if self.random.chance(60) { " break;" } else { "" };
            cases.push_str(&format!("case {test}: {body}{end} "));
        }
        self.switches -= 1;
        format!("switch ({value}) {{ {cases}}}")
    }

    fn try_statement(&mut self, depth: usize) -> String {
        let body = self.block(depth);
        let handler = match self.random.below(3) {
            0 => format!("catch {}", self.block(depth)),
            _ => {
                let (name, known) = (self.fresh("e"), self.scope.len());
                self.scope.push(Name { text: name.clone(), is_constant: false, arity: None, is_error: true });
                let shown = format!("{} = {name} instanceof Error ? {name}.name : typeof {name};", self.target_name());
                let handler = self.statements(depth, 2);
                self.scope.truncate(known);
                format!("catch ({name}) {{ {shown} {handler} }}")
            }
        };
        let finalizer = self.block(depth);
        match self.random.below(4) {
            0 => format!("try {body} {handler} finally {finalizer}"),
            1 => format!("try {body} finally {finalizer}"),
            _ => format!("try {body} {handler}"),
        }
    }

    fn function_declaration(&mut self, depth: usize) -> String {
        let (name, known) = (self.fresh("f"), self.scope.len());
        let (labels, loops, switches) = (std::mem::take(&mut self.labels), self.loops, self.switches);
        let is_async = std::mem::take(&mut self.is_async);
        (self.loops, self.switches) = (0, 0);
        self.know("n", false);
        self.know("m", false);
        let body = match self.random.below(3) {
            0 => format!("return n > 0 && n < 5 ? {name}(n - 1, {}) : {};", self.expr(1), self.expr(2)),
            _ => self.statements(depth, 3),
        };
        self.scope.truncate(known);
        (self.labels, self.loops, self.switches) = (labels, loops, switches);
        self.is_async = is_async;
        let code = match self.random.below(4) {
            0 => format!("function {name}(n, m = {}) {{ {body} }}", self.literal()),
            1 => format!("function {name}(n, ...m) {{ {body} }}"),
            2 => format!("const {name} = (n, m) => {{ {body} }};"),
            _ => format!("function {name}(n, m) {{ {body} }}"),
        };
        self.scope.push(Name { text: name, is_constant: true, arity: Some(2), is_error: false });
        code
    }

    /// Writes an async function, and its call.
    fn async_function(&mut self, depth: usize) -> String {
        let (name, known) = (self.fresh("f"), self.scope.len());
        let (labels, loops, switches) = (std::mem::take(&mut self.labels), self.loops, self.switches);
        (self.loops, self.switches) = (0, 0);
        self.know("n", false);
        let body = self.statements(depth, 3);
        self.scope.truncate(known);
        (self.labels, self.loops, self.switches) = (labels, loops, switches);
        let (target, argument) = (self.target_name(), self.expr(1));
        match self.random.below(3) {
            0 => format!("{{ const {name} = async n => {{ {body} }}; {target} = await {name}({argument}); }}"),
            1 => format!("{{ async function {name}(n) {{ {body} }} {target} = await {name}({argument}); }}"),
            _ => format!("{target} = await (async n => {{ {body} }})({argument});"),
        }
    }

    fn declaration(&mut self, _depth: usize) -> String {
        let word = self.random.pick(&["let", "let", "const", "var"]);
        if word == "let" && self.random.chance(15) {
            let name = self.fresh("x");
            self.know(&name, false);
            return format!("let {name};");
        }
        let value = self.expr(3);
        let known = self.scope.len();
        let pattern = self.pattern(2);
        if word == "const" {
            self.scope[known..].iter_mut().for_each(|name| name.is_constant = true);
        }
        match pattern.as_bytes().first() {
            Some(b'[') if self.random.chance(90) => format!("{word} {pattern} = [].concat({value});"),
            Some(b'{') if self.random.chance(90) => format!("{word} {pattern} = ({value}) ?? 1;"),
            _ => format!("{word} {pattern} = {value};"),
        }
    }

    /// Writes a pattern that declares names.
    fn pattern(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(70) {
            let name = self.fresh("x");
            self.know(&name, false);
            return name;
        }
        match self.random.below(4) {
            0 => {
                let (key, inner) = (self.random.pick(KEYS), self.pattern(depth - 1));
                format!("{{ {key}: {inner} = {} }}", self.literal())
            }
            1 => {
                let (first, rest) = (self.pattern(depth - 1), self.pattern(0));
                format!("{{ a: {first}, ...{rest} }}")
            }
            2 => {
                let (first, second) = (self.pattern(depth - 1), self.pattern(depth - 1));
                format!("[{first}, {second} = {}]", self.literal())
            }
            _ => {
                let (first, rest) = (self.pattern(0), self.pattern(0));
                format!("[{first}, , ...{rest}]")
            }
        }
    }
}
