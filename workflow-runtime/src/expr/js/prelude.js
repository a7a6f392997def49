(function (now, seed) {
  "use strict";
  const Real = Date;
  function Clock(...parts) {
    if (!new.target) return new Real(now).toString();
    return Reflect.construct(Real, parts.length ? parts : [now], new.target);
  }
  Clock.prototype = Real.prototype;
  Clock.prototype.constructor = Clock;
  Object.defineProperty(Clock, "name", { value: "Date" });
  Clock.now = () => now;
  Clock.UTC = Real.UTC;
  Clock.parse = Real.parse;
  globalThis.Date = Clock;

  let state = Math.floor(seed * 4294967296) >>> 0;
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  const silent = () => undefined;
  globalThis.console = { log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent };

  // Sorting a sparse array cannot be interrupted.
  for (const name of ["sort", "toSorted", "reverse", "toReversed"]) {
    const real = Array.prototype[name];
    if (!real) continue;
    Object.defineProperty(Array.prototype, name, {
      value: function (...given) {
        if (this.length > 10000000) throw new RangeError("the array is too long");
        return Reflect.apply(real, this, given);
      },
      writable: true,
      configurable: true,
    });
  }

  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const toBase64 = (bytes) => {
    let text = "";
    for (let at = 0; at < bytes.length; at += 3) {
      const [a, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]];
      text += digits[a >> 2] + digits[((a & 3) << 4) | ((b ?? 0) >> 4)];
      text += b === undefined ? "=" : digits[((b & 15) << 2) | ((c ?? 0) >> 6)];
      text += c === undefined ? "=" : digits[c & 63];
    }
    return text;
  };
  const fromBase64 = (text) => {
    const bytes = [];
    let bits = 0;
    let held = 0;
    for (const letter of text.replace(/-/g, "+").replace(/_/g, "/")) {
      const value = digits.indexOf(letter);
      if (value < 0) continue;
      held = (held << 6) | value;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes.push((held >> bits) & 255);
      }
    }
    return bytes;
  };
  const latin = (text) => {
    const bytes = Array.from(text, (letter) => letter.codePointAt(0));
    if (bytes.some((byte) => byte > 255)) throw new RangeError("the text has characters beyond U+00FF");
    return bytes;
  };
  const encode = (text) => {
    const bytes = [];
    for (const letter of encodeURIComponent(text).match(/%..|./g) ?? []) {
      bytes.push(letter.length === 3 ? parseInt(letter.slice(1), 16) : letter.charCodeAt(0));
    }
    return bytes;
  };
  const decode = (bytes) => {
    try {
      return decodeURIComponent(bytes.map((byte) => "%" + byte.toString(16).padStart(2, "0")).join(""));
    } catch {
      return bytes.map((byte) => (byte < 128 ? String.fromCharCode(byte) : "\ufffd")).join("");
    }
  };
  class Buffer extends Uint8Array {
    static from(given, encoding = "utf8") {
      if (typeof given !== "string") return new Buffer(given);
      if (encoding === "base64" || encoding === "base64url") return new Buffer(fromBase64(given));
      if (encoding === "hex") return new Buffer((given.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16)));
      if (encoding === "latin1" || encoding === "binary" || encoding === "ascii") return new Buffer(latin(given));
      return new Buffer(encode(given));
    }
    static isBuffer(given) {
      return given instanceof Buffer;
    }
    static byteLength(text, encoding) {
      return Buffer.from(text, encoding).length;
    }
    toString(encoding = "utf8") {
      const bytes = Array.from(this);
      if (encoding === "base64") return toBase64(bytes);
      if (encoding === "hex") return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
      if (encoding === "latin1" || encoding === "binary") return String.fromCharCode(...bytes);
      return decode(bytes);
    }
    toJSON() {
      return { type: "Buffer", data: Array.from(this) };
    }
  }
  globalThis.Buffer = Buffer;

  // No time passes while a function runs. Timers run in the order of their delays, once nothing else can run.
  const timers = [];
  globalThis.setTimeout = (callback, delay = 0, ...given) => {
    const id = timers.length + 1;
    timers.push({ id, callback, given, due: Math.max(0, Number(delay) || 0) });
    return id;
  };
  globalThis.clearTimeout = (id) => {
    const at = timers.findIndex((timer) => timer.id === id);
    if (at >= 0) timers.splice(at, 1, { id: 0 });
  };
  globalThis.setImmediate = (callback, ...given) => setTimeout(callback, 0, ...given);

  globalThis.process = { env: {} };
  globalThis.require = (name) => {
    throw new Error(`Cannot find module '${name}'`);
  };

  globalThis.btoa = (text) => toBase64(latin(String(text)));
  globalThis.atob = (text) => String.fromCharCode(...fromBase64(String(text)));

  // Runs the next due timer. Returns `true` if there was one.
  return () => {
    const open = timers.filter((timer) => timer.id > 0);
    if (open.length === 0) return false;
    const next = open.reduce((first, timer) => (timer.due < first.due ? timer : first));
    next.id = 0;
    for (const timer of open) timer.due -= next.due;
    next.callback(...next.given);
    return true;
  };
})
