//! Gives the shared library its soname; cargo sets none.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let on_linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if on_linux {
        let major = env!("CARGO_PKG_VERSION_MAJOR");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libdelayq.so.{major}");
    }
}
