// linkglot/linkify-it in place of linkify-it: the functions, the cases of linkify-it, and markdown-it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LinkifyIt as Original } from 'linkify-it';
import MarkdownIt from 'markdown-it';
import { LinkifyIt, linkifyit } from '../dist/esm/linkify-it.js';
import { firstLink, linkifyCases, markdownCases, rendered } from './suites.mjs';

const named = JSON.parse(readFileSync(new URL('differences.json', import.meta.url), 'utf8'));
const folders = { 'linkify-it': process.env.LINKGLOT_LINKIFY_IT, 'markdown-it': process.env.LINKGLOT_MARKDOWN_IT };
const absent = (name) => (folders[name] ? false : `the cases of ${name} are absent`);

test('match', () => {
  const it = new LinkifyIt();
  assert.deepEqual({ ...it.match('see example.org/é!')[0] }, {
    schema: '', index: 4, lastIndex: 17, raw: 'example.org/é', text: 'example.org/é', url: 'http://example.org/é',
  });
  const urls = (text) => (it.match(text) ?? []).map(({ schema, url }) => [schema, url]);
  assert.deepEqual(urls('HTTP://a.org //b.org/c d@e.org mailto:f@g.org'), [
    ['http:', 'HTTP://a.org'], ['//', '//b.org/c'], ['mailto:', 'mailto:d@e.org'], ['mailto:', 'mailto:f@g.org'],
  ]);
  assert.equal(it.match('nothing here. Really'), null);
  assert.equal(it.match(''), null);
  assert.deepEqual(urls('tel:+15550100 javascript://x.org'), []);
});

test('test, pretest', () => {
  const it = linkifyit();
  assert.ok(it.pretest('a.b') && it.test('see a.org') && !it.test('see a.b') && !it.pretest('nothing') && !it.test(''));
});

test('matchAtStart, testSchemaAt', () => {
  const it = new LinkifyIt();
  assert.equal(it.matchAtStart('https://a.org/b c').url, 'https://a.org/b');
  assert.equal(it.matchAtStart('a https://a.org'), null);
  assert.equal(it.matchAtStart('a.org'), null);
  assert.equal(it.testSchemaAt('x http://a.org.', 'http:', 7), '//a.org'.length);
  assert.equal(it.testSchemaAt('x http:a', 'http:', 7), 0);
  assert.equal(it.testSchemaAt('x nobody:a', 'nobody:', 9), 0);
});

test('set', () => {
  const it = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false });
  assert.equal(it.match('a.org b@c.org'), null);
  it.set({ fuzzyLink: true, fuzzyIP: true, '---': true });
  assert.deepEqual(it.match('a.org 1.2.3.4/x 1.2.3.4.5 b.org/c---d').map((m) => m.raw), ['a.org', '1.2.3.4/x', 'b.org/c']);
  assert.equal(new LinkifyIt({}, { fuzzyLink: false }).match('a.org'), null);
});

test('tlds', () => {
  const it = new LinkifyIt();
  assert.equal(it.match('x.onion'), null);
  it.tlds('onion', true);
  assert.deepEqual(it.match('x.onion/y? a.com').map((m) => m.raw), ['x.onion/y', 'a.com']);
  it.tlds(['org']);
  assert.deepEqual(it.match('a.com b.org').map((m) => m.raw), ['b.org']);
});

test('tlds: an ending that is named is no file', () => {
  const raw = (it, text) => (it.match(text) ?? []).map((match) => match.raw);
  const text = 'Guide.md, see foo.py (asp.net) a/b.md ./c.md d_e.md f.md-x g.mdx h.md.txt i@j.md, größe.md/x?y k.md:8080 <http://l.md>';
  const files = ['Guide.md', 'größe.md/x?y', 'k.md:8080'];
  // Not named: what is a file far more often is none.
  assert.deepEqual(raw(new LinkifyIt(), 'Guide.md foo.py asp.net'), ['asp.net']);
  for (const it of [new LinkifyIt().tlds('md', true), new LinkifyIt({ tlds: ['md'] }), new LinkifyIt().tlds(['MD'])]) {
    const found = raw(it, text);
    assert.deepEqual(files.filter((name) => !found.includes(name)), []);
    assert.deepEqual(found.filter((name) => !files.includes(name) && name !== 'asp.net'), ['i@j.md', 'http://l.md']);
    assert.ok(it.test('guide.md') && !it.test('foo.py'));
  }
  assert.deepEqual(raw(new LinkifyIt().tlds('py', true), 'foo.py:'), ['foo.py']);
  // Behind some names alone an ending is one of files.
  assert.deepEqual(raw(new LinkifyIt(), 'Makefile.in'), []);
  assert.deepEqual(raw(new LinkifyIt().tlds('in', true), 'Makefile.in'), ['Makefile.in']);
  assert.equal(new LinkifyIt({ fuzzyLink: false }).tlds('md', true).match('guide.md'), null);
  for (const length of [1, 60, 63, 64, 65, 127, 128, 129, 1000, 9000]) {
    for (const rest of [' foo', '', '. Foo', '语', '.'.repeat(50) + 'x']) {
      const [found] = new LinkifyIt().tlds('md', true).match(`guide.md/${'x'.repeat(length)}${rest}`);
      const [same] = new LinkifyIt().match(`guide.com/${'x'.repeat(length)}${rest}`);
      assert.deepEqual([found.index, found.lastIndex], [0, same.lastIndex - 1], `${length} ${rest}`);
    }
  }
  // As linkify-it finds.
  const other = new Original({ fuzzyLink: true }).tlds('md', true);
  for (const part of text.replace('k.md:8080', '').split(' ')) assert.deepEqual(raw(new LinkifyIt().tlds('md', true).tlds('py', true), part), raw(other, part), part);
});

test('what is no text has no links', () => {
  const it = new LinkifyIt();
  const other = new Original();
  for (const value of [5, {}, [], true]) {
    for (const name of ['test', 'match', 'matchAtStart']) assert.equal(it[name](value), other[name](value), `${name}(${value})`);
    assert.equal(it.pretest(value), false);
  }
});

test('add, normalize', () => {
  const it = new LinkifyIt({}, { fuzzyLink: true }).add('git:', 'http:').add('ftp:', null).add('@', {
    validate: (text, pos) => /^[a-z]+/.exec(text.slice(pos))?.[0].length ?? 0,
    normalize: (match) => { match.url = `https://people.example/${match.url.slice(1)}`; },
  });
  assert.deepEqual(it.match('git://a.org/b ftp://c.org @ann x@y.org').map((m) => [m.schema, m.url]), [
    ['git:', 'git://a.org/b'], ['@', 'https://people.example/ann'], ['mailto:', 'mailto:x@y.org'],
  ]);
  assert.throws(() => it.add('x:', 'nobody:'), /unknown/);
  const of = (it) => it.match('http://a.org')[0].url;
  const own = new LinkifyIt();
  own.normalize = (match) => { match.url = 'changed'; };
  assert.equal(of(own), 'changed');
});

test('markdown-it', () => {
  assert.equal(rendered('see größe.de/straße, <a href=x>a.org</a> and `b.org`\n'),
    '<p>see <a href="http://xn--gre-6ka8i.de/stra%C3%9Fe">größe.de/straße</a>, <a href=x>a.org</a> and <code>b.org</code></p>\n');
  // As given to markdown-it 14.
  const md = new MarkdownIt({ linkify: true });
  md.linkify = linkifyit();
  md.linkify.set({ fuzzyLink: false });
  assert.equal(md.render('a.org https://b.org'), '<p>a.org <a href="https://b.org">https://b.org</a></p>\n');
});

test("markdown-it's cases", { skip: absent('markdown-it') }, () => {
  const cases = markdownCases(folders['markdown-it']);
  assert.ok(cases.length >= 30, `${cases.length} cases`);
  const differing = cases.filter(({ markdown, html }) => rendered(markdown) !== html).map(({ title }) => title);
  assert.deepEqual(differing, Object.keys(named['markdown-it']));
});

test("linkify-it's cases", { skip: absent('linkify-it') }, () => {
  const cases = linkifyCases(folders['linkify-it']);
  assert.ok(cases.length >= 150, `${cases.length} cases`);
  const differing = cases.filter(({ line, link }) => firstLink(line) !== link).map(({ line }) => line);
  assert.deepEqual(differing, Object.keys(named['linkify-it']));
});
