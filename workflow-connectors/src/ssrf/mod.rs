//! Protection against server-side request forgery (SSRF): refuses link-local and metadata
//! addresses, where clouds hand out the credentials of machines.

#[cfg(feature = "rpc")]
mod connect;
#[cfg(any(feature = "events", feature = "rest"))]
mod resolve;

#[cfg(feature = "rpc")]
pub(crate) use connect::connector;
#[cfg(any(feature = "events", feature = "rest"))]
pub(crate) use resolve::GuardedResolver;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Metadata addresses outside of the link-local range: Amazon over IPv6 and for its pods, Google
/// over IPv6, Azure, Alibaba, and Oracle.
const METADATA: [IpAddr; 6] = [
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
];

/// Returns `true` for link-local and metadata addresses, also if embedded in an IPv6 address.
pub(crate) fn is_metadata(address: IpAddr) -> bool {
    let address = address.to_canonical();
    let is_of_link = match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_unspecified(),
        IpAddr::V6(address) => address.is_unicast_link_local() || address.is_unspecified(),
    };
    is_of_link || METADATA.contains(&address) || embedded(address).any(|inner| is_metadata(inner.into()))
}

/// Returns [`is_metadata`] of a host as written in an address; `false` for names.
pub(crate) fn is_metadata_host(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse();
    address.is_ok_and(is_metadata)
}

/// Returns the IPv4 addresses that a gateway may translate an IPv6 address to (RFC 6052, RFC 8215,
/// RFC 3056).
fn embedded(address: IpAddr) -> impl Iterator<Item = Ipv4Addr> {
    const PLACES: [[usize; 4]; 4] = [[6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12], [12, 13, 14, 15]];
    let IpAddr::V6(address) = address else { return Vec::new().into_iter() };
    let bytes = address.octets();
    let at = |places: &[usize; 4]| Ipv4Addr::from(places.map(|place| bytes[place]));
    let embedded = match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => vec![at(&PLACES[3])],
        // Only this network knows the length of its gateway's prefix.
        [0x64, 0xff9b, 1, ..] => PLACES.iter().map(at).filter(|inner| !inner.is_unspecified()).collect(),
        [0x2002, ..] => vec![at(&[2, 3, 4, 5])],
        _ => Vec::new(),
    };
    embedded.into_iter()
}

/// Resolves a name, and drops metadata addresses: the owner of a name decides where it leads.
async fn look_up(name: &str) -> io::Result<Vec<SocketAddr>> {
    let resolved: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
    let allowed: Vec<SocketAddr> = resolved.iter().copied().filter(|address| !is_metadata(address.ip())).collect();
    if allowed.is_empty() && !resolved.is_empty() {
        let problem = format!("`{name}` is a link-local or metadata address");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem));
    }
    Ok(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_addresses_are_recognized() {
        for (address, expected) in [
            ("169.254.169.254", true),
            ("169.254.0.1", true),
            ("::ffff:169.254.169.254", true),
            ("64:ff9b::a9fe:a9fe", true),
            ("2002:a9fe:a9fe::1", true),
            ("fe80::1", true),
            ("fd00:ec2::254", true),
            ("100.100.100.200", true),
            ("0.0.0.0", true),
            ("::", true),
            ("127.0.0.1", false),
            ("::1", false),
            ("10.0.0.1", false),
            ("93.184.216.34", false),
            ("64:ff9b::5db8:d822", false),
            ("fd00:ec2::253", false),
            // Each prefix length from 48 to 96 bits.
            ("64:ff9b:1:a9fe:a9:fe00::", true),
            ("64:ff9b:1:aba9:fe:a9fe::", true),
            ("64:ff9b:1:abcd:a9:fea9:fe00:0", true),
            ("64:ff9b:1:abcd::a9fe:a9fe", true),
            ("64:ff9b:1::6464:64c8", true),
            ("64:ff9b:1::5db8:d822", false),
            ("64:ff9b:2::a9fe:a9fe", false),
        ] {
            assert_eq!(is_metadata(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_resolved() {
        assert!(look_up("localhost").await.is_ok_and(|found| !found.is_empty()));
        assert!(look_up("no-such-name.invalid").await.is_err());
    }

    #[tokio::test]
    async fn a_name_with_a_link_local_address_is_refused() {
        let problem = look_up("169.254.169.254").await.unwrap_err().to_string();
        assert_eq!(problem, "`169.254.169.254` is a link-local or metadata address");
    }

    #[test]
    fn only_addresses_are_metadata_hosts() {
        for (host, expected) in
            [("169.254.169.254", true), ("[fe80::1]", true), ("[::1]", false), ("metadata.example", false)]
        {
            assert_eq!(is_metadata_host(host), expected, "{host}");
        }
    }
}
