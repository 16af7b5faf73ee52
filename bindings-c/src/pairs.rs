//! Ties the C enums to the core's.

/// Ties a C enum to the core's, in the order of the core's list.
macro_rules! pairs {
    ($c:ident, $core:ident: $( $name:ident = $variant:ident ),+ $(,)?) => {
        impl $c {
            const PAIRS: &[($c, $core)] = &[ $( ($c::$name, $core::$variant) ),+ ];

            /// The C name of the core's value. A test proves that every one has its own.
            #[allow(dead_code)] // a mode only goes in
            pub(crate) fn of(core: $core) -> delayq_core::Result<Self> {
                let pair = Self::PAIRS.iter().find(|(_, other)| *other == core);
                pair.map(|(c, _)| *c).ok_or_else(|| {
                    delayq_core::Error::new(
                        delayq_core::ErrorKind::Internal,
                        format!("the C library has no number for {core}"),
                    )
                })
            }

            /// The core's value of a number, if it has one.
            pub(crate) fn to_core(number: std::ffi::c_int) -> Option<$core> {
                Self::PAIRS.iter().find(|(c, _)| *c as std::ffi::c_int == number).map(|(_, core)| *core)
            }
        }
    };
}

pub(crate) use pairs;

/// For tests: every value of the core has its pair, and its C name is the prefix and the core's word.
#[cfg(test)]
macro_rules! assert_complete {
    ($c:ident, $core:ident, $prefix:literal) => {
        let cores: Vec<_> = $c::PAIRS.iter().map(|(_, core)| *core).collect();
        assert_eq!(cores, $core::ALL);
        for (c, core) in $c::PAIRS {
            assert_eq!(format!("{c:?}"), format!("{}{}", $prefix, core.as_str().to_uppercase()));
            assert_eq!($c::to_core(*c as std::ffi::c_int), Some(*core));
            assert_eq!($c::of(*core).unwrap(), *c);
        }
    };
}

#[cfg(test)]
pub(crate) use assert_complete;
