//! One server's address and login, and an open connection to it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use redis::io::tcp::TcpSettings;
use redis::{
    ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisConnectionInfo, RedisError, Value, cmd,
};

use crate::error::{Error, Result};
use crate::options::ClientOptions;

/// Where to connect and how.
#[derive(Clone)]
pub(super) struct Target {
    info: ConnectionInfo,
    address: String,
    connect_timeout: Duration,
    timeout: Duration,
    client_name: String,
}

/// An open connection and when it was last used.
pub(super) struct Connection {
    redis: redis::Connection,
    pub(super) last_used: Instant,
}

impl Target {
    /// The embedded server's socket.
    pub(super) fn socket(path: PathBuf, options: &ClientOptions) -> Result<Self> {
        let info = ConnectionAddr::Unix(path).into_connection_info();
        Ok(Target::new(info.map_err(|e| Error::internal(e.to_string()))?, options))
    }

    pub(super) fn new(info: ConnectionInfo, options: &ClientOptions) -> Self {
        let redis = login(info.redis_settings(), options);
        let tcp = TcpSettings::default().set_nodelay(true);
        Target {
            address: address(&info),
            info: info.set_tcp_settings(tcp).set_redis_settings(redis),
            connect_timeout: options.connect_timeout,
            timeout: options.timeout,
            client_name: options.client_name.clone(),
        }
    }

    /// The same login, protocol and encryption, on another address.
    pub(super) fn at(&self, host: &str, port: u16) -> Self {
        let addr = match self.info.addr() {
            ConnectionAddr::TcpTls { insecure, tls_params, .. } => ConnectionAddr::TcpTls {
                host: host.to_owned(),
                port,
                insecure: *insecure,
                tls_params: tls_params.clone(),
            },
            _ => ConnectionAddr::Tcp(host.to_owned(), port),
        };
        let info = self.info.clone().set_addr(addr);
        Target { address: address(&info), info, client_name: self.client_name.clone(), ..*self }
    }

    /// The same server, for a role that CLIENT LIST shall show.
    pub(super) fn named(mut self, role: &str) -> Self {
        self.client_name = format!("{}-{role}", self.client_name);
        self
    }

    /// Without credentials.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    #[cfg(test)]
    pub(super) fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    pub(super) fn connect(&self) -> std::result::Result<Connection, RedisError> {
        let client = redis::Client::open(self.info.clone())?;
        let mut redis = client.get_connection_with_timeout(self.connect_timeout)?;
        redis.set_read_timeout(Some(self.connect_timeout))?;
        redis.set_write_timeout(Some(self.timeout))?;
        // For CLIENT LIST only, so a server or an ACL that refuses it is no reason to fail.
        let name = cmd("CLIENT").arg("SETNAME").arg(&self.client_name).get_packed_command();
        redis.send_packed_command(&name)?;
        redis.recv_response()?;
        redis.set_read_timeout(Some(self.timeout))?;
        Ok(Connection { redis, last_used: Instant::now() })
    }
}

impl Connection {
    pub(super) fn into_redis(self) -> redis::Connection {
        self.redis
    }

    pub(super) fn send(&mut self, request: &[u8]) -> std::result::Result<(), RedisError> {
        self.redis.send_packed_command(request)
    }

    /// The answer to the last request; an error reply is a `Value::ServerError`.
    pub(super) fn receive(&mut self) -> std::result::Result<Value, RedisError> {
        loop {
            match self.redis.recv_response()? {
                Value::Push { .. } => {} // RESP3 may interleave messages
                value => return Ok(value),
            }
        }
    }
}

/// Options come before the URL; an empty user or password in the URL is none.
fn login(from_url: &RedisConnectionInfo, options: &ClientOptions) -> RedisConnectionInfo {
    let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let mut redis = RedisConnectionInfo::default()
        .set_db(from_url.db())
        .set_protocol(from_url.protocol())
        .set_lib_name("delayq", crate::VERSION);
    if let Some(username) = given(options.username.as_deref()).or_else(|| given(from_url.username())) {
        redis = redis.set_username(username);
    }
    if let Some(password) = given(options.password.as_deref()).or_else(|| given(from_url.password())) {
        redis = redis.set_password(password);
    }
    redis
}

fn address(info: &ConnectionInfo) -> String {
    match info.redis_settings().db() {
        0 => info.addr().to_string(),
        db => format!("{}/{db}", info.addr()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(options: ClientOptions) -> Target {
        Target::new(options.url.as_str().into_connection_info().unwrap(), &options)
    }

    #[test]
    fn credentials_are_decoded_once_and_never_shown() {
        let url = "redis://svc%2B1%40x:p%40%3A%2F%3F%23%5B%5D%25%2B%20%C3%A9%3D@127.0.0.1:7000/3";
        let t = target(ClientOptions::new(url));
        assert_eq!(t.info.redis_settings().username(), Some("svc+1@x"));
        assert_eq!(t.info.redis_settings().password(), Some("p@:/?#[]%+ é="));
        assert_eq!(t.info.redis_settings().db(), 3);
        assert_eq!(t.address(), "127.0.0.1:7000/3");
    }

    #[test]
    fn an_ipv6_host_is_written_in_brackets() {
        let t = target(ClientOptions::new("redis://u:p@[::1]:7000/2"));
        assert!(
            matches!(t.info.addr(), ConnectionAddr::Tcp(host, 7000) if host == "::1"),
            "{:?}",
            t.info.addr()
        );
        assert_eq!(t.info.redis_settings().db(), 2);
    }

    #[test]
    fn empty_credentials_are_none_and_options_come_first() {
        let t = target(ClientOptions::new("redis://:@127.0.0.1"));
        assert_eq!((t.info.redis_settings().username(), t.info.redis_settings().password()), (None, None));
        let t = target(ClientOptions::new("redis://a:b@127.0.0.1").username("u").password("p@"));
        assert_eq!(
            (t.info.redis_settings().username(), t.info.redis_settings().password()),
            (Some("u"), Some("p@"))
        );
    }
}
