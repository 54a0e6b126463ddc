//! Dangers to an archive that nobody can replace: links, special files, killed runs, lost attributes.

use crate::forgery;
use crate::support::{Place, Ran};
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Error, Settings};
use linkglot_files::{
    Content, Destination, Entry, Root, Selection, Source, TempFiles, Walk, rewrite_source,
};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "<a href='/é'>x</a>\n";
const URIS: &str = "<a href='/%C3%A9'>x</a>\n";
const IN_PLACE: [&str; 4] = ["rewrite", "--to", "uri", "-i"];

fn in_place(place: &Place, more: &[&str]) -> Ran {
    place.run(&[&IN_PLACE, more].concat())
}

/// Runs a script of the shell; `$0` is the command.
fn shell(place: &Place, script: &str) -> Ran {
    let mut shell = Command::new("sh");
    let command = assert_cmd::cargo::cargo_bin("linkglot");
    shell
        .current_dir(place.path(""))
        .args(["-c", script])
        .arg(command);
    let output = shell.stdin(Stdio::null()).output().expect("a shell");
    Ran {
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

fn inode(place: &Place, name: &str) -> (u64, u64) {
    let metadata = fs::symlink_metadata(place.path(name)).unwrap();
    (metadata.ino(), metadata.nlink())
}

#[test]
fn hard_links_stay_linked() {
    for threads in ["1", "2", "8"] {
        for _ in 0..10 {
            let place = Place::new(&[]);
            for number in 0..20 {
                let first = format!("d/{number}a.html");
                place.write(&first, PAGE.as_bytes());
                fs::create_dir_all(place.path("d/sub")).unwrap();
                for other in [format!("d/{number}b.html"), format!("d/sub/{number}.html")] {
                    fs::hard_link(place.path(&first), place.path(&other)).unwrap();
                }
            }
            let run = in_place(&place, &["-j", threads, "d"]);
            run.complains(&["20 files read", "40 already read by other paths"], 0);
            for number in 0..20 {
                let first = format!("d/{number}a.html");
                assert_eq!(place.read(&first), URIS.as_bytes());
                assert_eq!(inode(&place, &first).1, 3);
                for other in [format!("d/{number}b.html"), format!("d/sub/{number}.html")] {
                    assert_eq!(inode(&place, &first), inode(&place, &other));
                }
            }
            assert_eq!(place.names("d").len(), 60);
        }
    }
}

#[test]
fn names_that_the_run_does_not_meet_are_told_of() {
    let place = Place::new(&[("d/a.html", PAGE)]);
    for name in ["d/b.html", "far.html"] {
        fs::hard_link(place.path("d/a.html"), place.path(name)).unwrap();
    }
    let run = in_place(&place, &["d"]);
    run.complains(
        &["d/a.html: the file has 3 names (hard links); 1 of them"],
        0,
    );
    assert_eq!(place.read("far.html"), PAGE.as_bytes());
    assert_eq!(inode(&place, "d/a.html"), inode(&place, "d/b.html"));
    // Commands that only read show each name.
    let found = place.run(&["find", "-l", "d"]);
    found.prints("d/a.html\nd/b.html\n", 0);
}

/// The first file of a walk is opened, `meanwhile` runs, and a rewriter continues with the file.
fn swapped(place: &Place, root: Root, follow: bool, meanwhile: &dyn Fn()) -> Result<(), Error> {
    let mut selection = Selection::default();
    selection.follow = follow;
    let walk = Walk::new(vec![root], selection).unwrap();
    let file = walk.filter_map(|entry| match entry {
        Entry::File(file) => Some(file),
        _ => None,
    });
    let file = file.last().expect("a file");
    let mut source = Source::open_entry(&file)?;
    let content = source.read()?;
    meanwhile();
    let mut settings = Settings::default();
    settings.name = Some("a.html".to_owned());
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    let temp_files = TempFiles::new();
    let to = Destination::InPlace(&temp_files);
    assert!(matches!(content, Content::Whole(_)));
    rewrite_source(&source, content, &rewriter, to, &mut |_, _| {})?;
    assert_eq!(
        place
            .names("")
            .iter()
            .filter(|name| name.contains("tmp"))
            .count(),
        0
    );
    Ok(())
}

#[test]
fn a_directory_swapped_for_a_symbolic_link_leads_nowhere() {
    for follow in [false, true] {
        let place = Place::new(&[("in/d/a.html", PAGE), ("far/a.html", PAGE)]);
        let swap = || {
            fs::rename(place.path("in/d"), place.path("in/old")).unwrap();
            symlink("../far", place.path("in/d")).unwrap();
        };
        assert!(swapped(&place, Root::Path(place.path("in")), follow, &swap).is_err());
        assert_eq!(place.read("far/a.html"), PAGE.as_bytes());
        assert_eq!(place.read("in/old/a.html"), PAGE.as_bytes());
        assert_eq!(place.names("").len(), 3);
    }
    // Swapped between the walk and opening the file.
    let place = Place::new(&[("in/d/a.html", PAGE), ("far/a.html", PAGE)]);
    let mut walk = Walk::new(vec![Root::Path(place.path("in"))], Selection::default()).unwrap();
    let file = walk.find_map(|entry| match entry {
        Entry::File(file) => Some(file),
        _ => None,
    });
    fs::rename(place.path("in/d"), place.path("in/old")).unwrap();
    symlink("../far", place.path("in/d")).unwrap();
    let error = Source::open_entry(&file.unwrap()).unwrap_err();
    assert!(
        error.to_string().contains("found a symbolic link"),
        "{error}"
    );
}

#[test]
fn a_file_swapped_for_a_symbolic_link_is_left() {
    let place = Place::new(&[("in/a.html", PAGE), ("far.html", PAGE)]);
    for root in ["in", "in/a.html"] {
        place.write("in/a.html", PAGE.as_bytes());
        let swap = || {
            fs::remove_file(place.path("in/a.html")).unwrap();
            symlink("../far.html", place.path("in/a.html")).unwrap();
        };
        assert!(swapped(&place, Root::Path(place.path(root)), false, &swap).is_err());
        assert_eq!(place.read("far.html"), PAGE.as_bytes());
        fs::remove_file(place.path("in/a.html")).unwrap();
    }
}

#[test]
fn listed_names_lead_through_no_symbolic_link() {
    let place = Place::new(&[("far/a.html", PAGE), ("list", "d/a.html\n")]);
    symlink("far", place.path("d")).unwrap();
    let run = in_place(&place, &["--files-from", "list"]);
    run.complains(&["d/a.html: expected a file below its directory"], 2);
    assert_eq!(place.read("far/a.html"), PAGE.as_bytes());
    // Reading such a file does no harm.
    place
        .run(&["find", "-o", "--files-from", "list"])
        .prints("/é\n", 0);
    assert_eq!(in_place(&place, &["-L", "--files-from", "list"]).code, 0);
    assert_eq!(place.read("far/a.html"), URIS.as_bytes());
    assert!(place.path("d").is_symlink());
}

#[test]
fn an_output_tree_is_not_left_through_symbolic_links() {
    let place = Place::new(&[("in/d/a.html", PAGE), ("far/x", "")]);
    fs::create_dir(place.path("out")).unwrap();
    symlink("../far", place.path("out/d")).unwrap();
    let run = place.run(&["rewrite", "--to", "uri", "-O", "out", "in"]);
    run.complains(&["leads out of the output directory"], 2);
    assert_eq!(place.names("far"), ["x"]);
}

#[test]
fn attributes_are_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let place = Place::new(&[("a.html", PAGE)]);
    let path = place.path("a.html");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4751)).unwrap();
    let before = fs::metadata(&path).unwrap();
    let attribute = setxattr(&path, "user.linkglot", b"kept", XattrFlags::empty());
    // An access control list: user::rwx user:1:r-- group::r-x mask::r-x other::--x
    let entry = |tag: u16, mode: u16, id: u32| {
        [
            &tag.to_le_bytes()[..],
            &mode.to_le_bytes(),
            &id.to_le_bytes(),
        ]
        .concat()
    };
    let anyone = u32::MAX;
    let list = [
        2_u32.to_le_bytes().to_vec(),
        entry(1, 7, anyone),
        entry(2, 4, 1),
        entry(4, 5, anyone),
        entry(16, 5, anyone),
        entry(32, 1, anyone),
    ]
    .concat();
    let name = "system.posix_acl_access";
    let listed = setxattr(&path, name, &list, XattrFlags::empty());
    let run = in_place(&place, &["a.html"]);
    run.complains(&["1 link changed"], 0);
    assert!(!run.err.contains("kept"), "{run:?}");
    assert_eq!(place.read("a.html"), URIS.as_bytes());
    let after = fs::metadata(&path).unwrap();
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    let mut value = [0; 256];
    match attribute {
        Ok(()) => assert_eq!(getxattr(&path, "user.linkglot", &mut value), Ok(4)),
        Err(error) => println!("no extended attributes here: {error}"),
    }
    match listed {
        Ok(()) => {
            let length = getxattr(&path, name, &mut value).unwrap();
            assert_eq!(value[..length], list);
        }
        Err(error) => println!("no access control lists here: {error}"),
    }
}

/// Needs root, which may give files away, and a program for running as another user.
#[test]
fn a_setuid_file_of_another_owner_is_not_made() {
    let place = Place::new(&[("d/a.html", PAGE)]);
    let path = place.path("d/a.html");
    let is_root = std::os::unix::fs::chown(&path, Some(1), Some(1)).is_ok();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();
    if !is_root {
        println!("without root only the owner's own file is tried");
        assert_eq!(in_place(&place, &["-q", "d"]).code, 0);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o6755);
        return;
    }
    for directory in ["", "d"] {
        fs::set_permissions(place.path(directory), fs::Permissions::from_mode(0o777)).unwrap();
    }
    let program = place.path("linkglot");
    fs::copy(assert_cmd::cargo::cargo_bin("linkglot"), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(&program);
    command.args(IN_PLACE).args(["--no-journal", "d"]);
    command.current_dir(place.path(""));
    command.uid(2).gid(2).stdin(Stdio::null());
    let output = loop {
        match command.output() {
            // A process that another test starts at this moment inherits the copy open, until it executes another
            // program.
            Err(busy) if busy.kind() == std::io::ErrorKind::ExecutableFileBusy => {}
            ran => break ran.unwrap(),
        }
    };
    let err = String::from_utf8_lossy(&output.stderr);
    let words = "d/a.html: could not be kept: owner 1, setuid bit, group 1, setgid bit";
    assert!(err.contains(words), "{err}");
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.mode() & 0o7777), (2, 0o755));
    assert_eq!(place.read("d/a.html"), URIS.as_bytes());
    // Root can keep everything.
    place.write("d/a.html", PAGE.as_bytes());
    std::os::unix::fs::chown(&path, Some(1), Some(1)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();
    assert_eq!(in_place(&place, &["-q", "d"]).code, 0);
    let after = fs::metadata(&path).unwrap();
    assert_eq!((after.uid(), after.mode() & 0o7777), (1, 0o6755));
}

#[test]
fn temporary_files_of_killed_runs_are_removed_from_an_output_directory() {
    let place = Place::new(&[
        ("d/a.html", "<a href=/é>x</a>"),
        ("d/b/c.html", "<a href=/é>x</a>"),
    ]);
    let rewrite = ["rewrite", "--to", "uri", "-O", "out", "d"];
    assert_eq!(place.run(&rewrite).code, 0);
    for stale in [
        ".linkglot-0123456789abcdef.tmp",
        "b/.linkglot-0123456789abcdef.tmp",
    ] {
        place.write(&format!("out/{stale}"), b"half");
    }
    place.write("out/.linkglot-mine.tmp", b"mine");
    assert_eq!(place.run(&rewrite).code, 0);
    let left = [".linkglot-mine.tmp", "a.html", "b/c.html"];
    assert_eq!(place.names("out"), left);
}

#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let stale = "d/.linkglot-0123456789abcdef.tmp";
    let place = Place::new(&[("d/a.html", PAGE), (stale, "half")]);
    place.write("d/.linkglot-mine.tmp", b"mine");
    // Dry runs and output elsewhere remove nothing.
    for args in [
        &["find", "d"][..],
        &["rewrite", "--to", "uri", "-n", "-i", "d"],
    ] {
        place.run(args);
        assert!(place.path(stale).exists());
    }
    // The file is held by a run in progress.
    let held = fs::File::open(place.path(stale)).unwrap();
    held.lock().unwrap();
    assert_eq!(in_place(&place, &["d"]).code, 0);
    assert!(place.path(stale).exists());
    drop(held);
    let run = in_place(&place, &["d"]);
    run.complains(&[&format!("{stale}: removed: a temporary file")], 0);
    assert_eq!(place.names("d"), [".linkglot-mine.tmp", "a.html"]);
}

#[test]
fn a_run_over_the_limit_of_file_sizes_leaves_nothing() {
    let place = Place::new(&[("d/b.html", PAGE)]);
    place.write("d/a.html", PAGE.repeat(20_000).as_bytes());
    let run = shell(&place, "ulimit -f 64; exec \"$0\" rewrite --to uri -i d");
    run.complains(&["d/a.html: ", "arge"], 3);
    assert_eq!(place.names("d"), ["a.html", "b.html"]);
    assert_eq!(place.read("d/a.html"), PAGE.repeat(20_000).as_bytes());
    assert_eq!(place.read("d/b.html"), URIS.as_bytes());
}

/// `strace` injects the failure; without it, a test of the driver checks which errors count.
#[test]
fn a_directory_that_cannot_be_synced_is_an_error() {
    let place = Place::new(&[("d/a.html", PAGE)]);
    let run = shell(
        &place,
        "strace -f -o log -e inject=fsync:error=EIO:when=2 \"$0\" rewrite --to uri -j1 -i d",
    );
    if !place.path("log").exists() {
        println!("no strace here: {run:?}");
        assert_eq!(in_place(&place, &["d"]).code, 0);
        return;
    }
    run.complains(&["d/a.html: the file was replaced, but its directory"], 2);
    assert_eq!(place.read("d/a.html"), URIS.as_bytes());
}

#[test]
fn writing_goes_on_without_a_reader() {
    let place = Place::new(&[]);
    for number in 0..2000 {
        place.write(&format!("d/{number}.html"), PAGE.as_bytes());
    }
    let run = shell(&place, "\"$0\" rewrite --to uri -i --json d | head -1");
    run.complains(&[], 0);
    assert_eq!(run.text().lines().count(), 1);
    let is_done = |name: &String| place.read(&format!("d/{name}")) == URIS.as_bytes();
    assert!(place.names("d").iter().all(is_done));
}

#[test]
fn closed_standard_output_is_an_error() {
    let place = Place::new(&[("d/a.html", PAGE), ("d/b.html", PAGE)]);
    for script in ["\"$0\" find d >&-", "\"$0\" rewrite --to uri d >&-"] {
        shell(&place, script).complains(&["standard output: it is closed"], 2);
    }
    shell(&place, "\"$0\" convert --to uri http://a.example/é >&-").complains(&["closed"], 2);
    // The null device does not count as closed, however it was opened.
    shell(&place, "\"$0\" find d >/dev/null").complains(&[], 0);
    shell(&place, "\"$0\" find d 1<>/dev/null").complains(&[], 0);
    let run = shell(&place, "\"$0\" rewrite --to uri -i --json d >&-");
    run.complains(
        &["closed", "the run went on to its end: 2 files written"],
        2,
    );
    assert_eq!(place.read("d/b.html"), URIS.as_bytes());
    // Nothing is printed to a closed output.
    shell(&place, "\"$0\" rewrite --to iri -i d >&-").complains(&["2 links changed"], 0);
}

#[test]
fn special_files_do_not_hang() {
    let place = Place::new(&[("d/a.html", PAGE)]);
    let made = Command::new("mkfifo").arg(place.path("d/pipe")).status();
    assert!(made.unwrap().success());
    place
        .run(&["find", "d/pipe"])
        .complains(&["d/pipe: expected a file, found a pipe that nobody"], 2);
    place.run(&["find", "d"]).complains(&[], 0);
    for device in ["/dev/zero", "/dev/full", "/dev/urandom"] {
        let words = [device, "expected a file, found a device"];
        place.run(&["find", device]).complains(&words, 2);
        place
            .run(&["find", "--files-from", device])
            .complains(&words, 2);
        place
            .run(&["rewrite", "--to", "same", "--map-file", device, "d"])
            .complains(&words, 2);
    }
    place
        .run(&["rewrite", "--to", "uri", "-i", "/dev/zero"])
        .complains(&["/dev/zero"], 2);
    place
        .run(&["rewrite", "--to", "uri", "-i", "d/pipe"])
        .complains(&["found a pipe or a device"], 2);
    let run = shell(&place, "timeout 20 \"$0\" find - </dev/zero");
    run.complains(&["found a device"], 2);
    let run = shell(&place, "timeout 20 \"$0\" find --files-from - </dev/zero");
    run.complains(&["found a device"], 2);
    // Input that ends is read.
    place.run(&["find", "/dev/null"]).prints("", 1);
    let run = shell(
        &place,
        "(sleep 0.3; cat d/a.html) >d/pipe & \"$0\" find -o --format html d/pipe",
    );
    run.prints("/é\n", 0);
    let run = shell(
        &place,
        "(sleep 2.5; cat d/a.html) | \"$0\" find -o --format html /dev/stdin",
    );
    run.prints("/é\n", 0);
}

/// The writer of a named pipe writes to the first that opens it, so it is opened once. Runs differ in who comes first.
#[test]
fn a_named_pipe_is_opened_once() {
    let place = Place::new(&[("page", PAGE), ("d/b.html", "x")]);
    forgery::pipe(&place.path("pipe.html.gz"));
    let read = |command: &str, printed: &str| {
        let script = format!("cat page >pipe.html.gz & timeout 20 \"$0\" {command}");
        for _ in 0..25 {
            shell(&place, &script).prints(printed, 0);
        }
    };
    read(
        "rewrite -q --to uri --stdout --format html pipe.html.gz",
        URIS,
    );
    read("find -o --format html pipe.html.gz", "/é\n");
    // Long archives among several inputs are divided.
    read("find -o -j 4 --format html pipe.html.gz d", "/é\n");
}

#[test]
fn nothing_is_replaced_unless_named() {
    let place = Place::new(&[("a.html", PAGE)]);
    let run = shell(&place, "\"$0\" rewrite --to uri -i");
    run.complains(&["--in-place replaces only named files", "`.`"], 2);
    assert_eq!(place.read("a.html"), PAGE.as_bytes());
    assert_eq!(shell(&place, "\"$0\" rewrite --to uri -n -i").code, 0);
    assert_eq!(shell(&place, "\"$0\" rewrite --to uri -i .").code, 0);
    assert_eq!(place.read("a.html"), URIS.as_bytes());
}

#[test]
fn listed_names_are_checked() {
    let place = Place::new(&[
        ("a.html", PAGE),
        ("nul", "a.html\0b.html\0"),
        ("list", "a.html\n"),
    ]);
    place.write("long", "x".repeat(100_000).as_bytes());
    in_place(&place, &["--files-from", "nul"]).complains(&["nul: name 1:", "--null"], 2);
    in_place(&place, &["--files-from", "long"]).complains(&["long: name 1:", "64 KiB"], 2);
    assert_eq!(place.read("a.html"), PAGE.as_bytes());
    assert_eq!(in_place(&place, &["-q", "--files-from", "list"]).code, 0);
    assert!(Path::new(&place.path("a.html")).exists());
}

#[test]
fn names_forge_no_rows() {
    let name = "d/a\nb.html:1:1:http:\u{202E}\u{9B}1m\u{2028}.html";
    let place = Place::new(&[(name, "<a href='/é'>x</a><a href='/x\u{202E}'>y</a>")]);
    let run = place.run(&["find", "--json", "d"]);
    assert_eq!((run.text().lines().count(), run.code), (3, 0));
    let objects = run.objects();
    assert_eq!(objects[0]["path"], name);
    assert_eq!(objects[1]["text"], "/x\u{202E}");
    let edits = place.run(&["rewrite", "--to", "uri", "--json", "d"]);
    let table = place.run(&["rewrite", "--to", "uri", "-n", "d"]);
    assert_eq!(table.text().lines().count(), 2);
    place.write("d/c.html", PAGE.as_bytes());
    fs::rename(place.path(name), place.path(&format!("{name}.png"))).unwrap();
    let skipped = place.run(&["find", "-v", "-t", "css", "d"]);
    // In the table, a link keeps its characters.
    let table = table.text().replace("/x\u{202E}", "");
    for text in [&run.text(), &edits.text(), &table, &skipped.err] {
        assert!(!text.contains(['\u{202E}', '\u{9B}', '\u{2028}']), "{text}");
    }
    assert!(
        skipped
            .err
            .contains(r"d/a\nb.html:1:1:http:\u{202e}\u{9b}1m\u{2028}.html.png")
    );
}

/// With few file handles a run may fail, but never silently: the names of a file stay together, or a message says which
/// were left.
#[test]
fn few_handles_part_no_names_in_silence() {
    for handles in 3..14 {
        let place = Place::new(&[("d/a.html", PAGE)]);
        fs::hard_link(place.path("d/a.html"), place.path("d/b.html")).unwrap();
        let script = format!("ulimit -n {handles}; exec \"$0\" rewrite --to uri -i --no-journal d");
        let run = shell(&place, &script);
        let inode = |name: &str| fs::metadata(place.path(name)).unwrap().ino();
        let is_joined = inode("d/a.html") == inode("d/b.html");
        assert!(is_joined || run.code != 0, "{handles}: {run:?}");
        assert!(
            run.code != 0 || place.read("d/b.html") == URIS.as_bytes(),
            "{handles}: {run:?}"
        );
    }
}

/// A run with a limited address space.
#[cfg(all(target_os = "linux", feature = "markdown"))]
fn limited(place: &Place, kilobytes: u32, file: &str) -> Ran {
    let script = format!("ulimit -v {kilobytes}; \"$0\" rewrite --to uri -j1 -i {file}");
    shell(place, &script)
}

#[cfg(all(target_os = "linux", feature = "markdown"))]
#[test]
fn a_dense_document_is_passed_over() {
    let place = Place::new(&[("d/z.html", PAGE)]);
    for (name, unit) in [
        ("a.md", "[a](é) "),
        ("b.md", "*a* "),
        ("c.rst", "`a <é>`_ "),
        ("e.rst", "a.com/é "),
        ("f.md", "a.com/é "),
    ] {
        let text = unit.repeat((4 << 20) / unit.len());
        place.write(&format!("d/{name}"), text.as_bytes());
        let run = limited(&place, 200_000, "d");
        run.complains(&[&format!("d/{name}: document left unread")], 3);
        assert_eq!(place.read(&format!("d/{name}")), text.as_bytes());
        assert_eq!(place.read("d/z.html"), URIS.as_bytes());
        fs::remove_file(place.path(&format!("d/{name}"))).unwrap();
    }
    // A list of links is read.
    let line = "- [some name](http://www.example.org/some/path/é) - what it is\n";
    place.write("d/list.md", line.repeat((2 << 20) / line.len()).as_bytes());
    limited(&place, 400_000, "d").complains(&["32768 links changed"], 0);
}

/// Without the check, the allocator would end the run.
#[cfg(all(target_os = "linux", feature = "markdown"))]
#[test]
fn a_document_that_needs_more_memory_than_there_is() {
    let place = Place::new(&[("d/z.html", PAGE)]);
    let line = "- [some name](http://www.example.org/some/path/é) - what it is\n";
    let text = line.repeat((4 << 20) / line.len());
    place.write("d/list.md", text.as_bytes());
    let long = format!("<a href='{}'>x</a>", "é/".repeat(4 << 20));
    place.write("d/long.html", long.as_bytes());
    for command in [
        "find -c",
        "find --json",
        "rewrite --to uri",
        "rewrite --to uri -n",
    ] {
        for threads in ["-j1", "-j2"] {
            let script = format!("ulimit -v 56000; \"$0\" {command} {threads} d");
            let run = shell(&place, &script);
            run.complains(
                &["d/list.md: not enough memory: ", " bytes were asked for"],
                3,
            );
        }
    }
    let run = shell(&place, "ulimit -v 56000; \"$0\" rewrite --to uri -i d");
    run.complains(
        &["d/list.md: not enough memory", "1 link changed in 1 file"],
        3,
    );
    assert_eq!(place.read("d/list.md"), text.as_bytes());
    assert_eq!(place.read("d/long.html"), long.as_bytes());
    assert_eq!(place.read("d/z.html"), URIS.as_bytes());
}

#[test]
fn entities_have_a_budget() {
    let values = "<a href='&b;'/>".repeat(3000);
    let (long, many) = ("http://x/é ".repeat(90), "&a;".repeat(60));
    let text = format!("<!DOCTYPE x [<!ENTITY a '{long}'><!ENTITY b '{many}'>]><x>{values}</x>");
    let place = Place::new(&[("a.xml", &text)]);
    // This run once did not end.
    place
        .run(&["find", "-c", "a.xml"])
        .complains(&["repeat at most"], 3);
}

/// Whatever the limit, a second run sees the same links, and changes nothing.
#[test]
fn a_second_run_sees_the_same_document() {
    let place = Place::new(&[]);
    let documents = [
        (
            "a.xml",
            "<x xmlns:l='http://www.w3.org/1999/xlink'><a l:href='http://x/éééé'/> http://b.example/é </x>",
        ),
        ("a.css", "a { b: url(http://x/éééé) } c { d: url('/é') }"),
        (
            "a.html",
            "<a href='http://x/éééé' title='x'>y</a> <p style='a:url(/é)'>",
        ),
    ];
    for (name, document) in documents {
        for limit in (8..80).step_by(4).map(|limit: u32| limit.to_string()) {
            place.write(name, document.as_bytes());
            let count = || {
                let run = place.run(&["find", "-c", "--max-slot", &limit, name]);
                run.text()
            };
            let before = count();
            let args = ["-q", "--max-slot", &limit, name];
            assert_eq!(in_place(&place, &args).code, 0);
            assert_eq!(count(), before, "{name} {limit}");
            let once = place.read(name);
            assert_eq!(in_place(&place, &args).code, 0);
            assert_eq!(place.read(name), once, "{name} {limit}");
        }
    }
}
