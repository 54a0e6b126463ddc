use super::*;
use proptest::prelude::*;

fn read(text: &str, base: Option<&str>) -> Rules {
    let mut rules = Rules::default();
    rules
        .add_map_file(text, MapFormat::of(text), base)
        .expect(text);
    rules
}

#[test]
fn formats_and_what_they_say() {
    let base = Some("http://old.example/x/y");
    let csv = "old,new,code\n/a,https://new.example/a\n\"/b,c\", \"/d\",301\n/about/,/about.html\n";
    let apache = "RewriteEngine on\nRedirect permanent /a https://new.example/a\n\
        redirect 301 \"/b,c\" /d\nRedirect gone /x\nRedirectPermanent /about/ /about/us/\n\
        RedirectMatch 301 ^/w/(\\d+)\\.html$ /page/$1\n";
    let nginx = "# pages\nmap $uri $new {\n  default \"\";\n  /a https://new.example/a;\n\
        \"/b,c\" /d; # comma\n  ~^/w/(\\d+)\\.html$ /page/$1;\n}\n";
    let own = "/a https://new.example/a\n/b,c /d\nre:^/w/(\\d+)\\.html$ /page/$1 # pages\n";
    let formats = [
        (csv, MapFormat::Csv),
        (apache, MapFormat::Apache),
        (nginx, MapFormat::Nginx),
        (own, MapFormat::Rules),
    ];
    for (text, format) in formats {
        assert_eq!(MapFormat::of(text), format, "{text}");
        let rules = read(text, base);
        let cases = [
            ("/a", Some("https://new.example/a")),
            ("/a?q", Some("https://new.example/a?q")),
            ("http://old.example/a", Some("https://new.example/a")),
            ("HTTP://old.example:80/%61", Some("https://new.example/a")),
            ("/b,c", Some("/d")),
            ("http://old.example/b,c", Some("http://old.example/d")),
            ("https://old.example/a", None),
            ("/c", None),
        ];
        for (link, new) in cases {
            assert_eq!(rules.apply(link).as_deref(), new, "{link} by {text}");
        }
        let page = rules.apply("/w/7.html");
        assert_eq!(
            page.as_deref(),
            (text != csv).then_some("/page/7"),
            "{text}"
        );
    }
    // Tells a page from a directory.
    assert_eq!(
        read(csv, None).apply("/a/x").as_deref(),
        Some("https://new.example/a/x")
    );
    assert_eq!(read(nginx, None).apply("/a/x"), None);
    assert_eq!(
        read(csv, None).apply("/about/").as_deref(),
        Some("/about.html")
    );
    assert_eq!(read(csv, None).apply("/about/x"), None);
    assert_eq!(read(apache, None).given()[1].line, Some(3));
    let mut pages = Rules::default();
    let text = "/a/ /b # moved\n";
    pages.add_map_file(text, MapFormat::Apache, None).unwrap();
    assert_eq!(pages.apply("/a/").as_deref(), Some("/b"));
    assert!(pages.check().is_empty());
}

#[test]
fn errors_name_the_line() {
    let cases = [
        (
            "Redirect /a /b\nRedirect /a\n",
            "line 2: expected `Redirect [STATUS] FROM TO`",
        ),
        (
            "RewriteCond %{HTTP_HOST} ^b\nRewriteCond x y\nRewriteRule ^a$ /b [R]\n",
            "line 3: expected a `RewriteRule` without conditions, but found one in line 1",
        ),
        (
            "RewriteRule ^a - [C]\nRewriteRule ^b$ /b [R]\n",
            "line 1: expected a `RewriteRule` that stands alone, but found the flag `C`",
        ),
        (
            "RewriteRule ^ https://%{HTTP_HOST}/x [R]\n",
            "line 1: expected a target that is known without the server, but found a variable",
        ),
        ("RewriteRule !^a /b [R]\n", "line 1: expected a pattern"),
        (
            "Redirect /a /b\nhttp://a.example/ http://b.example/\n",
            "line 2: expected a directive of Apache, but found `http://a.example/ http://b.example/`",
        ),
        (
            "Redirect /a /b\nRewriteRul ^a$ /b [R]\n",
            "line 2: expected a directive of Apache, but found `RewriteRul",
        ),
        (
            "Redirect 200 /a /b\n",
            "line 1: expected a status that redirects, but found `200`",
        ),
        (
            "RewriteCond a b\nRewriteRule ^ - [L]\nRewriteRule ^a$ /b [R]\n",
            "line 3: expected a redirect in front of the rules for what the server serves itself, but found the `RewriteRule` in line 2",
        ),
        (
            "RewriteRule ^old/(.*)$ /mid/$1 [L]\nRewriteRule ^a$ /b [R]\n",
            "line 2: expected a redirect in front of the rules",
        ),
        (
            "<If \"a\">\nRedirect /a /b\n</If>\n",
            "line 2: expected a redirect of the whole site, but found one in the section <If> in line 1",
        ),
        (
            "<IfModule !mod_alias.c>\n<IfModule b>\nRedirect /a /b\n</IfModule>\n</IfModule>\n",
            "line 3: expected a redirect of the whole site",
        ),
        (
            "<VirtualHost *>\nServerName a.example\nRedirect /a /b\n</VirtualHost>\n<VirtualHost *>\nServerName https://b.example:80\nRedirect /a /b\n</VirtualHost>\n",
            "line 5: expected the redirects of one site, `a.example`, but found those of `b.example`",
        ),
        (
            "map $uri $n {\n  /a b;\n}\n",
            "line 2: expected a target that is known without the server, a path or one with a scheme, but found `b`",
        ),
        (
            "map $uri $n {\n  /a https://$host/b;\n}\n",
            "line 2: expected a target that is known without the server",
        ),
        (
            "Redirect 301 /a b\n",
            "line 1: expected a path, or a target with a scheme, but found `b`",
        ),
        (
            "Redirect 301 /a //b.example/\n",
            "line 1: expected a path, or a target with a scheme, but found `//b.example/`",
        ),
        (
            "RedirectMatch ^/a b\n",
            "line 1: expected a path, or a target with a scheme, but found `b`",
        ),
        (
            "Redirect /a%20b /c\n",
            "line 1: expected a decoded path from the root, as Apache compares it, but found `/a%20b`",
        ),
        (
            "Redirect http://old.example/a /c\n",
            "line 1: expected a decoded path from the root, as Apache compares it, but found `http://old.example/a`",
        ),
        (
            "RewriteRule ^a/ /b [R]\nRewriteRule ^/?b /b [R]\nRewriteRule ^(/a|/b) /c [R]\n",
            "line 3: expected patterns for paths of one kind, but found paths with a first slash in line 3, as in the configuration of a server, and without in line 1, as in a folder",
        ),
        (
            "RewriteRule ^a$ /b?$0 [R,B]\n",
            "line 1: expected groups as they are, but found the flag `B`",
        ),
        (
            "RewriteRule ^a$ //b.example/ [R]\n",
            "line 1: expected a path, or a target with a scheme",
        ),
        (
            "map $http_accept_language $lang {\n  ~a de;\n}\n",
            "line 1: expected a `map` of `$uri` or `$request_uri`, but found one of `$http_accept_language`",
        ),
        ("a,b,c\n1,/old,/new\n", "line 2: expected `old,new`"),
        (
            "/a/* /b/:splat 301 Country=de\n",
            "line 1: expected a redirect without conditions",
        ),
        (
            "/a /b 301\n/a id=:id /b/:id 301\n",
            "line 2: expected a redirect without conditions",
        ),
        ("/a /b 301\n/c\n", "line 2: expected `FROM TO [STATUS]`"),
        (
            "{\"/a\": 1}",
            "expected a new address for an old one, but found `/a`",
        ),
        (
            "{\"/a\": \"/b\",}",
            "expected an object of JSON with strings",
        ),
        (
            "{\"/a\": \"/b\", \"/a\": \"/c\"}",
            "expected one rule for `/a`, but found two, to `/b` and to `/c`",
        ),
        (
            "[{\"from\": \"/a\", \"to\": \"/b\"}]",
            "expected an object of JSON with strings: invalid type: sequence",
        ),
        (
            "rewrite ^/a /b permanent;\nlocation / {\n}\n",
            "line 1: expected an entry of a `map`, but found the directive `rewrite`",
        ),
        (
            "server {\n  return 301 https://new.example$request_uri;\n}\n",
            "line 1: expected an entry of a `map`, but found the directive `server`",
        ),
        (
            "/a,/b\n/c,/d\nhttp://old.example/x,/y\n",
            "expected a base for paths beside absolute links, but found `/a` in line 1 and `http://old.example/x` in line 3",
        ),
        ("/a;/b\n/c,/d\n", "line 1: expected two fields with a comma"),
        ("RedirectMatch ( /b\n", "line 1: expected a pattern"),
        ("a.b/,c.d/\nlonely\n", "line 2: expected two fields"),
        ("\"a.b/\",\"c.d/\nx\n", "line 1: expected `\"`"),
        (
            "map $uri $b {\n/a /b;\n/c;\n}\n",
            "line 3: expected `FROM TO;`",
        ),
        ("/a /b\n/c\n", "line 2: expected `FROM TO`"),
        ("/a,/b\n/a,/c\n", "line 2: expected one rule"),
    ];
    for (text, words) in cases {
        let mut rules = Rules::default();
        let error = rules.add_map_file(text, MapFormat::of(text), None);
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
}

/// Each table with the links that it moves, at a base; all of them leave the last.
#[test]
fn tables_of_servers() {
    let base = Some("http://old.example/x/y");
    type Links<'t> = &'t [(&'t str, Option<&'t str>)];
    let cases: &[(&str, MapFormat, Links<'_>)] = &[
        (
            "old;new\na.html;b.html\n/c;/d\n",
            MapFormat::Csv,
            &[("a.html", Some("b.html")), ("/c", Some("/d")), ("e", None)],
        ),
        (
            "old;new\n/a,b;/c,d\n\"/e;f\";/g\n",
            MapFormat::Csv,
            &[("/a,b", Some("/c,d")), ("/e;f", Some("/g")), ("/a", None)],
        ),
        (
            "/a;jsessionid=1,/b\n/c;jsessionid=2,/d\n",
            MapFormat::Csv,
            &[("/a;jsessionid=1", Some("/b")), ("/c", None)],
        ),
        (
            "old\tnew\n/a\thttps://new.example/a\n",
            MapFormat::Csv,
            &[("/a", Some("https://new.example/a")), ("old", None)],
        ),
        (
            r#" {"/a/": "/b.html", "/c": "https://new.example/c"}"#,
            MapFormat::Json,
            &[
                ("/a/", Some("/b.html")),
                ("/a/x", None),
                ("/c/x", Some("https://new.example/c/x")),
            ],
        ),
        (
            // A folder: paths are compared without the first slash.
            "RewriteEngine on\n\
             RewriteRule ^(css|js)/ - [L]\n\
             RewriteRule .* - [E=A:%{HTTP:Authorization}]\n\
             RewriteRule ^w/(\\d+)x?$ /page/$1x?p=$1&q [R=301,L,QSA]\n\
             RewriteRule ^W/e$ neu/#top [R,NC,NE]\n\
             RewriteRule ^drop$ https://new.example/? [L]\n\
             RewriteRule ^cash$ /\\$1\\%20#x [redirect=permanent]\n\
             RewriteRule ^gone - [G]\n\
             RewriteRule ^gone2 /x [R=410]\n\
             RewriteRule ^(gone|css)(.*)$ /late/$1$2 [R]\n\
             RewriteRule ^index\\.html$ index.php [L]\n\
             RewriteCond %{REQUEST_FILENAME} !-f\n\
             RewriteRule . /index.php [L]\n",
            MapFormat::Apache,
            &[
                ("/w/7?a#b", Some("/page/7x?p=7&q&a#b")),
                (
                    "http://old.example/w/7x",
                    Some("http://old.example/page/7x?p=7&q"),
                ),
                ("/w/e?a", Some("/neu/#top")),
                ("/drop?a#b", Some("https://new.example/#b")),
                ("/cash?a", Some("/$1%20%23x?a")),
                ("/gone", None),
                ("/gone2", None),
                ("/css/a", None),
                ("/css.html", Some("/late/css.html")),
                ("/gone3", None),
                ("/index.html", None),
            ],
        ),
        (
            // In the configuration of a server the group has the slash; a section for a module is always on.
            "<VirtualHost *:80>\nServerName old.example\n<IfModule mod_rewrite.c>\n\
             RewriteRule ^(/w.*)$ https://new.example$1 \\\n  [R=301,L]\n</IfModule>\n</VirtualHost>\n",
            MapFormat::Apache,
            &[
                ("/w/a", Some("https://new.example/w/a")),
                ("/w", Some("https://new.example/w")),
                ("/x", None),
            ],
        ),
        (
            // The first row that matches counts, and rules of mod_rewrite go first.
            "RewriteEngine on\n\
             Redirect 410 /a\nRedirect /old https://new.example/a\nRedirect /old/x https://new.example/b\n\
             RedirectMatch ^/m/x$ /n\nRedirect /m /p\nRedirect /a/b /c\nRedirect \"/e f\" \"/g h\"\n\
             Redirect /r/x /s\nRewriteRule ^/r/(.*)$ /t/$1 [R]\nRedirectMatch ^/c/([[x]y])$ /c\\$1$$\n",
            MapFormat::Apache,
            &[
                ("/a", None),
                ("/a/b", None),
                ("/old/x", Some("https://new.example/a/x")),
                ("/m/x", Some("/n")),
                ("/m/y?q", Some("/p/y?q")),
                ("/m", Some("/p")),
                ("/mx", None),
                ("/e%20f", Some("/g%20h")),
                ("/r/x", Some("/t/x")),
                ("/c/[]", None),
                ("/c/xy]", Some("/c$1$$")),
                ("/c/x]", None),
            ],
        ),
        (
            "RewriteEngine off\nRewriteRule ^/a /b [R]\nRedirect /c mailto:a@new.example\n",
            MapFormat::Apache,
            &[("/a", None)],
        ),
        (
            // The last switch of a section decides.
            "RewriteEngine on\nRewriteRule ^/a /b [R]\n<IfModule mod_rewrite.c>\nRewriteEngine off\n</IfModule>\n\
             <VirtualHost *>\nRewriteEngine off\nRewriteRule ^/c /d [R]\nRewriteEngine on\n</VirtualHost>\n\
             RewriteRule ^/e /f [R]\n<VirtualHost *>\nRewriteRule ^/g /h [R]\n</VirtualHost>\n",
            MapFormat::Apache,
            &[
                ("/a", None),
                ("/c", Some("/d")),
                ("/e", None),
                ("/g", Some("/h")),
            ],
        ),
        (
            // The URI of a request has its query.
            "map $request_uri $new {\n  /a /b;\n  /c?d=1 /e;\n  ~^/x/(\\d+)$ /y/$1;\n}\n",
            MapFormat::Nginx,
            &[
                ("/a", Some("/b")),
                ("/a#f", Some("/b#f")),
                ("/a?q=2", None),
                ("http://old.example/c?d=1#f", Some("http://old.example/e#f")),
                ("/x/12", Some("/y/12")),
                ("/x/12?a", None),
            ],
        ),
        (
            "RewriteRule ^a$ mailto:a@new.example [R]\n",
            MapFormat::Apache,
            &[("/a", Some("mailto:a@new.example"))],
        ),
        (
            "id,old,new,status\n1,/a,/b,301\n2,/c,/d,410\n",
            MapFormat::Csv,
            &[("/a", Some("/b")), ("/c", None), ("1", None)],
        ),
        (
            "RewriteRule ^/w/(.*) https://new.example/$1 [R=301]\n",
            MapFormat::Apache,
            &[
                ("/w/a/b?c", Some("https://new.example/a/b?c")),
                ("/x/w/a", None),
            ],
        ),
        (
            // A group may begin with a slash: only then the target is a path of the site.
            "RewriteEngine on\nRewriteRule ^old(/.*)$ $1 [R=301,L]\nRewriteRule ^q(.*)$ $1 [R]\n",
            MapFormat::Apache,
            &[
                ("/old/shop/x.html", Some("/shop/x.html")),
                ("http://old.example/old/a?b", Some("http://old.example/a?b")),
                ("/q/a", Some("/a")),
                ("/qa/b", Some("/a/b")),
                ("/q", Some("/")),
                ("/old//cdn.example/a", None),
                ("/qhttps://cdn.example/a", None),
            ],
        ),
        (
            // A pattern without a first slash is one of a folder, also if its group has the slash behind a host.
            "RewriteRule ^a$ /b [R=301,L]\nRewriteRule ^[o-q](ld)(/.*)?$ https://new.example$2 [R=301,L]\n",
            MapFormat::Apache,
            &[
                ("/a", Some("/b")),
                ("/old/x", Some("https://new.example/x")),
                ("/old", Some("https://new.example")),
                ("/older", None),
            ],
        ),
        (
            "RewriteRule ^(x|.y)? - [E=A:b]\nRewriteRule (.*)/old$ https://new.example$1 [R]\n",
            MapFormat::Apache,
            &[("/a/old", Some("https://new.example/a"))],
        ),
        (
            // Paths are compared decoded, and groups keep their spelling.
            "RewriteRule \"^a b$\" /c [R]\nRewriteRule ^é(.*)$ /e$1 [R]\nRewriteRule ^q/(.*) /q?x=$1 [R]\n\
             RedirectMatch ^/abc(.*)$ /m$1\nRedirect \"/d e\" /f\n",
            MapFormat::Apache,
            &[
                ("/a%20b", Some("/c")),
                ("/a%2520b", None),
                ("/é/ü%20", Some("/e/ü%20")),
                ("/%C3%A9/%c3%bc/ü", Some("/e/%c3%bc/ü")),
                ("/%61b%63/%25", Some("/m/%25")),
                ("/abc%2Fx", None),
                ("/abc%E9", None),
                ("/abc%", None),
                ("/abc%+1", None),
                ("/q/%C3%A9", Some("/q?x=%C3%A9")),
                ("/q/a%26b", None),
                (
                    "http://old.example/%64%20e/x",
                    Some("http://old.example/f/x"),
                ),
            ],
        ),
        (
            // Strings match in any case, and an empty value redirects nothing.
            "map $uri $n {\n  /Ab /k;\n  /c \"\";\n  ~^/d \"\";\n  ~^/([cdE].*)$ /x/$1;\n}\n",
            MapFormat::Nginx,
            &[
                ("/aB", Some("/k")),
                ("/Ab?q#f", Some("/k?q#f")),
                ("HTTP://old.example:80/%61B", Some("http://old.example/k")),
                ("/aB/c", None),
                ("/c", None),
                ("/C", None),
                ("/da", None),
                ("/c/a", Some("/x/c/a")),
                ("/ea", None),
                ("/Ea", Some("/x/Ea")),
                ("/c/../a", None),
            ],
        ),
        (
            "map $request_uri $n {\n  /Ab?c /k;\n}\n",
            MapFormat::Nginx,
            &[("/aB?C", Some("/k")), ("/aB", None)],
        ),
        (
            "map $uri $n {\n  \"~^/a b/(.*)$\" /c/$1;\n}\n",
            MapFormat::Nginx,
            &[("/a%20b/%C3%A9", Some("/c/%C3%A9")), ("/a/b", None)],
        ),
        (
            "RewriteRule ^/old(/?.*)$ $1 [R]\n",
            MapFormat::Apache,
            &[("/old/y", Some("/y")), ("/oldy", Some("/y"))],
        ),
        (
            "RewriteBase /sub\nRewriteRule ^c(/.*)$ $1 [R]\nRewriteRule ^e(.*)$ $1 [R]\n",
            MapFormat::Apache,
            &[
                ("/sub/c/d", Some("/d")),
                ("/sub/ef", Some("/sub/f")),
                ("/c/d", None),
            ],
        ),
        (
            // The server answers with an error.
            "RedirectMatch ^/old(.*)$ $1\n",
            MapFormat::Apache,
            &[
                ("/old/a", Some("/a")),
                ("/olda", None),
                ("/old//cdn.example/a", None),
                (
                    "http://old.example/old//cdn.example/a",
                    Some("http://old.example//cdn.example/a"),
                ),
                ("/oldhttps://cdn.example/a", None),
            ],
        ),
        (
            "RewriteBase /shop\nRewriteRule ^(.*)$ neu/$1 [R]\n",
            MapFormat::Apache,
            &[
                ("/shop/a", Some("/shop/neu/a")),
                ("/a", None),
                ("/shopping", None),
            ],
        ),
        (
            "# moved\n/blog/* /news/:splat 301!\n\
             /a.b  /c   # a page\n\
             /:year/:month/p https://new.example:8080/$/:month-:year?y=:year 302\n\
             /app/* /index.html 200\n\
             /no /404 404\n\
             /no/* /yes/:splat 301\n\
             /glued/* https://new.example:splat 301\n\
             http://blog.old.example/* https://blog.example/:splat\n",
            MapFormat::Netlify,
            &[
                ("/blog", Some("/news/")),
                ("/blog/x/y?z#f", Some("/news/x/y?z#f")),
                ("/blogs", None),
                ("/a.b/", Some("/c")),
                ("/a_b", None),
                (
                    "/2020/05/p?x",
                    Some("https://new.example:8080/$/05-2020?y=2020"),
                ),
                ("/app/x", None),
                ("/no", None),
                ("/no/", None),
                ("/no/x", Some("/yes/x")),
                ("/glued/x", None),
                ("/glued", Some("https://new.example")),
                ("http://blog.old.example/é", Some("https://blog.example/é")),
                (
                    "http://old.example/blog/x",
                    Some("http://old.example/news/x"),
                ),
                ("http://other.example/blog/x", None),
            ],
        ),
    ];
    for (text, format, links) in cases {
        assert_eq!(MapFormat::of(text), *format, "{text}");
        let rules = read(text, base);
        for (link, new) in *links {
            assert_eq!(rules.apply(link).as_deref(), *new, "{link} by {text}");
        }
        assert_eq!(rules.apply("/other/page"), None, "{text}");
    }
}

/// The redirects of another site than that of the base.
#[test]
fn tables_of_other_sites() {
    let text = "<VirtualHost *>\nServerName other.example\nServerAlias www.other.example\nRedirect / https://new.example/\n</VirtualHost>\n";
    let add = |base| Rules::default().add_map_file(text, MapFormat::Apache, Some(base));
    let error = add("http://old.example/").unwrap_err().to_string();
    assert!(
        error.starts_with(
            "line 1: expected the redirects of one site, `old.example`, but found those of `other.example`"
        ),
        "{error}"
    );
    assert!(add("http://www.other.example/").is_ok());
}

/// A group behind a host must not go on it.
#[test]
fn hosts_are_not_glued() {
    let mut rules = Rules::default();
    rules
        .add("re:^http://old\\.example(.*)$ https://new.example$1")
        .unwrap();
    let moved = |link| rules.apply(link);
    assert_eq!(
        moved("http://old.example/a").as_deref(),
        Some("https://new.example/a")
    );
    assert_eq!(
        moved("http://old.example").as_deref(),
        Some("https://new.example")
    );
    assert_eq!(
        moved("http://old.example?q").as_deref(),
        Some("https://new.example?q")
    );
    assert_eq!(moved("http://old.example.au/a"), None);
    assert_eq!(moved("http://old.example@b.example/"), None);
}

/// A rule for links of a site leaves paths alone, which may be those of another.
#[test]
fn a_path_is_no_link_of_a_named_site() {
    let text = "http://old.example/* https://new.example/:splat 301\n";
    let rules = read(text, None);
    let moved = rules.apply("http://old.example/a");
    assert_eq!(moved.as_deref(), Some("https://new.example/a"));
    assert_eq!(rules.apply("/a"), None);
}

#[test]
fn a_base_joins_paths_and_absolute_links() {
    let text = "/a,/b\nhttp://old.example/c,/d\n";
    let rules = read(text, Some("http://old.example/"));
    let moved = rules.apply("http://old.example/a");
    assert_eq!(moved.as_deref(), Some("http://old.example/b"));
}

#[test]
fn a_path_whose_new_place_moves_with_its_site() {
    let mut rules = read("/a /b\n", Some("http://old.example/"));
    assert_eq!(rules.check(), []);
    rules.add("old.example https://new.example").unwrap();
    let faults: Vec<_> = rules.check().iter().map(ToString::to_string).collect();
    let words = "`/a /b` makes links that a second run would change again, by `old.example https://new.example`";
    assert_eq!(faults, [words]);
}

#[test]
fn empty_segments_stay() {
    let rules = read(
        "http://old.example/ https://new.example/\n/a.html /a/\n",
        None,
    );
    for (link, new) in [
        ("http://old.example//b", "https://new.example//b"),
        ("http://old.example/b", "https://new.example/b"),
        ("/a.html/b", "/a/b"),
    ] {
        assert_eq!(rules.apply(link).as_deref(), Some(new));
    }
}

#[test]
fn pages_that_are_gone_need_no_new_place() {
    let rules = read("old,new,status\n/a,,410\n/b,/c,301\n/d,/e,404\n", None);
    let moved = ["/a", "/b", "/d"].map(|link| rules.apply(link));
    assert_eq!(moved, [None, Some("/c".to_owned()), None]);
    for separator in [";", "\t"] {
        let text = "old,new,status\n/b,/c,301\n/a,,410\n".replace(',', separator);
        let moved = read(&text, None).apply("/b");
        assert_eq!(moved.as_deref(), Some("/c"), "{text}");
    }
}

proptest! {
    /// A server's rule leads to the site, or to the host of its target, and gives no relative link.
    #[test]
    fn tables_lead_where_they_say(
        table in prop::sample::select(vec![
            "RewriteRule ^old(.*)$ $1 [R]\n",
            "RewriteRule ^old(/.*)?$ https://new.example$1 [R]\n",
            "RewriteRule ^/old/?(.*)$ $1 [R]\n",
            "RewriteBase /old\nRewriteRule ^(.*)$ $1 [R]\n",
            "RedirectMatch ^/old(.*)$ $1\n",
            "RedirectMatch ^/old(.*)$ https://new.example$1\n",
            "Redirect /old/ /\n",
            "map $uri $n {\n  ~^/old(.*)$ $1;\n}\n",
            "map $request_uri $n {\n  ~^/old/(.*)$ /$1;\n}\n",
            "/old/* /:splat 301\n",
        ]),
        rest in prop::collection::vec(
            prop::sample::select(vec![
                "/", "\\", "\t", "a", "é", ".", ":", "https:", "cdn.example", "%2F", "%5c", "%20", "%", "?", "#", "@",
            ]),
            0..7,
        ),
        site in prop::sample::select(vec!["", "http://old.example"]),
        base in prop::option::of(Just("http://old.example/x")),
    ) {
        let rules = read(table, base);
        let link = format!("{site}/old{}", rest.concat());
        if let Some(new) = rules.apply(&link) {
            let page = url::Url::parse("http://page.example/p/").unwrap();
            let target = page.join(&new).unwrap();
            let hosts = ["page.example", "new.example", "old.example"];
            let has_host = target.host_str().is_some_and(|host| hosts.contains(&host));
            let is_whole = new.starts_with('/') || new.starts_with("http");
            prop_assert!(has_host && is_whole, "{:?} became {:?} by {}", link, new, table);
        }
    }
}
