//! The hashes of the names of members.

/// Returns the hash by which rustc compares names of members: FNV-1a, but 1 in place of 0, which
/// stands for a step without a name. A constant evaluation compares two numbers much faster than
/// two texts.
pub const fn name_hash(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    if hash == 0 { 1 } else { hash }
}

#[cfg(test)]
mod tests {
    use super::name_hash;

    #[test]
    fn the_hash_is_fnv() {
        assert_eq!([name_hash(""), name_hash("a")], [0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c]);
        // Its hash is 0.
        assert_eq!(name_hash("!0IC=VloaY"), 1);
    }
}
