/* linkglot: links of texts and documents in any charset. Made by `make header`; do not edit.
 *
 * - Texts are UTF-8, and end with a NUL behind their last byte; those with a length may hold a NUL, too.
 * - Functions that make an object never return NULL; `..._error` says whether something was wrong. Every object has a
 *   `..._free`, which takes NULL. Functions that look at an object take NULL, and find nothing there.
 * - There is no global state but constant tables, built once. Different threads may use different objects at the same
 *   time, and look at the same one, until one of them frees it.
 * - Nothing is written to files or sockets, and no thread is started.
 */

#ifndef LINKGLOT_H
#define LINKGLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Links know their line and column. Costs a pass over the document.
 */
#define LG_LOCATE 1

/**
 * Plain text is `format=flowed` with `DelSp=yes` (RFC 3676): links go over its line breaks. Parts of mail declare it
 * themselves.
 */
#define LG_FLOWED (1 << 1)

/**
 * Links of plain text go over the line breaks of a wrapped paragraph.
 */
#define LG_JOIN_WRAPPED (1 << 2)

/**
 * The text of header fields of mail is read (Subject, Comments ...), besides the fields that hold links.
 */
#define LG_HEADERS (1 << 3)

/**
 * The string literals of scripts and event handlers in HTML are read.
 */
#define LG_CODE (1 << 4)

/**
 * The comments of HTML and XML are read.
 */
#define LG_COMMENTS (1 << 5)

/**
 * Identifiers that are no links to follow (Atom ids ...) are listed. Only rules change them.
 */
#define LG_IDENTIFIERS (1 << 6)

/**
 * Signatures that cover a link (DKIM, S/MIME, OpenPGP) do not keep it from changing.
 */
#define LG_BREAK_SIGNATURES 1

/**
 * Rules see the targets of relative links, too.
 */
#define LG_RESOLVE (1 << 1)

/**
 * Links of services that wrap links (Safe Links, URL Defense, redirects of Google ...) become the links behind them,
 * before the rules see them. Links whose original cannot be read stay. Nothing is fetched.
 */
#define LG_UNWRAP (1 << 2)

/**
 * The answer of a callback. It belongs to linkglot.
 */
typedef struct lg_answer lg_answer;

/**
 * A document in memory.
 */
typedef struct lg_document lg_document;

/**
 * Links in the order of the document.
 */
typedef struct lg_links lg_links;

/**
 * A document after a rewrite.
 */
typedef struct lg_rewritten lg_rewritten;

/**
 * Rules for moving a site. Many threads and rewrites may share them.
 */
typedef struct lg_rules lg_rules;

/**
 * A text of linkglot.
 */
typedef struct lg_text lg_text;

/**
 * A link at its place in a document. A text ends with a NUL behind its last byte, is UTF-8, and lives as long as the
 * object that holds the link. NULL stands for a text that the link does not have. All pointers are NULL in the link
 * of a number that there is not.
 */
typedef struct {
    /**
     * The first byte of the link in the source: of `lg_find_utf16` the first unit, of a part the first byte of its
     * text.
     */
    size_t start;
    /**
     * The end of the link: one behind its last byte or unit.
     */
    size_t end;
    /**
     * The line and the column in characters, from 1, if `LG_LOCATE` asked for them; else 0.
     */
    uint64_t line;
    /**
     * See `line`.
     */
    uint64_t column;
    /**
     * The number of the message in its mailbox, from 1; 0 in other documents.
     */
    uint64_t message;
    /**
     * The link, decoded and unescaped. Empty, with the note `too-long` or `over-budget`, where a document was not
     * read.
     */
    const char *text;
    /**
     * The length of the text in bytes.
     */
    size_t text_len;
    /**
     * The link as it stands in the source: decoded but not unescaped.
     */
    const char *raw;
    /**
     * The length of `raw` in bytes.
     */
    size_t raw_len;
    /**
     * The URI (RFC 3987 3.1), with the implied scheme; NULL if `lg_rewrite` could not write one there. The notes
     * say why.
     */
    const char *uri;
    /**
     * The length of the URI in bytes.
     */
    size_t uri_len;
    /**
     * The IRI for display (RFC 3987 3.2), with the implied scheme; NULL if `lg_rewrite` could not write one there.
     */
    const char *iri;
    /**
     * The length of the IRI in bytes.
     */
    size_t iri_len;
    /**
     * The address to open: the URL that a browser makes of the link (URL Standard 4.4), against the base; NULL if the
     * link is no URL, or relative to an unknown base. Ask `lg_is_safe_to_click` first.
     */
    const char *target;
    /**
     * The length of the target in bytes.
     */
    size_t target_len;
    /**
     * The visible text of the `a` of HTML that the link belongs to, or the `alt` of the `area`: at most 1 KiB, white
     * space collapsed; NULL if there is no such text. The note `text-names-other-host` says that it begins with a link
     * or a domain of another registrable domain than the target's.
     */
    const char *label;
    /**
     * The length of the label in bytes.
     */
    size_t label_len;
    /**
     * The scheme in lower case; NULL for a reference without one.
     */
    const char *scheme;
    /**
     * The scheme of a link that was found without one: `https` or `mailto`.
     */
    const char *implied;
    /**
     * The kind of the place: `text`, `attribute`, `css`, `srcset`, `header` ..., as in `find --json`.
     */
    const char *kind;
    /**
     * The element around the link.
     */
    const char *element;
    /**
     * The name of the attribute, property or header field.
     */
    const char *name;
    /**
     * The evidence that this is a link, from sure to unsure: `markup`, `enclosed`, `scheme`, `www`, `address`, `path`,
     * `name`.
     */
    const char *evidence;
    /**
     * Codes of notes, with commas between them: what could deceive a reader, and why a form is missing. Empty without
     * notes.
     */
    const char *notes;
    /**
     * The number of the part of a message, as in IMAP: `1.2`, `/list-archive`.
     */
    const char *part;
    /**
     * The media type of that part.
     */
    const char *media_type;
    /**
     * The format of the document; of a part of a message, that of the message.
     */
    const char *format;
    /**
     * The charset of the document, or of the part of a message.
     */
    const char *charset;
} lg_link;

/**
 * An error. Its texts live as long as the object that was asked for it.
 */
typedef struct {
    /**
     * A stable code; NULL if there is no error. `argument`: a wrong argument or option; `unknown-charset`: the
     * document declares a charset that nobody knows; `over-budget`: the links are many times as long as the document;
     * `container`: an archive, compressed data, or another file that holds documents; `invalid-rule`, `transcoding`;
     * `not-mappable`: the identifier has no such form; `internal`: a fault of linkglot, please report it.
     */
    const char *kind;
    /**
     * The message, in UTF-8; NULL if there is no error.
     */
    const char *message;
    /**
     * The length of the message in bytes.
     */
    size_t message_len;
} lg_error;

/**
 * Options for reading. NULL and 0 are the defaults, those of the command line: `lg_options options = {.size = sizeof
 * options, .format = "html"};`. All texts end with a NUL and are read during the call only.
 */
typedef struct {
    /**
     * `sizeof(lg_options)`, so that later versions can add options.
     */
    size_t size;
    /**
     * The format by its name in `linkglot find --help` (`html`, `mail`, `markdown` ...), or `auto`: by name and
     * content. By default `text` for `lg_find_utf8`, `lg_find_utf16` and `lg_find_bytes`, `auto` elsewhere.
     */
    const char *format;
    /**
     * The charset, by a label; overrides everything but a byte order mark.
     */
    const char *charset;
    /**
     * The charset that a header around the document declares, as in HTTP; overrides the document's declaration.
     */
    const char *declared_charset;
    /**
     * The charset when neither a declaration nor sure detection decides.
     */
    const char *default_charset;
    /**
     * The base for relative references, if the document gives none: an IRI with a scheme.
     */
    const char *base;
    /**
     * The name of the document, for its extension.
     */
    const char *name;
    /**
     * Rules for links in running text: `extended`, `uts58` or `scheme`.
     */
    const char *detect;
    /**
     * The charset of non-ASCII in http(s) queries: `document` or `utf-8`.
     */
    const char *query_charset;
    /**
     * The most bytes of a slot; longer slots get the note `too-long`. 0 for 1 MiB.
     */
    size_t max_slot;
    /**
     * The sum of `LG_LOCATE` and other flags.
     */
    uint32_t flags;
} lg_options;

/**
 * The properties of a document. The texts end with a NUL and belong to the document.
 */
typedef struct {
    /**
     * The format; NULL if the document could not be read.
     */
    const char *format;
    /**
     * The charset.
     */
    const char *charset;
    /**
     * The source of the charset: `bom`, `caller`, `declaration`, `detection` or `default`.
     */
    const char *charset_from;
    /**
     * True if the charset is certain. Nothing that depends on an uncertain one is written.
     */
    bool charset_certain;
    /**
     * The base for relative references; NULL without one.
     */
    const char *base;
    /**
     * The length of the base in bytes.
     */
    size_t base_len;
} lg_info;

/**
 * A part of a message, or a header field with links; of another document, the document itself. The texts end with a
 * NUL and belong to the document.
 */
typedef struct {
    /**
     * The number of the part, as in IMAP: `1.2`, `/list-archive`; NULL in a document that is no mail.
     */
    const char *number;
    /**
     * The media type, in lower case; NULL in a document that is no mail.
     */
    const char *media_type;
    /**
     * The number of the message in its mailbox, from 1; 0 in other documents.
     */
    uint64_t message;
    /**
     * The format; NULL for the number of a part that there is not.
     */
    const char *format;
    /**
     * The charset.
     */
    const char *charset;
    /**
     * The text, without the transfer encoding, in UTF-8. Of HTML, the source with its tags.
     */
    const char *text;
    /**
     * The length of the text in bytes.
     */
    size_t text_len;
    /**
     * The links of the part. `start` and `end` count bytes of `text` here. They belong to the document.
     */
    const lg_links *links;
} lg_part;

/**
 * A part of a message that was not read. The texts end with a NUL and belong to the document.
 */
typedef struct {
    /**
     * The number of the part; in a mailbox behind that of the message: `12:1.2`.
     */
    const char *part;
    /**
     * Why it was not read.
     */
    const char *reason;
} lg_unread;

/**
 * A link that the callback of a rewrite is asked about. The texts end with a NUL and live during the call only.
 */
typedef struct {
    /**
     * The link as the rules leave it, unescaped, with its implied scheme.
     */
    const char *reference;
    /**
     * The length of the reference in bytes.
     */
    size_t reference_len;
    /**
     * The URL that a browser makes of it; NULL if it is none, or relative to an unknown base.
     */
    const char *target;
    /**
     * The length of the target in bytes.
     */
    size_t target_len;
    /**
     * The scheme of a link that was found without one: `https` or `mailto`; else NULL.
     */
    const char *implied;
    /**
     * The kind of the place, as in `lg_link`.
     */
    const char *kind;
    /**
     * The element around the link; may be NULL.
     */
    const char *element;
    /**
     * The name of the attribute, property or header field; may be NULL.
     */
    const char *name;
} lg_candidate;

/**
 * A callback that chooses new links, behind the rules. It calls `lg_answer_set` with the new reference, or returns
 * without to keep the link. `user` is the pointer of the options.
 *
 * The answer is treated as the result of a rule: it gets the form of new links and is refused, with a note, where it
 * cannot be written or may not be (signatures, little evidence, charsets ...). The callback is not asked about links
 * with code of a template, places of URI templates, and `<base>`. It runs in the thread of `lg_rewrite`, and may be
 * called several times about a link, also in its new form: it has to answer alike each time. Asked about its own
 * answer, it should keep it, so that a second run changes nothing. It must neither throw nor jump out.
 */
typedef void (*lg_choose)(void *user, const lg_candidate *link, lg_answer *answer);

/**
 * Options for rewriting. NULL and 0 are the defaults. All texts end with a NUL; everything is read during the call
 * only.
 */
typedef struct {
    /**
     * `sizeof(lg_rewriting)`, so that later versions can add options.
     */
    size_t size;
    /**
     * The options for reading.
     */
    const lg_options *reading;
    /**
     * The form of new links: `uri`, `iri`, or `same` (the default), with which only rules and the callback change
     * links.
     */
    const char *to;
    /**
     * Rules for moving a site. They stay the caller's.
     */
    const lg_rules *rules;
    /**
     * The callback.
     */
    lg_choose choose;
    /**
     * The pointer that the callback gets.
     */
    void *user;
    /**
     * The least evidence for changing a link in running text; `www` by default.
     */
    const char *min_evidence;
    /**
     * The form of hosts: `punycode`, `unicode`, `percent` or `keep`. By default that of the form of links. With `same`
     * in `to`, only `keep`.
     */
    const char *host;
    /**
     * The characters that an IRI shows: `safe` (the default) or `all`.
     */
    const char *display;
    /**
     * The new charset of the document, by a label; by default it keeps its own.
     */
    const char *to_charset;
    /**
     * The sum of `LG_BREAK_SIGNATURES` and other flags.
     */
    uint32_t flags;
} lg_rewriting;

/**
 * Numbers of links.
 */
typedef struct {
    /**
     * Links in the document.
     */
    uint64_t links;
    /**
     * Links that were changed.
     */
    uint64_t changed;
    /**
     * Links that had to be left.
     */
    uint64_t left;
} lg_tally;

/**
 * A link that was changed, or left although it should have changed.
 */
typedef struct {
    /**
     * The old link, without `uri` and `iri`; its notes say why it was left.
     */
    lg_link link;
    /**
     * The new text of the link, unescaped; NULL if it was left.
     */
    const char *new_text;
    /**
     * The length of the new text in bytes.
     */
    size_t new_len;
    /**
     * The number of the rule that matched, from 0; -1 for none. Numbers behind those of the rules stand for
     * `LG_UNWRAP`.
     */
    int64_t rule;
} lg_change;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the number of links. O(1). 0 for NULL.
 */
size_t lg_links_len(const lg_links *links);

/**
 * Returns the link of a number, from 0. O(1). The texts belong to `links` and live as long as it does.
 */
lg_link lg_links_at(const lg_links *links, size_t number);

/**
 * Returns why there are no links, or not all of them. `kind` is NULL if all went well. The texts belong to `links`.
 */
lg_error lg_links_error(const lg_links *links);

/**
 * Frees links from `lg_find_utf8`, `lg_find_utf16` or `lg_find_bytes`, with all their texts. NULL is fine. Links of
 * documents, parts and rewrites belong to these: do not free them.
 */
void lg_links_free(lg_links *links);

/**
 * Finds the links of a text in UTF-8, in order, disjoint. Positions count bytes. Malformed sequences are read as
 * U+FFFD. O(len).
 *
 * `text` is read during the call only; NULL is fine if `len` is 0. `options` may be NULL; `charset` must not be set.
 * Returns links, never NULL, that the caller frees with `lg_links_free`; `lg_links_error` says whether something was
 * wrong.
 */
lg_links *lg_find_utf8(const char *text,
                       size_t len,
                       const lg_options *options);

/**
 * Finds the links of a text in UTF-16, in native byte order. Positions count units. Surrogates that stand alone are
 * read as U+FFFD. O(len). Otherwise like `lg_find_utf8`; the texts of links are in UTF-8.
 */
lg_links *lg_find_utf16(const uint16_t *text,
                        size_t len,
                        const lg_options *options);

/**
 * Finds the links of a text in any charset: that of the options, or else the declared or detected one. Positions count
 * bytes. O(len). Otherwise like `lg_find_utf8`.
 */
lg_links *lg_find_bytes(const uint8_t *text,
                        size_t len,
                        const lg_options *options);

/**
 * Opens a document in memory: a page, a message, a mailbox ... with format and charset found out unless the options
 * say them. Its links are those of `linkglot find --json`, all fields alike. O(len).
 *
 * `data` is copied; NULL is fine if `len` is 0. `options` may be NULL. Returns a document, never NULL, that the caller
 * frees with `lg_document_free`; `lg_document_error` says whether something was wrong. Archives (zip, tar) and
 * compressed data are an error: their documents are not read.
 */
lg_document *lg_document_open(const uint8_t *data,
                              size_t len,
                              const lg_options *options);

/**
 * Returns why the document has no links, or not all of them. `kind` is NULL if all went well. Parts of a message that
 * could not be read are no error: see `lg_document_unread_at`. The texts belong to the document.
 */
lg_error lg_document_error(const lg_document *document);

/**
 * Returns the format, charset and base. O(1). The texts belong to the document.
 */
lg_info lg_document_info(const lg_document *document);

/**
 * Returns the links of the document, with positions in its bytes: of a message those of all parts. O(1). They belong
 * to the document: do not free them. NULL for NULL.
 */
const lg_links *lg_document_links(const lg_document *document);

/**
 * Returns the number of parts. The first call of this function or `lg_document_part_at` reads the document again:
 * O(len), then O(1).
 */
size_t lg_document_parts_len(const lg_document *document);

/**
 * Returns the part of a number, from 0. Its texts and links belong to the document.
 */
lg_part lg_document_part_at(const lg_document *document, size_t number);

/**
 * Returns the part of a number, from 0, as a reader sees it: the text of HTML without markup and hidden elements, with
 * the `alt` of images and blocks in lines of their own; the links are those in this text. Other formats are as from
 * `lg_document_part_at`. The first call reads the document again: O(len), then O(1). The texts and links belong to the
 * document.
 */
lg_part lg_document_displayed_at(const lg_document *document,
                                 size_t number);

/**
 * Returns the number of parts of a message that were not read, although they may have links: encrypted, of another
 * type than text, in an unknown charset ... At most the first hundreds are kept. O(1).
 */
size_t lg_document_unread_len(const lg_document *document);

/**
 * Returns a part that was not read, from 0. The texts belong to the document.
 */
lg_unread lg_document_unread_at(const lg_document *document, size_t number);

/**
 * Frees a document with its links, parts and texts. NULL is fine.
 */
void lg_document_free(lg_document *document);

/**
 * Reads rules, one `FROM TO` a line, as in files for `--map-file`. A path alone (`/a`) is a path of any site: there is
 * no base here.
 *
 * `lines` is UTF-8 and is read during the call only; NULL is fine if `len` is 0. Returns rules, never NULL, that the
 * caller frees with `lg_rules_free`; `lg_rules_error` names a line with a fault. Rules that would make wrong links are
 * a fault, as on the command line. Its warnings of useless rules have no place here: `linkglot rewrite` shows them.
 */
lg_rules *lg_rules_parse(const char *lines,
                         size_t len);

/**
 * Returns the fault of the rules; `kind` is NULL if there is none. The texts belong to the rules.
 */
lg_error lg_rules_error(const lg_rules *rules);

/**
 * Frees rules. NULL is fine.
 */
void lg_rules_free(lg_rules *rules);

/**
 * Rewrites the links of a document in memory; every other byte stays. O(len).
 *
 * `data` is read during the call only; NULL is fine if `len` is 0. `options` may be NULL, and then nothing changes.
 * Returns a document, never NULL, that the caller frees with `lg_rewritten_free`. If `lg_rewritten_error` says that
 * something was wrong, its content is that of `data`, unchanged.
 */
lg_rewritten *lg_rewrite(const uint8_t *data,
                         size_t len,
                         const lg_rewriting *options);

/**
 * Answers with a new reference. To be called during the callback only; the last call counts.
 *
 * `reference` is UTF-8 and is copied. An answer that is not UTF-8, is empty or has controls is refused: the link is
 * left, with a note.
 */
void lg_answer_set(lg_answer *answer,
                   const char *reference,
                   size_t len);

/**
 * Returns why the document could not be rewritten; `kind` is NULL if all went well. The texts belong to the document.
 */
lg_error lg_rewritten_error(const lg_rewritten *rewritten);

/**
 * Returns the bytes of the document, and their number in `len` unless that is NULL. They belong to the document. NULL
 * for NULL only.
 */
const uint8_t *lg_rewritten_content(const lg_rewritten *rewritten,
                                    size_t *len);

/**
 * Returns the numbers of links: all, changed and left. O(1).
 */
lg_tally lg_rewritten_tally(const lg_rewritten *rewritten);

/**
 * Returns the number of links that were changed or left. O(1).
 */
size_t lg_rewritten_changes_len(const lg_rewritten *rewritten);

/**
 * Returns a link that was changed or left, from 0. The texts belong to the document. All pointers are NULL for a
 * number that there is not.
 */
lg_change lg_rewritten_change_at(const lg_rewritten *rewritten,
                                 size_t number);

/**
 * Frees a rewritten document with its bytes and texts. NULL is fine.
 */
void lg_rewritten_free(lg_rewritten *rewritten);

/**
 * Maps an IRI or a reference to a URI (RFC 3987 3.1), with the host in punycode. O(len).
 *
 * `iri` is UTF-8 and is read during the call only. Returns a text, never NULL, that the caller frees with
 * `lg_text_free`; `lg_text_error` says why there is no URI.
 */
lg_text *lg_to_uri(const char *iri, size_t len);

/**
 * Maps a URI or a reference to an IRI for display (RFC 3987 3.2): what could deceive a reader stays encoded. O(len).
 *
 * `uri` is UTF-8 and is read during the call only. Returns a text, never NULL, that the caller frees with
 * `lg_text_free`.
 */
lg_text *lg_to_iri(const char *uri,
                   size_t len);

/**
 * Returns the bytes of a text, with a NUL behind them, and their number in `len` unless that is NULL. They belong to
 * `made`. NULL after an error, and for NULL.
 */
const char *lg_text_get(const lg_text *made,
                        size_t *len);

/**
 * Returns why there is no text; `kind` is NULL if there is one. The texts belong to `made`.
 */
lg_error lg_text_error(const lg_text *made);

/**
 * Frees a text. NULL is fine.
 */
void lg_text_free(lg_text *made);

/**
 * True if a program may make a URI from others clickable: its scheme neither runs anything nor reads a local file.
 * False for `javascript:`, `data:`, `file:`, unknown schemes, and what is not UTF-8. O(len).
 */
bool lg_is_safe_to_click(const char *uri,
                         size_t len);

/**
 * Returns the version of the library: `0.1.0`. The text is static.
 */
const char *lg_version(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LINKGLOT_H */
