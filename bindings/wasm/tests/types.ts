// Checked by tsc, never run: the types as a user meets them.
import { explain, isSafeToClick, links, spans, toIri, toUri, type Link } from 'linkglot';
import * as beside from 'linkglot/beside';
import { find, parts, rewrite } from 'linkglot/document';
import LinkifyItDefault, { LinkifyIt, type Match } from 'linkglot/linkify-it';
import type { LinkifyIt as Original } from 'linkify-it';

const first: Link | undefined = links('a.org')[0];
const uri: string | null = first!.uri;
const kind: 'absolute' | 'domain' | 'email' = spans('a.org')[0]!.kind;
const mapped: string = toUri(toIri('a', { display: 'minimal' }), { base: 'http://a.org', host: 'unicode' });
const host: string | null = explain(mapped).components.host;
const safe: boolean = isSafeToClick(mapped) && isSafeToClick(uri);
const loaded: Promise<void> = beside.init({ links: fetch('links.wasm'), names: new Uint8Array(8) });
const element: string | null = find(new Uint8Array(), { also: ['code', 'comments'] })[0]!.place.element;
const content: Uint8Array = rewrite(new Uint8Array(), { to: 'uri', move: [['a.example', 'b.example']] }).content;
const matches: Match[] | null = new LinkifyIt({}, { fuzzyIP: true }).add('x:', 'http:').tlds('onion', true).match('a');
const same: LinkifyIt = new LinkifyItDefault();
// In place of linkify-it, as README.md says: markdown-it types `linkify` as this class, which has a private member.
declare const md: { readonly linkify: Original };
Object.assign(md, { linkify: new LinkifyIt() });
// @ts-expect-error: the private member
const typed: Original = new LinkifyIt();

// @ts-expect-error: no such option
find(new Uint8Array(), { nobody: true });
find(new Uint8Array(), { format: 'org', minEvidence: 'scheme', kind: ['email', 'attribute'], host: '*.example.org', unique: true });
// @ts-expect-error: an option of rewrite alone
find(new Uint8Array(), { slots: 'text' });
// @ts-expect-error: an option of find alone
parts(new Uint8Array(), { relative: true });
// @ts-expect-error: no such value
toUri('a', { host: 'nobody' });
// @ts-expect-error: bytes, not a text
rewrite('text');

export { uri, kind, host, safe, loaded, element, content, matches, same, typed };
