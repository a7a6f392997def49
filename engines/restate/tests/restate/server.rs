//! Restate server of this test run, and its signing keys.

use std::path::Path;
use std::sync::OnceLock;

use restate_testing::Server;

/// Returns the server, or `None` if there cannot be one.
pub fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    SERVER.get_or_init(|| restate_testing::server(target, Some(&keys().0))).as_ref()
}

/// Returns the keys of the server.
pub fn keys() -> &'static (String, String) {
    static KEYS: OnceLock<(String, String)> = OnceLock::new();
    KEYS.get_or_init(key_pair)
}

/// Key pair for request identity: the private key in a PEM file, the public one in Restate's
/// format.
pub fn key_pair() -> (String, String) {
    use ring::signature::KeyPair;
    let random = ring::rand::SystemRandom::new();
    let mut seed = [0; 32];
    ring::rand::SecureRandom::fill(&random, &mut seed).expect("random numbers");
    let pair = ring::signature::Ed25519KeyPair::from_seed_unchecked(&seed).expect("a key pair");
    // PKCS #8 (RFC 8410): a version, the algorithm, and the seed.
    let mut der = vec![0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    der.extend_from_slice(&seed);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", base64(&der));
    (pem, format!("publickeyv1_{}", bs58::encode(pair.public_key().as_ref()).into_string()))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert!(bytes.len().is_multiple_of(3), "nothing to be filled up");
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let bits = u32::from_be_bytes([0, chunk[0], chunk[1], chunk[2]]);
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[(bits >> shift) as usize & 63]))
    });
    digits.collect()
}
