/* Every function, as a program in C calls it. */
#include <linkglot.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(is_true)                                                                                                 \
    do {                                                                                                               \
        if (!(is_true)) {                                                                                              \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #is_true);                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define BYTES(text) ((const uint8_t *)(text)), sizeof(text) - 1

static bool same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static void texts_in_utf8(void)
{
    const char text[] = "See r\u00e9sum\u00e9.com/\u00e9, or write to info@example.org.";
    lg_links *links = lg_find_utf8(text, sizeof text - 1, NULL);
    CHECK(lg_links_error(links).kind == NULL);
    CHECK(lg_links_len(links) == 2);
    lg_link link = lg_links_at(links, 0);
    CHECK(link.start == 4 && link.end == 4 + link.text_len);
    CHECK(same(link.text, "r\u00e9sum\u00e9.com/\u00e9") && strlen(link.text) == link.text_len);
    CHECK(same(link.uri, "https://xn--rsum-bpad.com/%C3%A9") && strlen(link.uri) == link.uri_len);
    CHECK(same(link.iri, "https://r\u00e9sum\u00e9.com/\u00e9") && strlen(link.iri) == link.iri_len);
    CHECK(same(link.target, link.uri) && same(link.raw, link.text));
    CHECK(same(link.kind, "text") && same(link.evidence, "path") && same(link.implied, "https"));
    CHECK(link.scheme == NULL && link.element == NULL && link.part == NULL && same(link.notes, ""));
    CHECK(same(link.format, "text") && same(link.charset, "UTF-8") && link.line == 0 && link.message == 0);
    link = lg_links_at(links, 1);
    CHECK(same(link.uri, "mailto:info@example.org") && same(link.implied, "mailto"));
    CHECK(lg_links_at(links, 2).text == NULL && lg_links_at(links, (size_t)-1).text == NULL);
    lg_links_free(links);
}

/* Malformed text is U+FFFD, whatever byte order mark it looks like; positions stay. */
static void malformed_utf8(void)
{
    const char *texts[] = {"\xFF\xFE a.org", "\xFE\xFF\0 a.org", "\xFF\xFE\0\0 a.org", "\0\0\xFE\xFF a.org"};
    const size_t starts[] = {3, 4, 5, 5};
    for (size_t i = 0; i < 4; i++) {
        lg_links *links = lg_find_utf8(texts[i], starts[i] + 5, NULL);
        lg_link link = lg_links_at(links, 0);
        CHECK(lg_links_len(links) == 1 && link.start == starts[i] && same(link.text, "a.org"));
        lg_links_free(links);
    }
    lg_links *links = lg_find_utf8("http://a.org/b\xC3 \xE2\x82 http://c.org/\xF0\x9F\x98\x80", 36, NULL);
    CHECK(lg_links_len(links) == 2);
    CHECK(lg_links_at(links, 0).end == 15 && same(lg_links_at(links, 0).text, "http://a.org/b\uFFFD"));
    CHECK(lg_links_at(links, 1).end == 36 && same(lg_links_at(links, 1).text, "http://c.org/\U0001F600"));
    lg_links_free(links);
}

static void texts_in_utf16(void)
{
    /* A pair, a surrogate alone, the link with a pair, and the start of a text that looks like a mark of UTF-8. */
    const uint16_t text[] = {0xBBEF, 0x41BF, 0xD83D, 0xDE00, ' ', 0xD800, ' ', 'a', '.', 'o', 'r', 'g', '/', 0xD83D, 0xDE00, 0x3002};
    lg_links *links = lg_find_utf16(text, 16, NULL);
    lg_link link = lg_links_at(links, 0);
    CHECK(lg_links_len(links) == 1 && link.start == 7 && link.end == 15);
    CHECK(same(link.text, "a.org/\U0001F600") && same(link.target, "https://a.org/%F0%9F%98%80"));
    lg_links_free(links);
    const uint16_t marked[] = {0xFEFF, 'a', '.', 'o', 'r', 'g'};
    links = lg_find_utf16(marked, 6, NULL);
    CHECK(lg_links_len(links) == 1 && lg_links_at(links, 0).start == 1 && lg_links_at(links, 0).end == 6);
    lg_links_free(links);
    const uint16_t swapped[] = {0xFFFE, ' ', 'a', '.', 'o', 'r', 'g'};
    links = lg_find_utf16(swapped, 7, NULL);
    CHECK(lg_links_len(links) == 1 && lg_links_at(links, 0).start == 2);
    lg_links_free(links);
}

static void legacy_charsets(void)
{
    lg_options options = {.size = sizeof options, .charset = "koi8-r", .flags = LG_LOCATE};
    lg_links *links = lg_find_bytes(BYTES("\xC1\n\xC2 http://a.org/\xC1 \xC1"), &options);
    lg_link link = lg_links_at(links, 0);
    CHECK(lg_links_len(links) == 1 && link.start == 4 && link.end == 18 && link.line == 2 && link.column == 3);
    CHECK(same(link.text, "http://a.org/\u0430") && same(link.uri, "http://a.org/%D0%B0"));
    CHECK(same(link.charset, "KOI8-R") && same(link.scheme, "http"));
    lg_links_free(links);
    /* Detected. */
    links = lg_find_bytes(BYTES("\xFF\xFE" "a\0.\0o\0r\0g\0"), NULL);
    CHECK(same(lg_links_at(links, 0).charset, "UTF-16LE") && lg_links_at(links, 0).start == 2);
    lg_links_free(links);
}

static void documents(void)
{
    const char page[] = "<meta charset=koi8-r><base href=http://a.org/b/><a href='/\xC1&amp;'>\xC1</a><img src=javascript:x>";
    lg_document *document = lg_document_open(BYTES(page), NULL);
    CHECK(lg_document_error(document).kind == NULL);
    lg_info info = lg_document_info(document);
    CHECK(same(info.format, "html") && same(info.charset, "KOI8-R") && same(info.charset_from, "declaration"));
    CHECK(info.charset_certain && same(info.base, "http://a.org/b/") && info.base_len == 15);
    const lg_links *links = lg_document_links(document);
    CHECK(lg_links_len(links) == 3);
    lg_link link = lg_links_at(links, 1);
    CHECK(same(link.text, "/\u0430&") && same(link.raw, "/\u0430&amp;") && same(link.target, "http://a.org/%D0%B0&"));
    CHECK(same(link.kind, "attribute") && same(link.element, "a") && same(link.name, "href"));
    CHECK(same(link.label, "\u0430") && link.label_len == 2 && lg_links_at(links, 2).label == NULL);
    CHECK(page[link.start] == '/' && page[link.end] == '\'');
    link = lg_links_at(links, 2);
    CHECK(!lg_is_safe_to_click(link.target, link.target_len));
    CHECK(lg_document_parts_len(document) == 1);
    lg_part part = lg_document_part_at(document, 0);
    CHECK(part.number == NULL && strstr(part.text, ">\u0430</a>") && strlen(part.text) == part.text_len);
    link = lg_links_at(part.links, 1);
    CHECK(strncmp(part.text + link.start, "/\u0430&amp;'", link.end - link.start + 1) == 0);
    CHECK(lg_document_part_at(document, 1).format == NULL && lg_document_unread_len(document) == 0);
    part = lg_document_displayed_at(document, 0);
    CHECK(strchr(part.text, '<') == NULL && strlen(part.text) == part.text_len && lg_links_len(part.links) == 1);
    link = lg_links_at(part.links, 0);
    CHECK(same(link.text, "/\u0430&") && strncmp(part.text + link.start, "\u0430", link.end - link.start) == 0);
    CHECK(lg_document_displayed_at(document, 1).format == NULL);
    lg_document_free(document);

    document = lg_document_open(BYTES("<a href=http://a.org/><b>www.bank</b>.example</a>"), NULL);
    link = lg_links_at(lg_document_links(document), 0);
    CHECK(same(link.label, "www.bank.example") && same(link.notes, "text-names-other-host"));
    lg_document_free(document);

    document = lg_document_open(BYTES("<meta charset=x-foo><a href=b>"), NULL);
    CHECK(same(lg_document_error(document).kind, "unknown-charset"));
    CHECK(strlen(lg_document_error(document).message) == lg_document_error(document).message_len);
    CHECK(lg_links_len(lg_document_links(document)) == 0);
    lg_document_free(document);

    /* Archives have no links of their own. */
    char tar[512] = "http://a.org/";
    memcpy(tar + 257, "ustar", 5);
    const char *archives[] = {"PK\x05\x06", "\x1F\x8B\x08\0http://a.org/", tar};
    const size_t lens[] = {4, 17, sizeof tar};
    for (size_t i = 0; i < 3; i++) {
        document = lg_document_open((const uint8_t *)archives[i], lens[i], NULL);
        CHECK(same(lg_document_error(document).kind, "container") && lg_document_info(document).format == NULL);
        CHECK(lg_links_len(lg_document_links(document)) == 0 && lg_document_parts_len(document) == 0);
        lg_document_free(document);
    }
    /* The header of a message of HTTP is no document: its length would break. */
    lg_options options = {.size = sizeof options, .format = "http"};
    document = lg_document_open(BYTES("HTTP/1.1 200 OK\r\nLocation: /a\r\n\r\n"), &options);
    CHECK(same(lg_document_error(document).kind, "argument") && !strstr(lg_document_error(document).message, " http,"));
    lg_document_free(document);
}

static void messages(void)
{
    const char mail[] = "List-Archive: <http://list.org/>\nContent-Type: multipart/mixed; boundary=x\n\n"
                        "--x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
                        "See http://a.org/?b=3Dc=\n&d=C3=A9, please.\n"
                        "--x\nContent-Type: text/plain; charset=x-foo\n\nhttp://b.org/\n"
                        "--x\nContent-Type: application/ms-tnef\n\nx\n--x--\n";
    lg_options options = {.size = sizeof options, .format = "mail"};
    lg_document *document = lg_document_open(BYTES(mail), &options);
    CHECK(lg_document_error(document).kind == NULL && lg_document_parts_len(document) == 2);
    lg_part part = lg_document_part_at(document, 0);
    CHECK(same(part.number, "/list-archive") && same(part.text, " <http://list.org/>"));
    part = lg_document_part_at(document, 1);
    CHECK(same(part.number, "1") && same(part.media_type, "text/plain") && same(part.format, "text"));
    CHECK(same(part.text, "See http://a.org/?b=c&d\u00e9, please."));
    lg_link link = lg_links_at(part.links, 0);
    CHECK(link.start == 4 && link.end == 25 && same(link.part, "1"));
    link = lg_links_at(lg_document_links(document), 1);
    CHECK(strncmp(mail + link.start, "http://a.org/?b=3Dc=\n&d=C3=A9,", link.end - link.start + 1) == 0);
    CHECK(lg_document_unread_len(document) == 2 && same(lg_document_unread_at(document, 0).part, "2"));
    CHECK(strstr(lg_document_unread_at(document, 0).reason, "x-foo"));
    CHECK(same(lg_document_unread_at(document, 1).reason, "tnef") && lg_document_unread_at(document, 2).part == NULL);
    lg_document_free(document);
}

static lg_rewritten *rewritten(const char *page, const lg_rewriting *options, const char *expected)
{
    lg_rewritten *made = lg_rewrite((const uint8_t *)page, strlen(page), options);
    size_t len;
    const uint8_t *content = lg_rewritten_content(made, &len);
    CHECK(len == strlen(expected) && memcmp(content, expected, len) == 0);
    return made;
}

static void rewrites(void)
{
    lg_rewriting options = {.size = sizeof options, .to = "uri"};
    lg_options reading = {.size = sizeof reading, .charset = "utf-8", .format = "html"};
    options.reading = &reading;
    lg_rewritten *made = rewritten("<a href=/\u00e9><a href='/\u00e9/{{x}}'>", &options, "<a href=/%C3%A9><a href='/\u00e9/{{x}}'>");
    CHECK(lg_rewritten_error(made).kind == NULL && lg_rewritten_changes_len(made) == 2);
    lg_tally tally = lg_rewritten_tally(made);
    CHECK(tally.links == 2 && tally.changed == 1 && tally.left == 1);
    lg_change change = lg_rewritten_change_at(made, 0);
    CHECK(same(change.new_text, "/%C3%A9") && change.new_len == 7 && same(change.link.text, "/\u00e9") && change.rule == -1);
    change = lg_rewritten_change_at(made, 1);
    CHECK(change.new_text == NULL && same(change.link.notes, "left-template"));
    CHECK(lg_rewritten_change_at(made, 2).link.text == NULL);
    lg_rewritten_free(made);

    const char lines[] = "# moved\nhttp://old.org/ https://new.org/\n";
    lg_rules *rules = lg_rules_parse(lines, sizeof lines - 1);
    CHECK(lg_rules_error(rules).kind == NULL);
    lg_rewriting moved = {.size = sizeof moved, .rules = rules};
    made = rewritten("see http://old.org/a.", &moved, "see https://new.org/a.");
    CHECK(lg_rewritten_change_at(made, 0).rule == 0);
    lg_rewritten_free(made);
    lg_rules_free(rules);

    /* Links of services become the links behind them. */
    lg_rewriting unwrapping = {.size = sizeof unwrapping, .flags = LG_UNWRAP};
    const char wrapped[] = "see https://www.google.com/url?q=https%3A%2F%2Fold.org%2Fa%3Fb&sa=D now";
    lg_rewritten_free(rewritten(wrapped, &unwrapping, "see https://old.org/a?b now"));
    rules = lg_rules_parse("https://old.org/ https://new.org/", 33);
    unwrapping.rules = rules;
    lg_rewritten_free(rewritten(wrapped, &unwrapping, "see https://new.org/a?b now"));
    /* The rules themselves stay as they are. */
    lg_rewriting ruled = {.size = sizeof ruled, .rules = rules};
    lg_rewritten_free(rewritten(wrapped, &ruled, wrapped));
    lg_rules_free(rules);

    /* Rules with a fault are never applied in part. */
    rules = lg_rules_parse("http://old.org/ https://new.org/\nhttp://x/", 43);
    CHECK(same(lg_rules_error(rules).kind, "invalid-rule"));
    moved.rules = rules;
    made = rewritten("see http://old.org/a.", &moved, "see http://old.org/a.");
    CHECK(same(lg_rewritten_error(made).kind, "invalid-rule"));
    lg_rewritten_free(made);
    lg_rules_free(rules);

    /* Nor are rules that would make wrong links. */
    const char glue[] = "# moved\nhttp://a.example/ https://b.example\n";
    rules = lg_rules_parse(glue, sizeof glue - 1);
    CHECK(same(lg_rules_error(rules).kind, "invalid-rule"));
    CHECK(strstr(lg_rules_error(rules).message, "line 2: ") == lg_rules_error(rules).message);
    CHECK(strstr(lg_rules_error(rules).message, "did you mean `http://a.example/ https://b.example/`?"));
    moved.rules = rules;
    made = rewritten("see http://a.example/x.", &moved, "see http://a.example/x.");
    CHECK(same(lg_rewritten_error(made).kind, "invalid-rule"));
    lg_rewritten_free(made);
    lg_rules_free(rules);

    /* Only rules change identifiers. */
    rules = lg_rules_parse("http://old.org/ http://new.org/", 31);
    lg_options listed = {.size = sizeof listed, .format = "xml", .flags = LG_IDENTIFIERS};
    lg_rewriting renamed = {.size = sizeof renamed, .reading = &listed, .rules = rules, .to = "uri"};
    const char feed[] = "<feed xmlns='http://www.w3.org/2005/Atom'><id>http://old.org/\u00e9</id><id>http://b.org/\u00e9</id></feed>";
    const char with[] = "<feed xmlns='http://www.w3.org/2005/Atom'><id>http://new.org/\u00e9</id><id>http://b.org/\u00e9</id></feed>";
    lg_rewritten_free(rewritten(feed, &renamed, with));
    lg_rules_free(rules);

    lg_rewriting hosts = {.size = sizeof hosts, .host = "unicode"};
    made = rewritten("see http://xn--9ca.org/", &hosts, "see http://xn--9ca.org/");
    CHECK(same(lg_rewritten_error(made).kind, "argument"));
    CHECK(strstr(lg_rewritten_error(made).message, "host: expected `to` uri or iri") != NULL);
    lg_rewritten_free(made);
    hosts.host = "keep";
    lg_rewritten_free(rewritten("see http://xn--9ca.org/", &hosts, "see http://xn--9ca.org/"));

    lg_rewriting transcoding = {.size = sizeof transcoding, .to_charset = "us-ascii"};
    made = rewritten("a\u4e00", &transcoding, "a\u4e00");
    CHECK(same(lg_rewritten_error(made).kind, "transcoding"));
    lg_rewritten_free(made);
    made = rewritten("see http://old.org/\u00e9", NULL, "see http://old.org/\u00e9");
    CHECK(lg_rewritten_error(made).kind == NULL && lg_rewritten_content(made, NULL) != NULL);
    lg_rewritten_free(made);
    made = lg_rewrite(NULL, 5, NULL);
    CHECK(same(lg_rewritten_error(made).kind, "argument"));
    lg_rewritten_free(made);
    lg_rewriting wrong = {.size = sizeof wrong, .to = "url"};
    made = rewritten("<a href=/\u00e9>", &wrong, "<a href=/\u00e9>");
    CHECK(same(lg_rewritten_error(made).message, "to: expected one of uri, iri, same, found \"url\""));
    lg_rewritten_free(made);
}

static void choose(void *user, const lg_candidate *link, lg_answer *answer)
{
    int *asked = user;
    ++*asked;
    CHECK(strlen(link->reference) == link->reference_len);
    if (same(link->element, "img")) {
        CHECK(same(link->kind, "attribute") && same(link->name, "src") && link->implied == NULL);
        char new[256];
        int len = snprintf(new, sizeof new, "https://proxy.example/?%s", link->target);
        if (strncmp(link->target, "https://proxy.example/", 22) != 0)
            lg_answer_set(answer, new, (size_t)len);
    } else if (same(link->reference, "http://bad.org/")) {
        lg_answer_set(answer, "http://b\xFF", 9);
    } else if (same(link->reference, "http://null.org/")) {
        lg_answer_set(answer, NULL, 0);
    }
}

static void callbacks(void)
{
    int asked = 0;
    lg_options reading = {.size = sizeof reading, .base = "http://a.org/"};
    lg_rewriting options = {.size = sizeof options, .reading = &reading, .choose = choose, .user = &asked};
    const char page[] = "<img src='b&amp;c'><a href=d></a><p>http://bad.org/ http://null.org/</p>";
    const char expected[] = "<img src='https://proxy.example/?http://a.org/b&amp;c'><a href=d></a><p>http://bad.org/ http://null.org/</p>";
    lg_rewritten *made = rewritten(page, &options, expected);
    CHECK(asked >= 4 && lg_rewritten_changes_len(made) == 3);
    CHECK(same(lg_rewritten_change_at(made, 1).link.text, "http://bad.org/"));
    CHECK(same(lg_rewritten_change_at(made, 1).link.notes, "left-target-would-change"));
    CHECK(lg_rewritten_change_at(made, 2).new_text == NULL);
    lg_rewritten_free(made);
    lg_rewritten_free(rewritten(expected, &options, expected));
}

static void identifiers(void)
{
    const char iri[] = "http://r\u00e9sum\u00e9.example/\u00e9";
    size_t len;
    lg_text *uri = lg_to_uri(iri, sizeof iri - 1);
    CHECK(same(lg_text_get(uri, &len), "http://xn--rsum-bpad.example/%C3%A9") && len == 35);
    CHECK(lg_text_error(uri).kind == NULL);
    lg_text *back = lg_to_iri(lg_text_get(uri, NULL), len);
    CHECK(same(lg_text_get(back, &len), iri) && len == sizeof iri - 1);
    lg_text_free(uri);
    lg_text_free(back);
    lg_text *none = lg_to_uri("http://a b/", 11);
    CHECK(lg_text_get(none, &len) == NULL && len == 0 && same(lg_text_error(none).kind, "not-mappable"));
    lg_text_free(none);
    none = lg_to_iri("\xFF", 1);
    CHECK(lg_text_get(none, NULL) == NULL && same(lg_text_error(none).kind, "argument"));
    lg_text_free(none);
    CHECK(lg_is_safe_to_click("https://a.org", 13) && !lg_is_safe_to_click("java\nscript:x", 13));
    CHECK(!lg_is_safe_to_click("https://a.org/\xFF", 15) && !lg_is_safe_to_click(NULL, 1));
    CHECK(strncmp(lg_version(), "0.", 2) == 0);
}

static void nothing(void)
{
    lg_links_free(NULL);
    lg_document_free(NULL);
    lg_rules_free(NULL);
    lg_rewritten_free(NULL);
    lg_text_free(NULL);
    size_t len = 1;
    CHECK(lg_links_len(NULL) == 0 && lg_links_at(NULL, 0).text == NULL && lg_links_error(NULL).kind == NULL);
    CHECK(lg_document_links(NULL) == NULL && lg_document_parts_len(NULL) == 0 && lg_document_error(NULL).kind == NULL);
    CHECK(lg_document_info(NULL).format == NULL && lg_document_part_at(NULL, 0).links == NULL);
    CHECK(lg_document_displayed_at(NULL, 0).links == NULL);
    CHECK(lg_document_unread_len(NULL) == 0 && lg_document_unread_at(NULL, 0).part == NULL);
    CHECK(lg_rules_error(NULL).kind == NULL && lg_rewritten_error(NULL).kind == NULL && lg_text_error(NULL).kind == NULL);
    CHECK(lg_rewritten_content(NULL, &len) == NULL && len == 0 && lg_rewritten_changes_len(NULL) == 0);
    CHECK(lg_rewritten_tally(NULL).links == 0 && lg_rewritten_change_at(NULL, 0).rule == -1);
    CHECK(lg_text_get(NULL, NULL) == NULL);
    lg_answer_set(NULL, "", 0);
    lg_links *links = lg_find_utf8(NULL, 0, NULL);
    CHECK(lg_links_len(links) == 0 && lg_links_error(links).kind == NULL);
    lg_links_free(links);
}

/* Threads share a document, whose parts none has read yet, and rules. */
static void *in_thread(void *shared)
{
    const lg_document *document = ((void **)shared)[0];
    lg_rewriting options = {.size = sizeof options, .rules = ((void **)shared)[1]};
    for (int i = 0; i < 20; i++) {
        CHECK(lg_document_parts_len(document) == 1);
        lg_part part = lg_document_part_at(document, 0);
        CHECK(same(lg_links_at(part.links, 0).text, "http://old.org/"));
        lg_rewritten_free(rewritten("<a href=http://old.org/>", &options, "<a href=http://new.org/>"));
    }
    return NULL;
}

static void threads(void)
{
    void *shared[] = {lg_document_open(BYTES("see http://old.org/"), NULL), lg_rules_parse("http://old.org/ http://new.org/", 31)};
    pthread_t started[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&started[i], NULL, in_thread, shared) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(started[i], NULL) == 0);
    lg_document_free(shared[0]);
    lg_rules_free(shared[1]);
}

int main(void)
{
    texts_in_utf8();
    malformed_utf8();
    texts_in_utf16();
    legacy_charsets();
    documents();
    messages();
    rewrites();
    callbacks();
    identifiers();
    nothing();
    threads();
    puts("all functions held");
    return 0;
}
