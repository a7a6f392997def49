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
  globalThis.btoa = (text) => toBase64(latin(String(text)));
  globalThis.atob = (text) => String.fromCharCode(...fromBase64(String(text)));
})
