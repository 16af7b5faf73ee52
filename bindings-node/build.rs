//! Lets Node resolve the symbols of its own interface when it loads the addon.

fn main() {
    napi_build::setup();
}
