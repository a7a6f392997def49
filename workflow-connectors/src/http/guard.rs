//! Addresses that tell a machine of itself: those of the link, where clouds hand out the credentials of machines.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Where clouds tell machines of themselves besides the addresses of the link: Amazon's by IPv6, those of its pods, Google's by
/// IPv6, Azure's, Alibaba's, Oracle's.
const METADATA: [IpAddr; 6] = [
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
];

/// Whether an address is one of the link, or one where clouds tell machines of themselves.
pub(crate) fn is_metadata(address: IpAddr) -> bool {
    let address = address.to_canonical();
    let is_of_link = match address {
        IpAddr::V4(address) => address.is_link_local() || address.is_unspecified(),
        IpAddr::V6(address) => address.is_unicast_link_local() || address.is_unspecified(),
    };
    is_of_link || METADATA.contains(&address) || embedded(address).is_some_and(|inner| is_metadata(inner.into()))
}

/// The address of version 4 in one that leads there by a gateway (RFC 6052, RFC 3056).
fn embedded(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return None };
    let bytes = address.octets();
    let at = match address.segments() {
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => 12,
        [0x2002, ..] => 2,
        _ => return None,
    };
    Some(Ipv4Addr::new(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]))
}

/// Looks names up, and forgets the addresses that must not be reached: a name is whatever who owns it says it is.
pub(crate) struct Guard;

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let name = name.as_str();
            let mut found = tokio::net::lookup_host((name, 0)).await?.peekable();
            let is_known = found.peek().is_some();
            let allowed: Vec<SocketAddr> = found.filter(|address| !is_metadata(address.ip())).collect();
            if allowed.is_empty() && is_known {
                let problem = format!("`{name}` is an address of the link or of the machine's metadata");
                return Err(Box::<dyn Error + Send + Sync>::from(problem));
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_a_machine_of_itself_is_known() {
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
        ] {
            assert_eq!(is_metadata(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_found() {
        let found = Guard.resolve("localhost".parse().unwrap()).await.map(Iterator::count);
        assert!(found.is_ok_and(|count| count > 0));
        assert!(Guard.resolve("no-such-name.invalid".parse().unwrap()).await.is_err());
    }

    #[tokio::test]
    async fn a_name_that_leads_to_the_link_leads_nowhere() {
        let told = Guard.resolve("169.254.169.254".parse().unwrap()).await.map(Iterator::count);
        let told = told.unwrap_err().to_string();
        assert_eq!(told, "`169.254.169.254` is an address of the link or of the machine's metadata");
    }
}
