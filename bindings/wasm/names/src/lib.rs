//! Forms of single identifiers, for JavaScript: URIs, IRIs, explanations.

#[path = "../../border.rs"]
mod border;
#[path = "../../json.rs"]
mod json;

use border::buffers;
use json::Object;
use linkglot_iri::notes::Notes;
use linkglot_iri::{
    Disallowed, Display, Form, HostDisplay, HostForm, Lenient, Level, Strictness, ToIri, ToUri,
    bidi, mailto, normalize_with_punycode, parse, resolve, warnings,
};

/// Writes the URI and the IRI of a link of running text, as a list in JSON; the URI is null if there is none. `kind`: 0
/// for a link with a scheme, 1 for a domain, 2 for an address.
#[unsafe(no_mangle)]
pub extern "C" fn forms(len: usize, kind: u32) -> usize {
    let buffers = &mut *buffers();
    let link = buffers.text(len);
    let whole = match kind {
        0 => link.into_owned(),
        1 => format!("https://{link}"),
        _ => mailto(&link),
    };
    let to_uri = ToUri {
        ascii: Disallowed::Encode,
        ..ToUri::default()
    };
    let uri = to_uri.map(&whole).ok();
    // Browsers read a backslash as a slash, except in queries and fragments: the URI would lead elsewhere.
    let query = whole.find(['?', '#']).unwrap_or(whole.len());
    let uri = uri.filter(|_| !whole[..query].contains('\\'));
    let iri = ToIri::default().map(&whole, &|_| true);
    let mut out = String::from("[");
    json::push_or_null(&mut out, uri.as_ref().map(|mapped| &*mapped.text));
    out.push(',');
    json::push(&mut out, &iri.text);
    out.push(']');
    buffers.put(&out)
}

/// Writes `{"text": ...}`, or `{"error": ..., "kind": ..., "at": ...}` if there is no URI. The input is the identifier
/// and, behind `len` bytes, a base of `base` bytes. `host`: 0 punycode, 1 unicode, 2 percent, 3 keep.
#[unsafe(no_mangle)]
pub extern "C" fn to_uri(len: usize, base: usize, host: u32) -> usize {
    mapped(len, base, |iri| {
        let to_uri = ToUri {
            host: match host {
                1 => HostForm::Unicode,
                2 => HostForm::Percent,
                3 => HostForm::Keep,
                _ => HostForm::Punycode,
            },
            ..ToUri::default()
        };
        let mapped = to_uri.map(iri).map_err(|error| Failure {
            kind: error.kind.code(),
            at: Some(error.at),
            message: error.to_string(),
        })?;
        Ok(mapped.text.into_owned())
    })
}

/// As [`to_uri`], for IRIs. `display`: 0 safe, 1 minimal, 2 all.
#[unsafe(no_mangle)]
pub extern "C" fn to_iri(len: usize, base: usize, display: u32) -> usize {
    mapped(len, base, |uri| {
        let mut to_iri = ToIri::default();
        (to_iri.display, to_iri.host) = match display {
            1 => (Display::All, HostDisplay::Safe),
            2 => (Display::All, HostDisplay::All),
            _ => (Display::Safe, HostDisplay::Safe),
        };
        Ok(to_iri.map(uri, &|_| true).text.into_owned())
    })
}

/// The reason why there is no result.
struct Failure {
    kind: &'static str,
    /// The byte of the identifier.
    at: Option<usize>,
    message: String,
}

fn mapped(len: usize, base: usize, map: impl FnOnce(&str) -> Result<String, Failure>) -> usize {
    let buffers = &mut *buffers();
    let whole = buffers.text(len + base);
    let (text, base) = whole.split_at_checked(len).unwrap_or((&whole, ""));
    let resolved = match base {
        "" => Ok(text.to_owned()),
        _ => resolve(base, text, Strictness::Strict).map_err(|error| Failure {
            kind: "base",
            at: None,
            message: error.to_string(),
        }),
    };
    let result = resolved.and_then(|target| {
        map(&target).map_err(|failure| Failure {
            message: json::in_units(&target, failure.at, failure.message),
            at: failure.at.map(|at| json::units(&target, at)),
            ..failure
        })
    });
    let mut object = Object::default();
    match result {
        Ok(text) => object.text("text", &text),
        Err(failure) => {
            object.text("error", &failure.message);
            object.text("kind", failure.kind);
            object.number_or_null("at", failure.at);
        }
    }
    let out = object.finish();
    buffers.put(&out)
}

/// Writes what is to know of an identifier, as an object in JSON; see `Explanation` in the types.
#[unsafe(no_mangle)]
pub extern "C" fn explain(len: usize) -> usize {
    let buffers = &mut *buffers();
    let out = explanation(&buffers.text(len));
    buffers.put(&out)
}

fn explanation(iri: &str) -> String {
    let uri = ToUri::default().map(iri);
    let mut notes = uri.as_ref().map_or(Notes::NONE, |mapped| mapped.notes);
    let shown = ToIri::default().map(iri, &|_| true);
    notes.extend(shown.notes);
    let invalid = parse(iri, Form::Reference).err();
    let mut object = Object::default();
    object.text("input", iri);
    object.raw("valid", if invalid.is_none() { "true" } else { "false" });
    match invalid {
        None => object.raw("error", "null"),
        Some(error) => {
            let mut detail = Object::default();
            let at = error.at();
            detail.text("message", &json::in_units(iri, Some(at), error.to_string()));
            detail.number_or_null("at", Some(json::units(iri, at)));
            object.raw("error", &detail.finish());
        }
    }
    let mut components = Object::default();
    for (name, value) in Lenient::read(iri).parts().components() {
        components.text_or_null(name, value);
    }
    object.raw("components", &components.finish());
    object.text_or_null("uri", uri.as_ref().ok().map(|mapped| &*mapped.text));
    object.text("iri", &shown.text);
    object.text("normal", &normalize_with_punycode(iri, Level::default()));
    object.text("displayed", &bidi::visual(&shown.text));
    let found = warnings(iri);
    let details = found.iter().map(|warning| {
        let mut detail = Object::default();
        detail.text("code", warning.note.code());
        detail.text("message", warning.note.words());
        detail.text("detail", &warning.detail);
        detail.number_or_null("start", Some(json::units(iri, warning.range.start)));
        detail.number_or_null("end", Some(json::units(iri, warning.range.end)));
        detail.finish()
    });
    object.list("warnings", details);
    let codes = notes.iter().map(|note| {
        let mut code = String::new();
        json::push(&mut code, note.code());
        code
    });
    object.list("notes", codes);
    object.finish()
}

/// True if a program may make a URI from others clickable.
#[unsafe(no_mangle)]
pub extern "C" fn is_safe_to_click(len: usize) -> bool {
    linkglot::is_safe_to_click(&buffers().text(len))
}
