//! The hash behind fingerprints.

/// A 64-bit FNV-1a hash. It is equal on all platforms and in all builds.
#[derive(Debug, Clone, Copy)]
pub struct Fnv(u64);

impl Fnv {
    /// Creates the hash of no bytes.
    pub fn new() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes, and a mark after them to separate them from the next bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(*byte);
        }
        self.add(0xff);
    }

    fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Returns the hash.
    pub fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}
