//! The stream of random numbers of an execution. A key determines the numbers, and a number does
//! not reveal the next.
//!
//! Each number is a keyed hash (SipHash-2-4) of its position. Task tokens and ids are drawn from
//! the stream, and are public. A generator whose state can be computed from its output would make
//! them predictable.

use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The position of a stream that is not named yet.
const UNNAMED: u64 = u64::MAX;

/// A stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stream {
    key: [u64; 2],
    drawn: u64,
}

impl Stream {
    /// Creates the stream of a seed.
    pub(crate) fn seeded(seed: u64) -> Stream {
        Stream { key: [seed, seed.rotate_left(32) ^ 0x9e37_79b9_7f4a_7c15], drawn: 0 }
    }

    /// Creates the stream of a text, which is the same for equal texts.
    pub(crate) fn of_text(text: &str) -> Stream {
        let mut key = [text.len() as u64, 0];
        for block in text.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..block.len()].copy_from_slice(block);
            let block = u64::from_le_bytes(bytes);
            key = [hash(key, block), hash([key[1], key[0]], block)];
        }
        Stream { key, drawn: 0 }
    }

    /// Creates the stream of a text in this stream. It does not reveal the key.
    pub(crate) fn named(&self, text: &str) -> Stream {
        let [first, second] = Stream::of_text(text).key;
        let key = [hash(self.key, first), hash([self.key[1], self.key[0]], second)];
        Stream { key, drawn: 0 }
    }

    /// Creates the stream of a child execution that is not [named](Stream::complete) yet: to hash
    /// the name takes longer than all else at the start of a child, and few children draw numbers.
    pub(crate) fn of_child(&self) -> Stream {
        Stream { key: self.key, drawn: UNNAMED }
    }

    /// Names a stream that is not named yet.
    #[inline]
    pub(crate) fn complete(&mut self, name: &str) {
        if self.drawn == UNNAMED {
            *self = Stream::seeded(Stream { key: self.key, drawn: 0 }.named(name).next());
        }
    }

    /// Creates an unpredictable stream. The keys of the standard library's hash maps supply the
    /// randomness of the system.
    pub(crate) fn unpredictable() -> Stream {
        let draw = || RandomState::new().build_hasher().finish();
        Stream { key: [draw(), draw()], drawn: 0 }
    }

    /// Restores a stream that was saved.
    pub(crate) fn restored(parts: [u64; 3]) -> Stream {
        let mut stream = Stream { key: [parts[0], parts[1]], drawn: 0 };
        stream.skip_to(parts[2]);
        stream
    }

    /// Returns the state to save.
    pub(crate) fn parts(&self) -> [u64; 3] {
        [self.key[0], self.key[1], self.drawn]
    }

    /// Continues after this many numbers.
    pub(crate) fn skip_to(&mut self, drawn: u64) {
        // An execution never draws so many.
        self.drawn = drawn.min(UNNAMED - 1);
    }

    /// Draws the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        hash(self.key, self.drawn)
    }

    /// Draws a number that is at least 0 and less than 1.
    pub(crate) fn fraction(&mut self) -> f64 {
        // A double has 53 bits.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws a UUID of version 4 (RFC 9562 §5.4).
    pub(crate) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        let high = high & !0xf000 | 0x4000;
        let low = low & !(0b11 << 62) | 0b10 << 62;
        let (first, second, third) = (high >> 32, high >> 16 & 0xffff, high & 0xffff);
        let (fourth, fifth) = (low >> 48, low & 0xffff_ffff_ffff);
        let mut text = String::with_capacity(36);
        // Writing to a string does not fail.
        let _ = write!(text, "{first:08x}-{second:04x}-{third:04x}-{fourth:04x}-{fifth:012x}");
        text
    }
}

/// Computes SipHash-2-4 of one number.
fn hash(key: [u64; 2], message: u64) -> u64 {
    let mut v = [
        key[0] ^ 0x736f_6d65_7073_6575,
        key[1] ^ 0x646f_7261_6e64_6f6d,
        key[0] ^ 0x6c79_6765_6e65_7261,
        key[1] ^ 0x7465_6462_7974_6573,
    ];
    for block in [message, 8 << 56] {
        v[3] ^= block;
        round(&mut v);
        round(&mut v);
        v[0] ^= block;
    }
    v[2] ^= 0xff;
    for _ in 0..4 {
        round(&mut v);
    }
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

fn round(v: &mut [u64; 4]) {
    v[0] = v[0].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(13) ^ v[0];
    v[0] = v[0].rotate_left(32);
    v[2] = v[2].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(16) ^ v[2];
    v[0] = v[0].wrapping_add(v[3]);
    v[3] = v[3].rotate_left(21) ^ v[0];
    v[2] = v[2].wrapping_add(v[1]);
    v[1] = v[1].rotate_left(17) ^ v[2];
    v[2] = v[2].rotate_left(32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_siphash_2_4() {
        // The reference vector for the message 00 01 … 07 under the key 00 01 … 0f.
        let key = [0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908];
        assert_eq!(hash(key, 0x0706_0504_0302_0100), 0x93f5_f579_9a93_2462);
    }

    #[test]
    fn a_seed_gives_one_stream_and_a_restored_one_goes_on() {
        let mut a = Stream::seeded(7);
        let mut b = Stream::seeded(7);
        assert_eq!((a.next(), a.next()), (b.next(), b.next()));
        let mut c = Stream::restored(a.parts());
        assert_eq!(a.next(), c.next());
        assert_ne!(Stream::seeded(8).next(), Stream::seeded(7).next());
        assert_ne!(Stream::unpredictable(), Stream::unpredictable());
    }

    #[test]
    fn a_text_has_one_stream() {
        let mut seen = std::collections::BTreeSet::new();
        for text in ["", "a", "b", "a\0", "aaaaaaaa", "aaaaaaaaa", "abababab", "babababa"] {
            assert_eq!(Stream::of_text(text), Stream::of_text(text));
            assert!(seen.insert(Stream::of_text(text).uuid()), "{text:?}");
        }
    }

    #[test]
    fn ids_are_uuids_of_version_4() {
        let mut stream = Stream::seeded(1);
        for _ in 0..100 {
            let id = stream.uuid();
            let parts: Vec<_> = id.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
            assert_eq!(&id[14..15], "4", "{id}");
            assert!("89ab".contains(&id[19..20]), "{id}");
        }
    }

    #[test]
    fn the_stream_of_a_child_depends_on_its_name_and_is_completed_once() {
        let parent = Stream::seeded(7);
        let mut child = parent.of_child();
        child.complete("order.1-0");
        let mut expected = Stream::seeded(parent.named("order.1-0").next());
        assert_eq!(child, expected);
        child.next();
        child.complete("another name");
        expected.next();
        assert_eq!(child, expected);
        // A snapshot may have any number.
        let mut restored = Stream::restored([1, 2, u64::MAX]);
        restored.complete("a name");
        assert_eq!(restored.parts()[..2], [1, 2]);
    }
}
