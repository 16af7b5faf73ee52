//! What the client's URL leads to: one server, or some nodes of a cluster.

use redis::{ConnectionInfo, IntoConnectionInfo};

use super::connect::Target;
use crate::error::{Error, Result};
use crate::options::ClientOptions;

/// What a URL leads to.
pub(super) enum Endpoint {
    One(Box<Target>),
    /// Some of the nodes of a cluster, at least one; all its nodes take the same login.
    Cluster(Vec<Target>),
}

impl Endpoint {
    pub(super) fn new(options: &ClientOptions) -> Result<Self> {
        let url = options.url.as_str();
        let (scheme, rest) = url.split_once(':').unwrap_or_default();
        match scheme {
            "redis" | "valkey" | "unix" | "redis+unix" | "valkey+unix" => {}
            "redis-cluster" | "valkey-cluster" => return cluster("redis", rest, options),
            "rediss" | "valkeys" | "rediss-cluster" | "valkeys-cluster" if cfg!(feature = "tls") => {
                install_tls_provider();
                if scheme.ends_with("-cluster") {
                    return cluster("rediss", rest, options);
                }
            }
            "rediss" | "valkeys" | "rediss-cluster" | "valkeys-cluster" => {
                return Err(Error::invalid("this build of delayq has no TLS; use redis://"));
            }
            "redis-sentinel" => {
                return Err(Error::invalid(format!(
                    "{scheme}:// is not supported by this version; give one node"
                )));
            }
            _ => {
                return Err(Error::invalid(
                    "the URL must begin with redis://, rediss://, redis-cluster://, unix:// or embedded: (see the documentation)",
                ));
            }
        }
        Ok(Endpoint::One(Box::new(Target::new(parse(url)?, options))))
    }

    /// Without credentials.
    pub(super) fn address(&self) -> String {
        match self {
            Endpoint::One(target) => target.address().to_owned(),
            Endpoint::Cluster(seeds) => seeds.iter().map(Target::address).collect::<Vec<_>>().join(","),
        }
    }
}

/// `//user:password@a:7000,b:7000?protocol=resp3` as one URL for each node.
fn cluster(scheme: &str, rest: &str, options: &ClientOptions) -> Result<Endpoint> {
    let rest = rest.strip_prefix("//").ok_or_else(|| Error::invalid(CLUSTER_FORM))?;
    let (authority, query) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (format!("{login}@"), hosts),
        None => (String::new(), authority),
    };
    let mut seeds = Vec::new();
    for host in hosts.split(',') {
        if host.is_empty() {
            return Err(Error::invalid(CLUSTER_FORM));
        }
        let info = parse(&format!("{scheme}://{login}{host}{query}"))?;
        if info.redis_settings().db() != 0 {
            return Err(Error::invalid("a cluster has database 0 only; leave the number out of the URL"));
        }
        seeds.push(Target::new(info, options));
    }
    Ok(Endpoint::Cluster(seeds))
}

const CLUSTER_FORM: &str = "a cluster's URL names some of its nodes: redis-cluster://host:port,host:port";

fn parse(url: &str) -> Result<ConnectionInfo> {
    url.into_connection_info().map_err(|e| {
        // Not the URL itself: it may hold a password.
        Error::invalid(format!("the URL cannot be read: {}", e.detail().unwrap_or("it is malformed")))
    })
}

#[cfg(feature = "tls")]
fn install_tls_provider() {
    // An error only means that the process has chosen a provider already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[cfg(not(feature = "tls"))]
fn install_tls_provider() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint> {
        Endpoint::new(&ClientOptions::new(url))
    }

    #[test]
    fn a_cluster_is_a_list_of_nodes_with_one_login() {
        let Ok(Endpoint::Cluster(seeds)) =
            endpoint("redis-cluster://u%40:p%2Cw@a:1,b,127.0.0.1:3?protocol=resp3")
        else {
            panic!("no cluster");
        };
        for seed in &seeds {
            let redis = seed.info().redis_settings();
            assert_eq!((redis.username(), redis.password()), (Some("u@"), Some("p,w")));
            assert_eq!(redis.protocol(), redis::ProtocolVersion::RESP3);
        }
        assert_eq!(Endpoint::Cluster(seeds).address(), "a:1,b:6379,127.0.0.1:3");
    }

    #[cfg(feature = "tls")]
    #[test]
    fn the_nodes_of_a_tls_cluster_are_reached_by_tls() {
        let Ok(Endpoint::Cluster(seeds)) = endpoint("rediss-cluster://a:1,b:2") else { panic!("no cluster") };
        let tls = |target: &Target| matches!(target.info().addr(), redis::ConnectionAddr::TcpTls { .. });
        assert!(seeds.iter().all(tls) && tls(&seeds[0].at("c", 3)));
        assert_eq!(seeds[0].at("c", 3).address(), "c:3");
    }

    #[test]
    fn unknown_schemes_and_malformed_urls_are_invalid_and_keep_the_password() {
        for url in [
            "http://secret@h",
            "secret",
            "",
            "redis://u:secret@h:notaport",
            "redis-sentinel://secret@h",
            "redis-cluster:secret",
            "redis-cluster://u:secret@",
            "redis-cluster://u:secret@a:1,,b:2",
            "redis-cluster://u:secret@a:1,b:x",
            "redis-cluster://u:secret@a:1/3",
        ] {
            let e = endpoint(url).err().unwrap();
            assert_eq!(e.kind(), crate::ErrorKind::InvalidArgument, "{url}");
            assert!(!format!("{e} {e:?}").contains("secret"), "{e}");
        }
    }
}
