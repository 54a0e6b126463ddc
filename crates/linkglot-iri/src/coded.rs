//! Enums whose values have a stable code for scripts and a description for people.

/// Declares an enum with codes: each line is a variant, its code and its description.
macro_rules! coded {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $code:literal, $words:literal;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: [$name; [$($code),*].len()] = [$($name::$variant),*];

            /// The stable code, for scripts.
            pub fn code(self) -> &'static str {
                match self { $($name::$variant => $code,)* }
            }

            /// The description, for people.
            pub fn words(self) -> &'static str {
                match self { $($name::$variant => $words,)* }
            }
        }

        /// Writes the code.
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.code())
            }
        }
    };
}

pub(crate) use coded;
