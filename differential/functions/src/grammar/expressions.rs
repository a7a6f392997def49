//! Random expressions.

use super::{Generator, KEYS};

impl Generator {
    pub(super) fn literal(&mut self) -> String {
        self.random
            .pick(&[
                "0",
                "1",
                "2",
                "3",
                "-1",
                "0.5",
                "10",
                "1e21",
                "NaN",
                "''",
                "'a'",
                "'b'",
                "'10'",
                "'héllo'",
                "true",
                "false",
                "null",
                "undefined",
                "[]",
                "{}",
            ])
            .replace("{}", "({})")
    }

    pub(super) fn list(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("Object.keys({} ?? 0)", self.expr(depth)),
            1 => "'héé'".to_owned(),
            2 if self.random.chance(20) => self.expr(depth),
            2 => format!("[].concat({})", self.expr(depth)),
            _ => format!("[{}, {}, {}]", self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1)),
        }
    }

    /// Returns an expression that usually has a side effect.
    pub(super) fn effect(&mut self, depth: usize) -> String {
        if self.random.chance(70) {
            format!("({})", self.assignment(depth.max(1)))
        } else {
            format!("({})", self.expr(depth))
        }
    }

    fn place(&mut self, depth: usize) -> String {
        match self.random.below(12) {
            0 if self.random.chance(15) => format!("{}.{}", self.value_name(), self.random.pick(&KEYS[..5])),
            1 | 2 => format!("box({}).{}", self.value_name(), self.random.pick(&KEYS[..5])),
            3 => format!("box({})[{}]", self.value_name(), self.expr(depth.saturating_sub(1))),
            _ => self.target_name(),
        }
    }

    fn assignment(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.random.below(12) {
            0..=3 => format!("{} = {}", self.place(d), self.expr(d)),
            4..=6 => {
                let op =
                    self.random.pick(&["+=", "-=", "*=", "/=", "%=", "**=", "|=", "&=", "^=", "<<=", ">>=", ">>>="]);
                format!("{} {op} {}", self.place(d), self.expr(d))
            }
            7 => {
                let op = self.random.pick(&["||=", "&&=", "??="]);
                format!("{} {op} {}", self.place(d), self.expr(d))
            }
            8 => format!("{}{}", self.place(d), self.random.pick(&["++", "--"])),
            9 => format!("{}{}", self.random.pick(&["++", "--"]), self.place(d)),
            10 => format!("[{}, {}] = [{}, {}]", self.target_name(), self.target_name(), self.expr(d), self.expr(d)),
            _ => format!(
                "{{ a: {}, b: {} = {} }} = {}",
                self.target_name(),
                self.target_name(),
                self.literal(),
                self.expr(d)
            ),
        }
    }

    pub(super) fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(10) {
                0..=3 => self.literal(),
                4..=7 => self.value_name(),
                8 if self.random.chance(20) => format!("{}.{}", self.value_name(), self.random.pick(KEYS)),
                _ => format!("{}?.{}", self.value_name(), self.random.pick(KEYS)),
            };
        }
        let d = depth - 1;
        match self.random.below(40) {
            0 | 1 => self.literal(),
            2..=4 => self.value_name(),
            5 if self.random.chance(30) => format!("{}.{}", self.value_name(), self.random.pick(KEYS)),
            5 | 6 => format!("({} ?? 0).{}", self.value_name(), self.random.pick(KEYS)),
            7 => format!("({} ?? [])[{}]", self.expr(d), self.expr(d)),
            8 => format!("({})?.{}?.[{}]", self.expr(d), self.random.pick(KEYS), self.expr(d)),
            9 => format!("({})?.{}?.{}", self.expr(d), self.random.pick(KEYS), self.random.pick(KEYS)),
            10..=13 => {
                let op = self.random.pick(&["+", "+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>"]);
                format!("(({}) {op} ({}))", self.expr(d), self.expr(d))
            }
            14..=16 => {
                let op = self.random.pick(&["===", "!==", "==", "!=", "<", ">", "<=", ">="]);
                format!("(({}) {op} ({}))", self.expr(d), self.expr(d))
            }
            17 | 18 => {
                let op = self.random.pick(&["&&", "||", "??"]);
                format!("(({}) {op} ({}))", self.expr(d), self.expr(d))
            }
            19 | 20 => format!("(({}) ? ({}) : ({}))", self.expr(d), self.expr(d), self.expr(d)),
            21 => format!("`{}${{{}}}-${{{}}}`", self.random.pick(&["", "a"]), self.expr(d), self.expr(d)),
            22 => format!("({} + '/' + {} + {})", self.expr(d), self.expr(d), self.expr(d)),
            23 => format!("({}({}))", self.random.pick(&["-", "+", "!", "~", "typeof ", "void ", "!!"]), self.expr(d)),
            24 => format!(
                "({{ a: {}, {}: {}, ...({}) }})",
                self.expr(d),
                self.random.pick(KEYS),
                self.expr(d),
                self.object(d)
            ),
            25 => format!("({{ [{}]: {}, b: {} }})", self.expr(d), self.expr(d), self.expr(d)),
            26 => format!("[{}, {}]", self.expr(d), self.expr(d)),
            27 => format!("[{}, ...({}), {}]", self.expr(d), self.list(d.max(1)), self.expr(d)),
            28 | 29 => format!("({})", self.assignment(d)),
            30 => format!("({}, {})", self.expr(d), self.expr(d)),
            31 => match self.random.below(12) {
                3 => format!("it.f?.({})", self.expr(d)),
                4 => format!("it?.[{}]?.({}).length", self.random.pick(&["'f'", "'h'", "'z'", "0"]), self.expr(d)),
                5 => format!("({})?.trim?.()", self.expr(d)),
                6 => format!(
                    "(delete ({})?.{}.{})",
                    self.value_name(),
                    self.random.pick(KEYS),
                    self.random.pick(&KEYS[..5])
                ),
                7 => format!("(delete ({})?.[{}])", self.value_name(), self.expr(d)),
                8 => format!("({}).constructor.name", self.expr(d)),
                9 => format!("it.f(it.g({}))", self.expr(d)),
                10 => format!(
                    "typeof {}",
                    self.random.pick(&[
                        "console",
                        "Math",
                        "JSON",
                        "require",
                        "process",
                        "Object.keys",
                        "Math.PI",
                        "Symbol",
                        "Map",
                        "Proxy",
                        "globalThis",
                        "Reflect",
                        "isNaN",
                        "undefined",
                        "NaN",
                        "Promise",
                        "WeakRef",
                        "Atomics",
                        "setTimeout",
                        "AggregateError",
                        "Buffer"
                    ])
                ),
                11 if self.is_async => match self.random.below(4) {
                    0 => format!("(await Promise.all([{}, Promise.resolve({})]))", self.expr(d), self.expr(d)),
                    1 => format!("(await Promise.all({}))", self.list(d.max(1))),
                    2 => format!("(await Promise.resolve({}))", self.expr(d)),
                    _ => format!(
                        "(({}) ? await Promise.reject({}) : await ({}))",
                        self.expr(d),
                        self.expr(d),
                        self.expr(d)
                    ),
                },
                at if at > 2 => self.closure_call(d),
                0 => format!("(delete {}.{})", self.value_name(), self.random.pick(&KEYS[..5])),
                1 => format!(
                    "('{}' in {{ b: 1, ...({} ?? 0) }})",
                    self.random.pick(KEYS),
                    self.random.pick(&["[]", "v?.c", "null"])
                ),
                _ => format!("typeof {}", self.random.pick(&["zz", "v", "w"])),
            },
            32 | 33 => self.called(d),
            34 | 35 => self.method(d),
            36 => self.builtin(d),
            37 => self.closure_call(d),
            38 if self.random.chance(10) => "zz".to_owned(),
            _ => self.value_name(),
        }
    }

    fn object(&mut self, depth: usize) -> String {
        // QuickJS deviates from ECMA-262 for strings here.
        if self.random.chance(50) {
            format!("{{ c: {} }}", self.expr(depth))
        } else {
            format!("[{}]", self.expr(depth))
        }
    }

    fn called(&mut self, depth: usize) -> String {
        let functions: Vec<String> =
            self.scope.iter().filter(|name| name.arity.is_some()).map(|name| name.text.clone()).collect();
        if functions.is_empty() {
            return self.closure_call(depth);
        }
        let name = functions[self.random.below(functions.len())].clone();
        match self.random.below(3) {
            0 => format!("{name}()"),
            1 => format!("{name}(...[{}, {}])", self.expr(depth), self.expr(depth)),
            _ => format!("{name}({}, {})", self.expr(depth), self.expr(depth)),
        }
    }

    fn closure_call(&mut self, depth: usize) -> String {
        let (name, known) = (self.fresh("x"), self.scope.len());
        let argument = self.expr(depth);
        self.know(&name, false);
        let is_async = std::mem::take(&mut self.is_async);
        let body = self.expr(depth);
        self.is_async = is_async;
        self.scope.truncate(known);
        match self.random.below(3) {
            0 => format!("(function ({name}) {{ return {body}; }})({argument})"),
            _ => format!("(({name}) => ({body}))({argument})"),
        }
    }

    fn method(&mut self, depth: usize) -> String {
        let list = self.list(depth.max(1));
        let (name, known) = (self.fresh("x"), self.scope.len());
        self.know(&name, false);
        let is_async = std::mem::take(&mut self.is_async);
        let body = self.expr(depth);
        self.is_async = is_async;
        self.scope.truncate(known);
        match self.random.below(10) {
            0 => format!("({list}).map({name} => ({body}))"),
            1 => format!("({list}).filter({name} => ({body}))"),
            2 => format!("({list}).slice({})", self.expr(depth)),
            3 => format!("({list}).concat({})", self.expr(depth)),
            4 => format!("({list}).indexOf({})", self.expr(depth)),
            5 => format!("String({}).split('')", self.expr(depth)),
            6 => format!("String({}).toUpperCase()", self.expr(depth)),
            7 => format!("({list}).reduce((r, {name}) => r + 1, 0)"),
            8 => format!("[].concat({}).push({})", self.value_name(), self.expr(depth)),
            _ => format!("`${{{}}}`.trim()", self.expr(depth)),
        }
    }

    fn builtin(&mut self, depth: usize) -> String {
        let argument = self.expr(depth);
        match self.random.below(9) {
            0 => format!("Math.max({argument}, {})", self.expr(depth)),
            1 => format!("Math.floor({argument})"),
            2 => format!("Object.assign({{}}, {argument})"),
            3 => format!("Object.values({argument} ?? 1)"),
            4 => format!("Array.isArray({argument})"),
            5 => format!("JSON.stringify({argument})"),
            6 => format!("Number({argument})"),
            7 => format!("isNaN({argument})"),
            _ => format!("parseInt({argument})"),
        }
    }
}
