// The functions for strings and documents, as ES modules, as CommonJS, and beside the program.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as inlined from '../dist/esm/index.js';
import * as beside from '../dist/esm/beside.js';
import * as documents from '../dist/esm/document-whole.js';

const require = createRequire(import.meta.url);
const { links, spans, toUri, toIri, explain, isSafeToClick, LinkglotError } = inlined;
const wasm = (name) => readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url));

test('links', () => {
  const text = 'See 😀 résumé.com/é, or <http://a.example/\nb> or Info@example.org.';
  const found = links(text);
  assert.deepEqual(found, [
    { start: 7, end: 19, text: 'résumé.com/é', kind: 'domain', evidence: 'path', scheme: 'https',
      uri: 'https://xn--rsum-bpad.com/%C3%A9', iri: 'https://résumé.com/é' },
    { start: 25, end: 44, text: 'http://a.example/b', kind: 'absolute', evidence: 'enclosed', scheme: 'http',
      uri: 'http://a.example/b', iri: 'http://a.example/b' },
    { start: 49, end: 65, text: 'Info@example.org', kind: 'email', evidence: 'address', scheme: 'mailto',
      uri: 'mailto:Info@example.org', iri: 'mailto:Info@example.org' },
  ]);
  assert.equal(text.slice(found[0].start, found[0].end), found[0].text);
  assert.deepEqual(links(''), []);
  assert.equal(links('http://é_.example/')[0].uri, null);
  // No URL, or another one.
  for (const other of ['http://résumé.de127.0.0.1', 'http://a.example/\\[é]']) assert.equal(links(other)[0].uri, null, other);
  assert.equal(links('http://a.example/?\\[é]')[0].uri, 'http://a.example/?%5C[%C3%A9]');
  assert.equal(links('HTTP://a.org')[0].scheme, 'http');
});

test('capitals of native domains', () => {
  const texts = ['ПРИМЕР.РФ', 'foo.ᲒᲔ', 'http://a.example/Ö', 'bar.Орг'];
  assert.deepEqual(links(`${texts.join(' ')} a.ΟΔΟΣ a.İO`).map((link) => link.text), texts);
});

// The module is downloaded by every visitor. Compilers differ by some percent.
test('the module for strings stays small', () => {
  assert.ok(gzipSync(wasm('links'), { level: 9 }).length < 88_000);
});

test('spans', () => {
  assert.deepEqual(spans('see a.org!'), [{ start: 4, end: 9, kind: 'domain', evidence: 'name' }]);
});

test('texts of any length, with lone surrogates', () => {
  for (const filling of ['x ', 'é ', '語 ', '😀 ', '\ud800 ', '\0 ']) {
    for (const length of [1, 90, 191, 192, 193, 5000, 700_000]) {
      const text = `${filling.repeat(length)}http://a.org/b c`;
      const [{ start, end }] = spans(text);
      assert.equal(text.slice(start, end), 'http://a.org/b', `${length} times ${JSON.stringify(filling)}`);
    }
  }
});

test('toUri, toIri', () => {
  assert.equal(toUri('http://résumé.example/é?q=é'), 'http://xn--rsum-bpad.example/%C3%A9?q=%C3%A9');
  assert.equal(toUri('../é', { base: 'http://example.org/a/b' }), 'http://example.org/%C3%A9');
  assert.equal(toUri('http://é.example', { host: 'percent' }), 'http://%C3%A9.example');
  assert.equal(toIri('http://xn--rsum-bpad.example/%C3%A9'), 'http://résumé.example/é');
  assert.equal(toIri('http://xn--80ak6aa92e.com/'), 'http://xn--80ak6aa92e.com/');
  assert.equal(toIri('http://xn--80ak6aa92e.com/', { display: 'all' }), 'http://аррӏе.com/');
  const fault = (kind, at) => (error) => error instanceof LinkglotError && error.kind === kind && error.at === at;
  assert.throws(() => toUri('http://😀@é_.example/'), fault('toascii', 10));
  assert.throws(() => toUri('a', { base: 'b' }), fault('base', null));
  assert.throws(() => toUri('a', { host: 'nobody' }), fault('option', null));
});

test('explain', () => {
  const { valid, components, warnings, displayed } = explain('http://раураl.example/é');
  assert.deepEqual([valid, components.host, components.query], [true, 'раураl.example', null]);
  assert.deepEqual(warnings.map(({ code, start, end }) => [code, start, end]), [['mixed-script-host', 7, 21], ['confusable-host', 7, 21]]);
  assert.equal(displayed, 'http://раураl.example/é');
  assert.equal(explain('http://a b"\\').error.at, 8);
});

test('isSafeToClick', () => {
  assert.ok(isSafeToClick('https://a.org') && isSafeToClick('MAILTO:a@b.org'));
  assert.ok(!isSafeToClick('java\nscript:alert(1)') && !isSafeToClick('data:x') && !isSafeToClick('x-unknown:1'));
  // A cut emoji has no URI.
  const cut = links('cut http://a.example/\ud83d');
  assert.deepEqual(cut.map(({ uri }) => [uri, isSafeToClick(uri)]), [[null, false]]);
});

test('arguments of wrong types', () => {
  const found = [
    [undefined, 'undefined'], [5, '5'], [[], 'an array'], [() => 1, 'a function'], [new Uint8Array(1), 'an object of type Uint8Array'],
    [{}, 'an object'], [5n, '5'], [Symbol('a'), 'Symbol(a)'],
  ];
  const functions = { links: 'text', spans: 'text', toUri: 'iri', toIri: 'uri', explain: 'iri', isSafeToClick: 'uri' };
  for (const [name, argument] of Object.entries(functions)) {
    for (const [value, shown] of name === 'isSafeToClick' ? found : [...found, [null, 'null']]) {
      const error = { name: 'TypeError', message: `${name}: ${argument}: expected a string, found ${shown}` };
      assert.throws(() => inlined[name](value), error);
    }
  }
  for (const [name, other] of [['toUri', 'host'], ['toIri', 'display']]) {
    const fault = (options, message) => assert.throws(() => inlined[name]('a', options), { name: 'TypeError', message: `${name}: ${message}` });
    fault({ bogus: 1 }, `options: expected base or ${other}, found "bogus"`);
    fault(5, 'options: expected an object, found 5');
    fault('http://a.example/', 'options: expected an object, found "http://a.example/"');
    fault('x'.repeat(99), `options: expected an object, found "${'x'.repeat(40)}…"`);
    fault(null, 'options: expected an object, found null');
    fault(['a'], 'options: expected an object, found an array');
    fault({ base: 5 }, 'options.base: expected a string, found 5');
    fault({ [other]: 5 }, `options.${other}: expected a string, found 5`);
    assert.equal(inlined[name]('a', { base: undefined, [other]: undefined }), 'a');
    assert.throws(() => inlined[name]('a', { base: '' }), { name: 'LinkglotError', kind: 'base' });
  }
  for (const name of ['find', 'charsets', 'parts', 'rewrite']) {
    const fault = (given, message) => assert.throws(() => documents[name](...given), { name: 'TypeError', message: `${name}: ${message}` });
    fault(['text'], 'bytes: expected a Uint8Array, found "text"');
    fault([new ArrayBuffer(1)], 'bytes: expected a Uint8Array, found an object of type ArrayBuffer');
    fault([new Uint8Array(1), 'text'], 'options: expected an object, found "text"');
    fault([new Uint8Array(1), null], 'options: expected an object, found null');
  }
});

test('plain links have the forms that the tables of names give', () => {
  const prefixes = { absolute: '', domain: 'https://', email: 'mailto:' };
  const text = "a.org/b?c#d http://a_b.org/ A@B-c.Org http://[::1]/ HTTP://WWW.A.org:80/~x/../$&'()*+,;=! a.org:8080 tel:+1-555";
  const found = links(text);
  assert.equal(found.length, 7);
  for (const { kind, text: link, uri, iri } of found) {
    assert.equal(uri, toUri(prefixes[kind] + link));
    assert.equal(iri, toIri(prefixes[kind] + link));
  }
});

test('CommonJS', () => {
  assert.equal(require('../dist/cjs/index.js').links('a.org')[0].uri, 'https://a.org');
  assert.equal(new (require('../dist/cjs/linkify-it.js').LinkifyIt)().match('a.org')[0].url, 'http://a.org');
  assert.equal(require('../dist/cjs/document-whole.js').find(Buffer.from('<a href=b>'))[0].text, 'b');
});

test('beside the program', async () => {
  assert.throws(() => beside.spans('a.org'), { kind: 'not-loaded' });
  const absent = new Response('no such file', { status: 404, statusText: 'Not Found' });
  await assert.rejects(beside.init({ links: absent }), { name: 'LinkglotError', kind: 'not-loaded', message: /the status 404 Not Found/ });
  await assert.rejects(beside.init({ link: wasm('links') }), { name: 'TypeError', message: 'init: sources: expected links or names, found "link"' });
  await assert.rejects(beside.init(), { name: 'TypeError', message: 'init: sources: expected an object, found undefined' });
  await assert.rejects(beside.init({ links: 'links.wasm' }), { name: 'TypeError', message: /^init: sources.links: expected a module, bytes or a Response/ });
  await beside.init({ links: wasm('links') });
  assert.equal(beside.spans('a.org')[0].end, 5);
  assert.equal(beside.links('a.org')[0].uri, 'https://a.org');
  assert.throws(() => beside.links('é.org'), { kind: 'not-loaded' });
  await beside.init({ names: new Response(wasm('names')) });
  assert.equal(beside.links('é.org')[0].uri, 'https://xn--9ca.org');
});

test('documents', () => {
  const page = new Uint8Array([...Buffer.from("<meta charset=koi8-r><base href=http://shop.example/><a href='/")
    , 0xd0, 0xcf, ...Buffer.from("'>")]);
  const row = documents.find(page).at(-1);
  assert.deepEqual([row.text, row.uri, row.resolved, row.charset, row.place.element], ['/по', '/%D0%BF%D0%BE', 'http://shop.example/%D0%BF%D0%BE', 'KOI8-R', 'a']);
  const [labelled] = documents.find(new TextEncoder().encode('<a href=http://a.example/><b>www.bank</b>.example</a>'));
  assert.deepEqual([labelled.label, labelled.notes], ['www.bank.example', ['text-names-other-host']]);
  assert.equal(documents.charsets(page)[0].charset_from, 'declaration');
  const { content, rows, summary } = documents.rewrite(page, { to: 'uri' });
  assert.ok(Buffer.from(content).toString('latin1').endsWith("<a href='/%D0%BF%D0%BE'>"));
  assert.deepEqual([rows.map((r) => r.type), summary.changed], [['edit'], 1]);
  assert.equal(documents.rewrite(page, { to: 'same' }).content, page);
});

test('parts of documents', () => {
  const mail = [
    'MIME-Version: 1.0', 'List-Archive: <http://list.example/>', 'Content-Type: text/html; charset=koi8-r',
    'Content-Transfer-Encoding: quoted-printable', '', "<title>no</title><p>=C1&#x1F600; <a href=3D'/=C2'>=C2&amp;<b>b</b></a> www.a.example", '',
  ].join('\n');
  const [header, page] = documents.parts(new TextEncoder().encode(mail));
  assert.deepEqual([header.part, header.text, header.displayed.text], ['/list-archive', ' <http://list.example/>', ' <http://list.example/>']);
  assert.deepEqual([page.type, page.part, page.media_type, page.format, page.charset, page.base], ['part', '1', 'text/html', 'html', 'KOI8-R', null]);
  assert.deepEqual(page.links.map(({ start, end }) => page.text.slice(start, end)), ['/б', 'www.a.example']);
  const { text, links } = page.displayed;
  assert.equal(text, 'а😀 б&b www.a.example');
  assert.deepEqual(links.map(({ start, end, text: link }) => [text.slice(start, end), link]), [['б&b', '/б'], ['www.a.example', 'www.a.example']]);
  assert.throws(() => documents.parts(new TextEncoder().encode('<meta charset=x-foo>')), { kind: 'unknown-charset' });
});

test('options of documents', () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const text = (options, given) => Buffer.from(documents.rewrite(bytes(given), options).content).toString();
  assert.equal(text({ map: { 'http://old.example/': 'https://new.example/' } }, 'http://old.example/a'), 'https://new.example/a');
  assert.equal(text({ move: [['old.example', 'https://new.example']] }, 'http://www.old.example/a'), 'https://new.example/a');
  assert.equal(text({ mapFile: 'http://a.example/ http://b.example/\n' }, 'http://a.example/x'), 'http://b.example/x');
  assert.equal(documents.find(bytes('<!-- http://a.org/ -->'), { format: 'html', also: 'comments' }).length, 1);
  const fault = (kind) => (error) => error instanceof documents.LinkglotError && error.kind === kind;
  assert.throws(() => documents.find(bytes(''), { nobody: 1 }), fault('option'));
  assert.throws(() => documents.find(bytes(''), { format: 'nobody' }), fault('option'));
  for (const [option, value, expected] of [
    ['flowed', 1, 'a boolean, found 1'], ['charset', 5, 'a string, found 5'], ['also', 5, 'a string or an array of strings, found 5'],
    ['maxSlot', '1', 'a number of bytes, found "1"'], ['maxSlot', NaN, 'a finite number, a string, a boolean, an array or an object, found NaN'],
    ['maxSlot', Infinity, 'a finite number, a string, a boolean, an array or an object, found Infinity'],
    ['path', () => 1, 'a finite number, a string, a boolean, an array or an object, found a function'],
    ['map', 5, 'an object {FROM: TO} or an array of "FROM TO", found 5'], ['assumeCharset', 5, 'an object of labels and charsets, found 5'],
  ]) {
    for (const name of option === 'map' ? ['rewrite'] : ['find', 'rewrite']) {
      const error = { name: 'TypeError', message: `${name}: options.${option}: expected ${expected}` };
      assert.throws(() => documents[name](bytes(''), { [option]: value }), error);
    }
  }
  assert.throws(() => documents.find(bytes(''), { maxSlot: -1 }), fault('option'));
  assert.throws(() => documents.find(bytes('<meta charset=x-foo>a')), fault('unknown-charset'));
});

test('an option works or is refused', () => {
  const page = new TextEncoder().encode('<a href=http://a.example/>a</a> www.b.example <a href=/c>');
  const texts = (options) => documents.find(page, { format: 'html', ...options }).map((row) => row.text);
  assert.deepEqual(texts({}), ['http://a.example/', 'www.b.example', '/c']);
  assert.deepEqual(texts({ minEvidence: 'markup' }), ['http://a.example/', '/c']);
  assert.deepEqual(texts({ relative: true }), ['/c']);
  assert.deepEqual(texts({ host: ['WWW.b.example'] }), ['www.b.example']);
  assert.deepEqual(texts({ minEvidence: null, scheme: undefined }), texts({}));
  const fault = (name, options, message) => assert.throws(() => documents[name](page, options), { name: 'LinkglotError', kind: 'option', message });
  const filters = { scheme: 'http', kind: 'text', minEvidence: 'www', host: 'a.org', external: true, internal: true, nonAscii: true, warn: 'any', relative: true, unique: true };
  for (const [name, value] of Object.entries(filters)) for (const ask of ['charsets', 'parts']) fault(ask, { [name]: value }, `${name}: unknown option`);
  for (const name of ['scheme', 'kind', 'warn', 'external', 'internal', 'nonAscii', 'relative', 'unique']) fault('rewrite', { to: 'uri', [name]: filters[name] }, `${name}: unknown option`);
  const changes = { to: 'uri', display: 'all', slots: 'text', toCharset: 'utf-8', relativeTo: 'http://a.example/', move: {}, map: {}, mapFile: '', unwrap: true, leftBehind: true };
  for (const [name, value] of Object.entries(changes)) for (const ask of ['find', 'charsets', 'parts']) fault(ask, { [name]: value }, `${name}: unknown option`);
  fault('find', { external: true, internal: true }, 'internal: expected no `external` beside it');
  fault('find', { absolute: true, relative: true }, 'relative: expected no `absolute` beside it');
  fault('find', { scheme: 'http', relative: true }, /^relative: expected no `scheme` beside it/);
  fault('find', { scheme: '1' }, 'scheme: expected a scheme such as `http`, found `1`');
  fault('find', { kind: 'nobody' }, /^kind: expected some of text, .*, iri, domain, email, found "nobody"$/);
  fault('find', { warn: 'nobody' }, /^warn: expected some of .*, any, found "nobody"$/);
  fault('find', { host: 'a b' }, /^host: expected a host/);
  assert.throws(() => documents.find(page, { unique: 1 }), { name: 'TypeError', message: 'find: options.unique: expected a boolean, found 1' });
});

test('rules of documents', () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const text = (options, given) => Buffer.from(documents.rewrite(bytes(given), { format: 'html', ...options }).content).toString();
  const page = "<a href='http://a.example/x'><a href='#'>";
  // Paths of a file of rules are those of the base.
  const mapFile = 'Redirect 301 /x https://n.example/y';
  assert.equal(text({ mapFile, base: 'http://a.example/' }, page), "<a href='https://n.example/y'><a href='#'>");
  assert.equal(text({ mapFile }, page), page);
  // Lines are those of a file; halves are taken as they are.
  const moved = "<a href='http://b.example/x'><a href='#'>";
  assert.equal(text({ map: ['# moved', '', '#a #b', 'http://a.example/ http://b.example/ # in 2020'] }, page), moved);
  assert.equal(text({ move: ['# moved', ' a.example  b.example\n'] }, page), moved);
  for (const map of [{ '#': '#top' }, [['#', '#top']]]) assert.equal(text({ map }, page), "<a href='http://a.example/x'><a href='#top'>");
  const fault = (options, message) => assert.throws(() => text(options, page), { name: 'LinkglotError', kind: 'option', message });
  fault({ map: { '/a': '' } }, 'map: expected FROM and TO, but found an empty TO in the rule from `/a` to ``');
  fault({ map: [['/a b', '/c']] }, 'map: expected a FROM without white space, but found `/a b`');
  fault({ map: ['/a'] }, /^map: expected `FROM TO`, but found only `\/a`/);
  fault({ move: ['a.example'] }, 'move: expected `OLD NEW`, found `a.example`');
  fault({ map: { '/a/': '/b' } }, /^map: `\/a\/ \/b` would glue/);
  fault({ map: ['/c /d'], mapFile: '# moved\n/a/ /b\n' }, /^mapFile: line 2: `\/a\/ \/b` would glue/);
  fault({ map: ['/c /d'], moveMail: true }, 'moveMail: expected `move` beside it');
  fault({ map: ['/c /d'], moveSubdomains: true, move: [] }, 'moveSubdomains: expected `move` beside it');
  fault({ relativeTo: 'http://a.example/', absolute: true }, /^relativeTo: expected no `absolute` beside it/);
  assert.equal(text({ relativeTo: 'http://a.example/', absolute: false, base: 'http://a.example/' }, page), "<a href='x'><a href='#'>");
});

test('the formats in the types are those of the module', () => {
  const source = readFileSync(new URL('../src/document.ts', import.meta.url), 'utf8');
  const typed = [.../ format\?:([^;]*);/.exec(source)[1].matchAll(/'(\w+)'/g)].map((found) => found[1]);
  const known = (error) => {
    assert.equal(error.message, `format: expected one of ${typed.join(', ')}, found "nobody"`);
    return true;
  };
  assert.throws(() => documents.find(new Uint8Array(1), { format: 'nobody' }), known);
});

test('a rewrite needs something to do', () => {
  const bytes = new TextEncoder().encode('http://a.example/é');
  const message = 'expected what to change: one of to, move, map, mapFile, toCharset, unwrap, relativeTo, absolute';
  const error = { name: 'LinkglotError', kind: 'option', message };
  for (const options of [undefined, {}, { charset: 'utf-8', nfc: 'never' }, { to: undefined }, { unwrap: false, absolute: false }]) {
    assert.throws(() => documents.rewrite(bytes, options), error);
  }
  for (const options of [
    { to: 'same' }, { move: {} }, { map: [] }, { mapFile: '' }, { toCharset: 'utf-8' }, { unwrap: true }, { relativeTo: 'http://b.example/' }, { absolute: true },
  ]) {
    assert.equal(documents.rewrite(bytes, options).summary.links, 1, JSON.stringify(options));
  }
});

test('declarations hold types, and no module', () => {
  const dist = new URL('../dist/', import.meta.url);
  const declarations = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'));
  assert.ok(declarations.length > 20);
  assert.deepEqual(declarations.filter((name) => statSync(new URL(name, dist)).size > 10_000), []);
});
