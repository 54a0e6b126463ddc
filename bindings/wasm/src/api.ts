/** The functions for strings, on modules that are inlined or loaded. */

import { checkObject, checkText, wrong } from './arguments.js';
import { LinkglotError } from './error.js';
import { encoded, Module } from './module.js';

export { LinkglotError } from './error.js';

/** How a link is written: with a scheme, as a domain (`https` is implied), or as an address (`mailto` is implied). */
export type Kind = 'absolute' | 'domain' | 'email';

/** How sure it is that a text is a link, from unsure to sure. */
export type Evidence = 'name' | 'path' | 'address' | 'www' | 'scheme' | 'enclosed';

/** The place of a link in a string, in UTF-16 units: `string.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
  kind: Kind;
  evidence: Evidence;
}

/** A link in a string. */
export interface Link extends Span {
  /** The link as written, without line breaks inside of it. */
  text: string;
  /** The scheme in lower case, stated or implied. */
  scheme: string;
  /** The URI to follow (RFC 3987 3.1); null if there is none. Ask `isSafeToClick` first. */
  uri: string | null;
  /** The IRI to show (RFC 3987 3.2). */
  iri: string;
}

export interface UriOptions {
  /** An absolute IRI against which references are resolved first. */
  base?: string;
  /** The form of the host; `punycode` is the default. */
  host?: 'punycode' | 'unicode' | 'percent' | 'keep';
}

export interface IriOptions {
  /** An absolute IRI against which references are resolved first. */
  base?: string;
  /** What is decoded: nothing that could deceive a reader (the default), that only in the host, or everything. */
  display?: 'safe' | 'minimal' | 'all';
}

/** A feature of an identifier that could deceive a reader. */
export interface Warning {
  code: string;
  message: string;
  detail: string;
  start: number;
  end: number;
}

/** What is to know of an identifier. */
export interface Explanation {
  input: string;
  /** True if it is an IRI reference (RFC 3987 2.2). */
  valid: boolean;
  error: { message: string; at: number } | null;
  components: Record<'scheme' | 'userinfo' | 'host' | 'port' | 'path' | 'query' | 'fragment', string | null>;
  uri: string | null;
  iri: string;
  /** The spelling that equivalent identifiers share. */
  normal: string;
  /** The characters of the IRI in the order of their display from left to right. */
  displayed: string;
  warnings: Warning[];
  notes: string[];
}

const KINDS: readonly Kind[] = ['absolute', 'domain', 'email'];
const EVIDENCE: readonly Evidence[] = ['name', 'path', 'address', 'www', 'scheme', 'enclosed'];
const HOSTS = ['punycode', 'unicode', 'percent', 'keep'] as const;
const DISPLAYS = ['safe', 'minimal', 'all'] as const;

const ROW = 16;
const PLAIN = 1 << 5;
const SPACED = 1 << 6;

/** The scheme of a link that has one. Most are `http` or `https`. */
function schemeOf(text: string): string {
  if (text.startsWith('https:')) return 'https';
  if (text.startsWith('http:')) return 'http';
  return text.slice(0, Math.max(text.indexOf(':'), 0)).toLowerCase();
}

/** True if browsers take a URI for a URL. */
function isUrl(uri: string): boolean {
  try {
    return Boolean(new URL(uri));
  } catch {
    return false;
  }
}

function place<T extends string>(called: string, option: string, names: readonly T[], name: T | undefined): number {
  if (name === undefined) return 0;
  checkText(called, `options.${option}`, name);
  const at = names.indexOf(name);
  if (at < 0) throw new LinkglotError(`${option}: expected one of ${names.join(', ')}, found ${name}`, 'option');
  return at;
}

/** Throws a TypeError unless options are `base` and another one. */
function checkOptions(called: string, options: UriOptions | IriOptions, other: string): void {
  checkObject(called, 'options', options);
  const unknown = Object.keys(options).find((name) => name !== 'base' && name !== other);
  if (unknown !== undefined) throw wrong(called, 'options', `base or ${other}`, unknown);
  if (options.base !== undefined) checkText(called, 'options.base', options.base);
}

/** The functions of the package `linkglot`. They throw a TypeError for arguments of wrong types. */
export interface Api {
  /** The links of a string, in order, disjoint. Linear in its length. */
  links(text: string): Link[];
  /** The places of the links of a string: as `links`, without the forms of the links. Does not need `names.wasm`. */
  spans(text: string): Span[];
  /** The URI of an IRI or a reference (RFC 3987 3.1). Throws a LinkglotError if it has none. */
  toUri(iri: string, options?: UriOptions): string;
  /** The IRI of a URI or a reference, for display (RFC 3987 3.2). */
  toIri(uri: string, options?: IriOptions): string;
  /** The components, forms and warnings of an identifier. */
  explain(iri: string): Explanation;
  /**
   * True if a program may make a URI from others clickable: its scheme neither runs anything nor reads a local file.
   * False for null, the `uri` of a link that has none.
   */
  isSafeToClick(uri: string | null): boolean;
}

export function api(linksModule: Module, names: Module): Api {
  function each<T>(name: string, text: string, made: (text: string, start: number, end: number, flags: number, whole: string | null) => T): T[] {
    checkText(name, 'text', text);
    const count = text.length === 0 ? 0 : linksModule.call('find', linksModule.write(text), text.length);
    if (count === 0) return [];
    const found: T[] = [];
    const { view, at } = linksModule.rows();
    let spaced = at + count * ROW;
    for (let row = at; row < at + count * ROW; row += ROW) {
      const flags = view.getUint32(row + 8, true);
      let whole: string | null = null;
      if (flags & SPACED) {
        const length = view.getUint32(row + 12, true);
        whole = linksModule.text(spaced, length);
        spaced += length;
      }
      found.push(made(text, view.getUint32(row, true), view.getUint32(row + 4, true), flags, whole));
    }
    return found;
  }

  function span(_text: string, start: number, end: number, flags: number): Span {
    return { start, end, kind: KINDS[flags & 3]!, evidence: EVIDENCE[(flags >> 2) & 7]! };
  }

  function link(text: string, start: number, end: number, flags: number, whole: string | null): Link {
    const kind = flags & 3;
    const written = whole ?? text.slice(start, end);
    const absolute = kind === 0 ? written : kind === 1 ? `https://${written}` : `mailto:${written}`;
    let uri: string | null;
    let iri: string;
    if (flags & PLAIN) {
      iri = uri = absolute;
    } else {
      [uri, iri] = names.json<[string | null, string]>(names.call('forms', names.write(written), kind));
      // A link that is a URI as it is written stays one.
      if (uri !== null && uri !== absolute && !isUrl(uri)) uri = null;
    }
    const scheme = kind === 0 ? schemeOf(written) : kind === 1 ? 'https' : 'mailto';
    const evidence = EVIDENCE[(flags >> 2) & 7]!;
    return { start, end, text: written, kind: KINDS[kind]!, evidence, scheme, uri, iri };
  }

  function mapped(name: string, text: string, base: string | undefined, choice: number): string {
    if (base === '') throw new LinkglotError('expected an absolute IRI as the base, found an empty string', 'base');
    const parts = [encoded(text), encoded(base ?? '')];
    names.writeParts(parts);
    const length = names.call(name, parts[0]!.length, parts[1]!.length, choice);
    const result = names.json<{ text: string } | { error: string; kind: string; at: number | null }>(length);
    if ('text' in result) return result.text;
    throw new LinkglotError(result.error, result.kind, result.at);
  }

  return {
    links: (text) => each('links', text, link),
    spans: (text) => each('spans', text, span),
    toUri(iri, options = {}) {
      checkText('toUri', 'iri', iri);
      checkOptions('toUri', options, 'host');
      return mapped('to_uri', iri, options.base, place('toUri', 'host', HOSTS, options.host));
    },
    toIri(uri, options = {}) {
      checkText('toIri', 'uri', uri);
      checkOptions('toIri', options, 'display');
      return mapped('to_iri', uri, options.base, place('toIri', 'display', DISPLAYS, options.display));
    },
    explain(iri) {
      checkText('explain', 'iri', iri);
      return names.json(names.call('explain', names.write(iri)));
    },
    isSafeToClick(uri) {
      if (uri === null) return false;
      checkText('isSafeToClick', 'uri', uri);
      return names.call('is_safe_to_click', names.write(uri)) !== 0;
    },
  };
}
