//! CPU time of scanning against linkify, on the same mail-like text, in one run.
//! `cargo bench --bench text`.

use cpu_time::ProcessTime;
use linkglot::charset::{Charset, MappedText};
use linkglot::scan::{Decode, Profile, Scanner, State};
use linkify::{LinkFinder, LinkKind};
use std::hint::black_box;

struct Plain(Charset);

impl Decode for Plain {
    fn charset(&self) -> Charset {
        self.0
    }
    fn has_references(&self) -> bool {
        false
    }
    fn decode<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        self.0.decode_mapped(bytes)
    }
}

const MAIL: &str = "On Tue, 3 Feb 2026 at 10:42, Ada wrote:\n> Thanks for the notes. I have read them twice, and I think that\n> the second draft is much better than the first (see below).\n\nThe minutes are at https://lists.example.org/archive/2026/02/msg00042.html, and\nthe agenda for the next meeting will follow. Please send corrections until\nFriday. Nobody has objected so far; that is a good sign, or nobody has read it.\nIf you need the figures, ask for them. They are in the usual place, as ever.\nThe slides are on www.example.com/talks/2026 for a week.\n\nRegards,\nBob <bob@example.org>\n-- \nThe quick brown fox jumps over the lazy dog. It was not amused. Version 2.1 is out.\n";
const JAPANESE: &str = "先日の会議の議事録を公開しました。内容をご確認ください。訂正がある場合は、金曜日までにご連絡をお願いいたします。資料は https://www.example.jp/資料/2026.html にあります。前回の議論の続きは来週の月曜日に行う予定です。場所は未定ですが、決まり次第お知らせいたします。質問があれば遠慮なくどうぞ。皆様のご参加をお待ちしております。\n";
const RUSSIAN: &str = "Вчера мы опубликовали протокол заседания. Пожалуйста, проверьте его и пришлите исправления до пятницы. Документы лежат по адресу http://www.example.ru/документы/2026.html, как обычно. Следующее заседание состоится в понедельник, место пока неизвестно, но мы сообщим о нём заранее.\n";
const CHINESE: &str = "昨天我们公布了会议记录。请大家检查内容，并在星期五之前提出修改意见。文件在 http://www.example.cn/文件/2026.html 可以下载。下次会议将在下周一举行，地点尚未确定，确定之后会另行通知。如果有问题，请随时联系我们。谢谢大家的支持和参与。\n";

fn filled(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

/// The least CPU time of some runs, in seconds, and what the last one counted.
fn time(mut run: impl FnMut() -> usize) -> (f64, usize) {
    let mut best = f64::MAX;
    let mut count = 0;
    for _ in 0..9 {
        let start = ProcessTime::now();
        count = black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    (best, count)
}

/// The bytes of a window, about as many as a document is read with.
const WINDOW: usize = 256 << 10;

fn bytes_scan(scanner: &Scanner, bytes: &[u8], charset: Charset) -> usize {
    let (mut count, mut from, mut to) = (0, 0, 0);
    let mut state = State::default();
    let mut hits = Vec::new();
    while to < bytes.len() {
        to = (to + WINDOW).min(bytes.len());
        let (window, last) = (&bytes[from..to], to == bytes.len());
        from += scanner.scan(window, last, &Plain(charset), &mut state, &mut hits);
        count += hits.len();
        hits.clear();
    }
    count
}

fn report(name: &str, len: usize, ours: impl FnMut() -> usize, theirs: impl FnMut() -> usize) {
    // One argument: only what has it in its name.
    let only = std::env::args().nth(1).filter(|arg| arg != "--bench");
    if only.is_some_and(|only| !name.contains(&only)) {
        return;
    }
    let (ours, theirs) = (time(ours), time(theirs));
    let rate = |t: f64| len as f64 / t / 1e9;
    println!(
        "{name:28} ours {:6.2} GB/s ({} links)  theirs {:6.2} GB/s ({} links)  ratio {:5.2}",
        rate(ours.0),
        ours.1,
        rate(theirs.0),
        theirs.1,
        theirs.0 / ours.0
    );
    assert!(ours.1 > 0 && theirs.1 > 0);
}

fn main() {
    let size = 16 << 20;
    let mail = filled(MAIL, size);
    let (scheme, extended) = (Scanner::new(Profile::Scheme), Scanner::default());
    let mut urls = LinkFinder::new();
    urls.kinds(&[LinkKind::Url]);
    let mut all = LinkFinder::new();
    all.url_must_have_scheme(false);
    let urls = || urls.links(&mail).count();
    let domains = || all.links(&mail).count();
    let name = "scheme, &str";
    report(name, mail.len(), || scheme.links(&mail).count(), urls);
    let name = "extended, &str";
    report(name, mail.len(), || extended.links(&mail).count(), domains);
    let bytes = |scanner| bytes_scan(scanner, mail.as_bytes(), Charset::UTF_8);
    let name = "scheme, UTF-8 bytes";
    report(name, mail.len(), || bytes(&scheme), urls);
    let name = "extended, UTF-8 bytes";
    report(name, mail.len(), || bytes(&extended), domains);
    let dense = [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (CHINESE, "gb18030"),
        (CHINESE, "big5"),
        (RUSSIAN, "windows-1251"),
        (JAPANESE, "utf-8"),
        (RUSSIAN, "utf-8"),
    ];
    for (piece, label) in dense {
        let charset = Charset::for_label(label).unwrap();
        let mut bytes = Vec::new();
        for ch in piece.chars() {
            let _ = charset.encode(ch.encode_utf8(&mut [0; 4]), &mut bytes);
        }
        let bytes = bytes.repeat(size / 4 / bytes.len() + 1);
        report(
            &format!("dense, {label}"),
            bytes.len(),
            || bytes_scan(&extended, &bytes, charset),
            || all.links(&charset.decode(&bytes)).count(),
        );
    }
}
