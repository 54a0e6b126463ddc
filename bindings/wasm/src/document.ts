/** Links of documents in any charset. The module is inlined, and large: import this file when it is needed. */

import { LinkglotError } from './api.js';
import { checkObject, wrong } from './arguments.js';
import { bytesOf } from './base64.js';
import documentBase64 from './inline/document.js';
import { encoded, Module } from './module.js';
import { table } from './tables.js';

export { LinkglotError } from './api.js';
export { loadTables } from './tables.js';

/** Options for reading documents: those of the command line (`linkglot help find`), in camel case. */
export interface ReadOptions {
  /** The name of the document: its ending helps to find the format. */
  path?: string;
  format?:
    | 'auto' | 'text' | 'html' | 'xml' | 'css' | 'markdown' | 'rst' | 'mail' | 'mbox' | 'ics' | 'vcf' | 'json' | 'jsonl' | 'sql' | 'csv' | 'js' | 'php' | 'python' | 'c' | 'toml' | 'yaml' | 'po'
    | 'properties' | 'tex' | 'rtf' | 'mediawiki' | 'asciidoc' | 'org' | 'textile';
  charset?: string;
  defaultCharset?: string;
  assumeCharset?: Record<string, string>;
  base?: string;
  maxSlot?: number;
  detect?: 'extended' | 'uts58' | 'scheme';
  flowed?: boolean;
  joinWrapped?: boolean;
  also?: string | string[];
  /** The rows of a vocabulary, not a file of them. */
  vocabulary?: string;
  identifiers?: boolean;
  nfc?: 'auto' | 'always' | 'never';
  queryCharset?: 'document' | 'utf-8' | 'utf8';
}

export type LeastEvidence = 'markup' | 'enclosed' | 'scheme' | 'www' | 'address' | 'path' | 'name';

/** Options for finding links: those of reading, and the filters of the command line. A link passes all filters. */
export interface FindOptions extends ReadOptions {
  /** Schemes, stated or implied. */
  scheme?: string | string[];
  /** `iri`, `domain`, `email`, and the places in rows (`attribute`, `text` ...). */
  kind?: string | string[];
  minEvidence?: LeastEvidence;
  /** Hosts that links lead to; `*.example.org` for subdomains. */
  host?: string | string[];
  /** True for links to other hosts than the base's. */
  external?: boolean;
  /** True for links to the base's host, and relative ones. */
  internal?: boolean;
  nonAscii?: boolean;
  /** Codes of warnings, of which a link has one; `any` for all codes. */
  warn?: string | string[];
  /** True for links with a scheme, stated or implied. */
  absolute?: boolean;
  /** True for links without a scheme. */
  relative?: boolean;
  /** True for each link once. */
  unique?: boolean;
}

/**
 * Rules, as an object `{FROM: TO}` or as an array of `"FROM TO"` or `[FROM, TO]`. Strings are lines of a file of rules: `#`
 * begins a comment there, but not in an object or a pair.
 */
export type Rules = Record<string, string> | (string | [string, string])[];

/** Options for rewriting: those of the command line (`linkglot help rewrite`), in camel case. */
export interface RewriteOptions extends ReadOptions {
  to?: 'uri' | 'iri' | 'same';
  host?: 'punycode' | 'unicode' | 'percent' | 'keep';
  display?: 'safe' | 'all';
  slots?: string | string[];
  minEvidence?: LeastEvidence;
  toCharset?: string;
  relativeTo?: string;
  absolute?: boolean;
  breakSignatures?: boolean;
  move?: Rules;
  moveMail?: boolean;
  moveSubdomains?: boolean;
  map?: Rules;
  /** The text of a file of rules. Paths alone (`/a`) are also those of the site of `base`. */
  mapFile?: string;
  mapResolved?: boolean;
  anyQueryOrder?: boolean;
  unwrap?: boolean;
  /** True lists mentions of moved hosts that are no links. */
  leftBehind?: boolean;
}

/** The properties that rows share, named as in `--json`. */
export interface DocumentRow {
  path: string;
  format: string;
  charset: string;
  charset_from: 'bom' | 'caller' | 'declaration' | 'detection' | 'default';
  charset_certain: boolean;
  message?: number;
  part?: string;
  media_type?: string;
}

export interface Place {
  kind: string;
  element: string | null;
  name: string | null;
  namespace?: string;
  name_namespace?: string;
  nesting?: string[];
}

interface PlacedRow extends DocumentRow {
  /** The first byte of the link, and one behind its last byte. */
  start: number;
  end: number;
  line: number | null;
  column: number | null;
  place: Place;
  evidence: string;
  notes: string[];
}

/** A link that was found. */
export interface LinkRow extends PlacedRow {
  type: 'link';
  raw: string;
  text: string;
  scheme: string | null;
  implied?: 'https' | 'mailto';
  uri: string | null;
  iri: string | null;
  resolved: string | null;
  /** The visible text of the `a` of HTML that the link belongs to, or the `alt` of the `area`. */
  label?: string;
}

/** A link that changed (`edit`), or that was left although it should have changed; then `new` is null. */
export interface EditRow extends PlacedRow {
  type: 'edit' | 'left';
  old: string;
  new: string | null;
}

/** A mention of a moved host that is no link. */
export interface LeftBehindRow {
  type: 'left-behind';
  path: string;
  line: number;
  column: number;
  host: string;
  where: string;
  why: string | null;
  text: string;
}

/** A document, or a part of mail, with its charset. */
export interface FileRow extends DocumentRow {
  type: 'file';
  malformed_at?: number;
}

/** A text, and its links: `start` and `end` count UTF-16 units of the text. */
export interface TextWithLinks {
  text: string;
  links: LinkRow[];
}

/** A part of a message, or a header field with links; of another document, the document itself. */
export interface PartRow extends DocumentRow, TextWithLinks {
  type: 'part';
  base: string | null;
  /** The text, without the transfer encoding. Of HTML, the source with its tags. */
  text: string;
  /** The part as a reader sees it: of HTML, the text without markup and hidden elements, with the `alt` of images. */
  displayed: TextWithLinks;
}

/** The result of `rewrite`. */
export interface Rewritten {
  /** The new document; the given bytes themselves if nothing changed. */
  content: Uint8Array;
  rows: (EditRow | LeftBehindRow)[];
  summary: { links: number; changed: number; left: number; charset: string; format: string; to_charset: string | null };
}

/** The file of tables that the module asked for. */
let asked: Uint8Array = new Uint8Array(0);

const document: Module = new Module(() => new WebAssembly.Module(bytesOf(documentBase64)), {
  tables: {
    length(at: number, length: number): number {
      asked = encoded(table(document.text(at, length)));
      return asked.length;
    },
    copy(at: number): void {
      document.put(at, asked);
      asked = new Uint8Array(0);
    },
  },
});

type Failed = { error: string; kind: string };

function ask<T extends object>(name: string, bytes: Uint8Array, options: object): T {
  if (!(bytes instanceof Uint8Array)) throw wrong(name, 'bytes', 'a Uint8Array', bytes);
  checkObject(name, 'options', options);
  // JSON has no other values: it would leave them out, or write null.
  const given = encoded(
    JSON.stringify(options, (key, value: unknown) => {
      const isNone = typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'function' || typeof value === 'symbol';
      if (isNone) throw wrong(name, `options.${key}`, 'a finite number, a string, a boolean, an array or an object', value);
      return value;
    }),
  );
  document.writeParts([bytes, given]);
  const answer = document.json<T | Failed>(document.call(name, bytes.length, given.length));
  if ('error' in answer) {
    if (answer.kind === 'type') throw new TypeError(`${name}: options.${answer.error}`);
    throw new LinkglotError(answer.error, answer.kind);
  }
  return answer;
}

/**
 * The links of a document: the rows of `linkglot find --json`. Throws a LinkglotError if the charset is not known, for
 * archives and compressed data (its `kind` is `container`), and for other binary files (`binary`).
 */
export function find(bytes: Uint8Array, options: FindOptions = {}): LinkRow[] {
  return ask<{ rows: LinkRow[] }>('find', bytes, options).rows;
}

/** The charset of a document, or of each part of mail that is text: the rows of `linkglot find --charsets --json`. */
export function charsets(bytes: Uint8Array, options: ReadOptions = {}): FileRow[] {
  return ask<{ rows: FileRow[] }>('charsets', bytes, options).rows;
}

/** The parts of a message that are text, and its header fields with links; else the document itself. Throws as `find` does. */
export function parts(bytes: Uint8Array, options: ReadOptions = {}): PartRow[] {
  return ask<{ rows: PartRow[] }>('parts', bytes, options).rows;
}

/**
 * Rewrites the links of a document in place. Outside of the links every byte stays the same. Throws as `find` does, and
 * if no option says what to change.
 */
export function rewrite(bytes: Uint8Array, options: RewriteOptions = {}): Rewritten {
  const { rows, length, summary } = ask<Omit<Rewritten, 'content'> & { length: number | null }>('rewrite', bytes, options);
  const content = length === null ? bytes : document.copy(document.call('content'), length);
  return { content, rows, summary };
}
