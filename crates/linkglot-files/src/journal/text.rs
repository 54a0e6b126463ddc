//! Bytes, paths and arguments in JSON: as text or, if they are not UTF-8, as base64 after a NUL, with which no path
//! begins.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::{OsStr, OsString};

/// Any bytes.
pub(super) struct BytesText(pub Vec<u8>);

impl Serialize for BytesText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) if !text.starts_with('\0') => serializer.serialize_str(text),
            _ => serializer.serialize_str(&format!("\0{}", BASE64.encode(&self.0))),
        }
    }
}

impl<'d> Deserialize<'d> for BytesText {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.strip_prefix('\0') {
            None => Ok(BytesText(text.into_bytes())),
            Some(text) => Ok(BytesText(BASE64.decode(text).map_err(D::Error::custom)?)),
        }
    }
}

impl BytesText {
    #[cfg(unix)]
    fn of(text: &OsStr) -> Self {
        use std::os::unix::ffi::OsStrExt;
        BytesText(text.as_bytes().to_vec())
    }

    #[cfg(not(unix))]
    fn of(text: &OsStr) -> Self {
        BytesText(text.to_string_lossy().into_owned().into_bytes())
    }

    #[cfg(unix)]
    fn into_os<E: Error>(self) -> Result<OsString, E> {
        Ok(std::os::unix::ffi::OsStringExt::from_vec(self.0))
    }

    #[cfg(not(unix))]
    fn into_os<E: Error>(self) -> Result<OsString, E> {
        String::from_utf8(self.0).map(Into::into).map_err(E::custom)
    }
}

/// A path or an argument.
pub(super) mod os_text {
    use super::*;

    pub fn serialize<S: Serializer>(
        text: &impl AsRef<OsStr>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        BytesText::of(text.as_ref()).serialize(serializer)
    }

    pub fn deserialize<'d, D: Deserializer<'d>, T: From<OsString>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        let text = BytesText::deserialize(deserializer)?;
        Ok(text.into_os::<D::Error>()?.into())
    }
}

/// Paths or arguments.
pub(super) mod os_texts {
    use super::*;

    pub fn serialize<S: Serializer>(
        texts: &[impl AsRef<OsStr>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(texts.iter().map(|text| BytesText::of(text.as_ref())))
    }

    pub fn deserialize<'d, D: Deserializer<'d>, T: From<OsString>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<BytesText>::deserialize(deserializer)?;
        let texts = texts.into_iter().map(BytesText::into_os::<D::Error>);
        texts.map(|text| Ok(text?.into())).collect()
    }
}
