/** A drop-in for linkify-it: the same functions, on the scanner of linkglot. */

import { api, type Span } from './api.js';
import { linksModule } from './inlined-links.js';

const { spans } = api(linksModule, linksModule);

/** Options for links without a scheme. */
export interface LinkifyOptions {
  /** Links without a scheme; true if not given, as in linkify-it 5. */
  fuzzyLink?: boolean;
  /** Addresses without `mailto:`; true if not given. */
  fuzzyEmail?: boolean;
  /** IPv4 addresses without a scheme. */
  fuzzyIP?: boolean;
  /** True if `---` ends a link. */
  '---'?: boolean;
  /** Longest rest of a text that `testSchemaAt` reads. */
  maxLength?: number;
  /** The top-level domains that links without a scheme may have, in place of those that the scanner knows. */
  tlds?: string[];
}

/** A rule for a scheme or another prefix, such as `@`. */
export interface SchemaOpts {
  /** The length of the rest behind the prefix, 0 if it is no link; or an expression for the rest. */
  validate: RegExp | ((text: string, pos: number, self: LinkifyIt) => number | boolean);
  /** Changes `text` and `url` of a match. */
  normalize?: (match: Match, self: LinkifyIt) => void;
}

/** A rule, the name of another rule, or null to switch a rule off. */
export type Schema = SchemaOpts | string | null;

export class Match {
  /** The prefix with its colon, in lower case; empty for links without a scheme. */
  schema: string;
  index: number;
  lastIndex: number;
  raw: string;
  text: string;
  url: string;

  constructor(text: string, schema: string, index: number, lastIndex: number) {
    this.schema = schema.toLowerCase();
    this.index = index;
    this.lastIndex = lastIndex;
    this.raw = this.text = this.url = text.slice(index, lastIndex);
  }
}

interface Candidate {
  schema: string;
  index: number;
  lastIndex: number;
}

/** The rules that linkify-it begins with. */
const BUILT_IN = ['http:', 'https:', 'ftp:', 'mailto:', '//'];
/** A text without any of these has no link, unless a rule was added. */
const MARKS = /[.:@\u3002\uff0e\uff61]/;
/** More units than the end of a link depends on. */
const AHEAD = 64;
/** A character in front of a prefix that is part of a word. */
const WORD = /[\p{L}\p{N}_]$/u;
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?';
const IPV4 = '(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

function escaped(text: string): string {
  return text.replace(/[.?*+^$[\]\\(){}|/-]/g, '\\$&');
}

/** The top-level domain of a link without a scheme. */
function tldOf(link: string): string {
  const host = /^[^/?#:]*/.exec(link)![0].replace(/[.\u3002\uff0e\uff61]$/, '');
  return host.slice(Math.max(...['.', '\u3002', '\uff0e', '\uff61'].map((dot) => host.lastIndexOf(dot))) + 1).toLowerCase();
}

export class LinkifyIt {
  #options: Required<Omit<LinkifyOptions, 'tlds'>> = {
    fuzzyLink: true,
    fuzzyEmail: true,
    fuzzyIP: false,
    '---': false,
    maxLength: 10000,
  };
  #schemas = new Map<string, SchemaOpts | null>(BUILT_IN.map((name) => [name, null]));
  /** The only top-level domains, if they were set; and those that the scanner need not know. */
  #only: Set<string> | null = null;
  #more = new Set<string>();
  /** Finds prefixes of added rules, and links without a scheme that the scanner does not know or takes for files. */
  #prefixes: RegExp | null = null;
  #fuzzy: RegExp | null = null;

  constructor(schemas: Record<string, Schema> | LinkifyOptions = {}, options?: LinkifyOptions) {
    const names = ['fuzzyLink', 'fuzzyEmail', 'fuzzyIP', '---', 'maxLength', 'tlds', 'urlAuth', 'rebuilder'];
    const isOptions = options === undefined && Object.keys(schemas).every((name) => names.includes(name));
    if (isOptions) this.set(schemas as LinkifyOptions);
    else {
      this.set(options ?? {});
      for (const [name, schema] of Object.entries(schemas as Record<string, Schema>)) this.add(name, schema);
    }
  }

  /** Adds or replaces a rule for a prefix; null switches it off. */
  add(schema: string, definition: Schema = null): this {
    const name = schema.toLowerCase();
    if (definition === null) this.#schemas.delete(name);
    else if (typeof definition !== 'string') this.#schemas.set(name, definition);
    else if (this.#schemas.has(definition)) {
      const same = definition;
      const validate = (text: string, pos: number) => this.testSchemaAt(text, same, pos);
      this.#schemas.set(name, this.#schemas.get(same) ?? { validate });
    } else throw new Error(`(LinkifyIt) Invalid schema "${schema}": unknown "${definition}"`);
    return this.#compiled();
  }

  /** Sets options. */
  set(options: LinkifyOptions = {}): this {
    const { tlds, ...others } = options;
    this.#options = { ...this.#options, ...others };
    if (tlds) this.tlds(tlds);
    return this.#compiled();
  }

  /**
   * Replaces the top-level domains of links without a scheme, or adds to them. Names with an ending of the list are
   * links even where they are files far more often: `md` finds `guide.md`.
   */
  tlds(list: string | string[], keepOld = false): this {
    const names = (Array.isArray(list) ? list : [list]).map((name) => name.toLowerCase());
    if (!keepOld) {
      this.#only = new Set(names);
      this.#more.clear();
    } else for (const name of names) this.#only?.add(name);
    for (const name of names) this.#more.add(name);
    return this.#compiled();
  }

  #compiled(): this {
    const added = [...this.#schemas].filter(([name, own]) => own !== null || name === '//').map(([name]) => name);
    added.sort((a, b) => b.length - a.length);
    this.#prefixes = added.length ? new RegExp(added.map(escaped).join('|'), 'gi') : null;
    const hosts: string[] = [];
    if (this.#options.fuzzyIP) hosts.push(IPV4);
    // Which of the names are in the list is asked behind the search, whose time would grow with the list.
    if (this.#more.size) hosts.push(`(?:${LABEL}\\.)+(?<tld>${LABEL})`);
    this.#fuzzy = hosts.length ? new RegExp(`(?<![\\p{L}\\p{N}_.:/@-])(?:${hosts.join('|')})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'giu') : null;
    return this;
  }

  /** False if a text has no link for certain, and for what is no text. Cheap. */
  pretest(text: string): boolean {
    if (typeof text !== 'string') return false;
    return MARKS.test(text) || (this.#prefixes !== null && text.search(this.#prefixes) >= 0);
  }

  /** True if a text has a link. */
  test(text: string): boolean {
    return this.#candidates(text).length > 0;
  }

  /** The links of a text, or null. */
  match(text: string): Match[] | null {
    const found = this.#candidates(text).map((candidate) => this.#matched(text, candidate));
    return found.length ? found : null;
  }

  /** The link with a scheme at the beginning of a text, or null. */
  matchAtStart(text: string): Match | null {
    if (typeof text !== 'string') return null;
    const lower = text.slice(0, 64).toLowerCase();
    for (const schema of this.#schemas.keys()) {
      if (schema === '' || !lower.startsWith(schema)) continue;
      const length = this.testSchemaAt(text, schema, schema.length);
      if (length) return this.#matched(text, { schema, index: 0, lastIndex: schema.length + length });
    }
    return null;
  }

  /** The length of the rest of a link behind its prefix, which ends at `pos`; 0 if there is none. */
  testSchemaAt(text: string, schema: string, pos: number): number {
    const name = schema.toLowerCase();
    const own = this.#schemas.get(name);
    if (own === undefined) return 0;
    const rest = text.slice(pos, pos + this.#options.maxLength);
    if (own === null) return this.#restOf(name, rest, text[pos - 3] ?? '');
    if (own.validate instanceof RegExp) {
      const found = own.validate.exec(rest);
      return found?.index === 0 ? found[0].length : 0;
    }
    return Number(own.validate(text, pos, this));
  }

  /** The rest of a link of a built-in rule, as the scanner reads it; `before` is the character in front of `//`. */
  #restOf(name: string, rest: string, before: string): number {
    if (name === '//' && (before === ':' || before === '/')) return 0;
    const prefix = name === '//' ? 'https://' : name;
    const whole = prefix + rest;
    const first = spans(whole)[0];
    if (!first || first.start !== 0 || first.kind !== 'absolute') return 0;
    // A host without a dot is no host behind `//` alone.
    if (name === '//' && !/^(?:localhost(?![^:/?#])|[^/?#]*\.[^/?#.])/i.test(rest.slice(0, first.end - prefix.length))) return 0;
    return this.#ended(whole, 0, first.end) - prefix.length;
  }

  /** The end of a link, in front of `---` if that ends links. */
  #ended(text: string, start: number, end: number): number {
    const dash = this.#options['---'] ? text.slice(start, end).indexOf('---') : -1;
    return dash > 0 ? start + dash : end;
  }

  #candidates(text: string): Candidate[] {
    if (!this.pretest(text)) return [];
    const found: Candidate[] = [];
    for (const span of spans(text)) {
      const schema = this.#schemaOf(text, span);
      if (schema !== null) found.push({ schema, index: span.start, lastIndex: this.#ended(text, span.start, span.end) });
    }
    if (!this.#prefixes && !this.#fuzzy) return found;
    const more = [...this.#added(text), ...this.#unknown(text, found)];
    if (more.length === 0) return found;
    found.push(...more);
    found.sort((a, b) => a.index - b.index || b.lastIndex - a.lastIndex);
    let end = 0;
    return found.filter(({ index, lastIndex }) => {
      if (index < end) return false;
      end = lastIndex;
      return true;
    });
  }

  /** The prefix of a link of the scanner; null if it is not wanted. */
  #schemaOf(text: string, { start, end, kind }: Span): string | null {
    if (kind === 'email') return this.#options.fuzzyEmail && this.#schemas.has('mailto:') ? 'mailto:' : null;
    const link = text.slice(start, end);
    if (kind === 'domain') {
      const isWanted = this.#options.fuzzyLink && this.#schemas.has('http:') && (!this.#only || this.#only.has(tldOf(link)));
      return isWanted ? '' : null;
    }
    const name = link.slice(0, link.indexOf(':') + 1).toLowerCase();
    // A rule of the caller judges its links itself.
    return this.#schemas.get(name) === null ? name : null;
  }

  /** Links of added rules. */
  *#added(text: string): Iterable<Candidate> {
    if (!this.#prefixes) return;
    for (const { 0: schema, index } of text.matchAll(this.#prefixes)) {
      if (WORD.test(text.slice(Math.max(index - 2, 0), index))) continue;
      const end = index + schema.length;
      const length = this.testSchemaAt(text, schema, end);
      if (length) yield { schema: schema.toLowerCase(), index, lastIndex: end + length };
    }
  }

  /** Links without a scheme to hosts that the scanner does not know or takes for files, apart from those that it found. */
  *#unknown(text: string, found: readonly Candidate[]): Iterable<Candidate> {
    if (!this.#fuzzy || !this.#options.fuzzyLink || !this.#schemas.has('http:')) return;
    let next = 0;
    for (const { 0: host, index, groups } of text.matchAll(this.#fuzzy)) {
      const tld = groups?.tld;
      if (tld !== undefined && !this.#more.has(tld.toLowerCase())) continue;
      while (next < found.length && found[next]!.lastIndex <= index) next += 1;
      if (next < found.length && found[next]!.index <= index) continue;
      const rest = this.#restBehind(text, index, host.length);
      if (rest >= host.length + 2) yield { schema: '', index, lastIndex: index + rest - 2 };
    }
  }

  /** The length of a link without a scheme that begins with a host, behind `//`. Most are short, and so is what is read for them. */
  #restBehind(text: string, index: number, host: number): number {
    const most = Math.max(this.#options.maxLength, host);
    for (let room = host + 2 * AHEAD; ; room *= 8) {
      const whole = room >= most || index + room >= text.length;
      // No link goes on behind white space.
      const piece = /^\S*/.exec(text.slice(index, index + Math.min(room, most)))![0];
      const rest = this.#restOf('http:', `//${piece}`, '');
      if (whole || piece.length < room || rest + AHEAD <= room) return rest;
    }
  }

  #matched(text: string, { schema, index, lastIndex }: Candidate): Match {
    const match = new Match(text, schema, index, lastIndex);
    // Line breaks inside of a link in angle brackets are not part of it.
    match.url = match.url.replace(/\s+/g, '');
    const own = this.#schemas.get(match.schema);
    if (own?.normalize) own.normalize(match, this);
    else this.normalize(match);
    return match;
  }

  /** Sets the URL of a match whose rule does not do that. */
  normalize(match: Match): void {
    if (!match.schema) match.url = `http://${match.url}`;
    if (match.schema === 'mailto:' && !/^mailto:/i.test(match.url)) match.url = `mailto:${match.url}`;
  }
}

/** A linkifier, without `new`. */
export function linkifyit(schemas?: Record<string, Schema> | LinkifyOptions, options?: LinkifyOptions): LinkifyIt {
  return new LinkifyIt(schemas, options);
}

export default LinkifyIt;
