//! Agreement with mail-parser on well-formed trees.

use super::properties::{Tree, Writer, trees};
use super::*;
use mail_parser::{MessageParser, MimeHeaders, PartType};
use proptest::prelude::*;

/// The media type and the body of each entity, depth first.
fn entities(
    message: &mail_parser::Message,
    part: usize,
    mail: &[u8],
    out: &mut Vec<(String, Option<Vec<u8>>)>,
) {
    let part = &message.parts[part];
    let essence = part
        .content_type()
        .map(|it| format!("{}/{}", it.ctype(), it.subtype().unwrap_or_default()));
    let body = mail[part.offset_body as usize..part.offset_end as usize].to_vec();
    let essence = essence.expect("a content type");
    match &part.body {
        PartType::Multipart(parts) => {
            out.push((essence, None));
            for &part in parts {
                entities(message, part as usize, mail, out);
            }
        }
        PartType::Message(nested) => {
            out.push((essence, None));
            entities(nested, 0, mail, out);
        }
        _ => out.push((essence, Some(body))),
    }
}

/// A tree that mail-parser can read: mail-parser accepts the beginning of a boundary line, and fails with an assertion
/// at a message that holds only a message.
fn plainer(tree: Tree) -> Tree {
    match tree {
        Tree::Leaf(essence, text) => Tree::Leaf(essence, text.replace("--", "")),
        Tree::Multipart(essence, parts) => {
            Tree::Multipart(essence, parts.into_iter().map(plainer).collect())
        }
        Tree::Message(tree) => match plainer(*tree) {
            Tree::Message(tree) => Tree::Message(tree),
            tree => Tree::Message(Box::new(tree)),
        },
    }
}

proptest! {
    #[test]
    fn mail_parser_finds_the_same_parts(tree in trees().prop_map(plainer), end in proptest::sample::select(&["\n", "\r\n"][..])) {
        let mut writer = Writer::new(end);
        writer.message(&tree, "");
        let mail = writer.mail.as_bytes();
        let message = MessageParser::default().parse(mail).expect("a message");
        let mut expected = Vec::new();
        entities(&message, 0, mail, &mut expected);
        let found = super::properties::entities(&Mail::message(mail).answers(&[]));
        let found: Vec<_> = found.into_iter().map(|(_, _, essence, body)| (essence, body)).collect();
        prop_assert_eq!(found, expected);
    }
}
