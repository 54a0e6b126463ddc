// The links of the command line: of each line of tests/scan and of all texts of the corpora, and the rows of all
// documents.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { links, spans } from '../dist/esm/index.js';
import { charsets, find, parts, rewrite } from '../dist/esm/document-whole.js';
import { files, read, rows, run } from './program.mjs';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file; null if it is not UTF-8. */
function textOf(path) {
  try {
    return decoder.decode(read(path));
  } catch {
    return null;
  }
}

/** The units of UTF-16 in front of bytes, which come in order. */
function positions(text) {
  const bytes = Buffer.from(text);
  let [at, units] = [0, 0];
  return (byte) => {
    units += bytes.toString('utf8', at, byte).length;
    at = byte;
    return units;
  };
}

/** Notes on links that no rewrite could write where they stand, whatever their forms are. */
const PLACE = ['left-template', 'left-escaped', 'left-glued', 'left-not-refound', 'charset-contradicts'];

test('links of texts', () => {
  const paths = [...files('tests/scan'), ...files('corpora')].filter((path) => path.endsWith('.txt'));
  let count = 0;
  for (const path of paths) {
    const text = textOf(path);
    // A byte order mark is a matter of files.
    if (text === null || text.startsWith('\ufeff')) continue;
    const printed = rows(['find', '--json', '--no-config', '--format', 'text', '--charset', 'utf-8'], text).filter((row) => row.type === 'link');
    const at = positions(text);
    const kinds = { https: 'domain', mailto: 'email' };
    const expected = printed.map((row) => ({
      start: at(row.start), end: at(row.end), text: row.text, kind: kinds[row.implied] ?? 'absolute', evidence: row.evidence,
      scheme: row.implied ?? row.scheme,
    }));
    const found = links(text);
    assert.deepEqual(found.map(({ uri, iri, ...link }) => link), expected, path);
    assert.deepEqual(spans(text), found.map(({ start, end, kind, evidence }) => ({ start, end, kind, evidence })), path);
    for (const [number, { uri, iri, notes }] of printed.entries()) {
      // The command line gives no form that it could not write at that place.
      const isLeft = notes.some((note) => PLACE.includes(note));
      if (uri !== null || !isLeft) assert.equal(found[number].uri, uri, `${path}: ${found[number].text}`);
      if (iri !== null || !isLeft) assert.equal(found[number].iri, iri, `${path}: ${found[number].text}`);
    }
    count += found.length;
  }
  assert.ok(count > 2000, `${count} links`);
});

/**
 * Rows of documents by path: of the command line, which reads containers too. It has a row for a malformed document,
 * of which only the links have a note here.
 */
function byPath(printed) {
  const found = new Map();
  for (const row of printed) {
    if (row.type === 'summary' || 'text_from' in row) continue;
    if (!found.has(row.path)) found.set(row.path, []);
    found.get(row.path).push(row);
  }
  return found;
}

/** Documents: archives are for the command line alone. */
const documents = files('corpora').filter((path) => !/\.(tsv|gz|zip|tar|sh|py|epub|warc)$/.test(path) && !path.includes('expected/'));

for (const [name, words, ask] of [
  ['find', ['find'], find],
  ['charsets', ['find', '--charsets'], charsets],
]) {
  test(`rows of ${name}`, () => {
    const printed = byPath(rows([...words, '--json', '--no-config', '--no-containers', ...documents]));
    let count = 0;
    for (const path of documents) {
      const expected = printed.get(path) ?? [];
      let found;
      try {
        found = ask(read(path), { path });
      } catch (error) {
        assert.deepEqual(expected.map((row) => row.type), ['error'], `${path}: ${error.message}`);
        continue;
      }
      assert.deepEqual(found, expected, path);
      count += found.length;
    }
    assert.ok(count > 100, `${count} rows`);
  });
}

test('filters of find', () => {
  const filters = [
    { scheme: 'HTTP' }, { scheme: ['https:', 'mailto'] }, { kind: 'email,domain' }, { kind: ['iri', 'attribute'] }, { kind: 'doctype' }, { kind: 'comment' },
    { minEvidence: 'scheme' }, { minEvidence: 'markup' }, { host: '*.example' }, { host: ['example.org', 'b.example'] }, { external: true }, { internal: true },
    { nonAscii: true }, { warn: 'any' }, { warn: ['look-alike', 'bidi-digits'] }, { absolute: true }, { relative: true }, { identifiers: true },
    { unique: true }, { absolute: true, nonAscii: true, relative: false },
  ];
  const base = 'http://b.example/';
  for (const filter of filters) {
    const words = Object.entries(filter).flatMap(([name, value]) => {
      if (value === false) return [];
      const option = `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === true ? [option] : [option, String(value)];
    });
    const printed = byPath(rows(['find', '--json', '--no-config', '--no-containers', '--base', base, ...words, ...documents]));
    const seen = new Set();
    let count = 0;
    for (const path of documents) {
      const expected = (printed.get(path) ?? []).filter((row) => row.type === 'link');
      let found;
      try {
        found = find(read(path), { path, base, ...filter });
      } catch (error) {
        assert.deepEqual(expected, [], `${path}: ${error.message}`);
        continue;
      }
      // The command line gives each link once in all files.
      if (filter.unique) {
        const isNew = (row) => !seen.has(`${row.implied ?? ''}:${row.text}`);
        const fresh = found.filter(isNew);
        for (const row of found) seen.add(`${row.implied ?? ''}:${row.text}`);
        found = fresh;
      }
      assert.deepEqual(found, expected, `${path}: ${words.join(' ')}`);
      count += found.length;
    }
    assert.ok(count > 0, words.join(' '));
  }
});

for (const to of ['uri', 'iri']) {
  test(`rewrite to ${to}`, () => {
    let count = 0;
    const printed = byPath(rows(['rewrite', '--to', to, '--json', '--no-config', '--no-containers', ...documents]));
    for (const path of documents) {
      const expected = printed.get(path) ?? [];
      let result;
      try {
        result = rewrite(read(path), { path, to });
      } catch (error) {
        assert.deepEqual(expected.map((row) => row.type), ['error'], `${path}: ${error.message}`);
        continue;
      }
      assert.deepEqual(result.rows, expected, path);
      if (result.summary.changed === 0) continue;
      const written = run(['rewrite', '--to', to, '--stdout', '--no-config', path]).stdout;
      assert.deepEqual(Buffer.from(result.content), written, path);
      count += 1;
    }
    assert.ok(count > 5, `${count} documents changed`);
  });
}

/** Calls a function with the path of a new file. */
function withFile(name, content, ask) {
  const folder = mkdtempSync(join(tmpdir(), 'linkglot-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    ask(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('archives are refused in the words of the command line', () => {
  const tar = `${'http://a.example/'.padEnd(257, '\0')}ustar\x0000`.padEnd(512, '\0');
  const samples = { 'a.zip': 'PK\x03\x04\x14\0', 'a.docx': 'PK\x03\x04\x14\0', 'a.md': 'PK\x05\x06', 'a.txt': '\x1f\x8b\x08\0', 'a.tar': tar };
  for (const [path, text] of Object.entries(samples)) {
    const content = new Uint8Array(Buffer.from(text, 'latin1'));
    for (const options of [{}, { path }, { path, format: 'text' }, { charset: 'latin1' }]) {
      for (const ask of [find, charsets, parts, (bytes, given) => rewrite(bytes, { ...given, to: 'uri' })]) {
        const message = /: expected a document, found (a zip archive|a tar archive|compressed data)$/;
        assert.throws(() => ask(content, options), { name: 'LinkglotError', kind: 'container', message }, path);
      }
    }
  }
});

test('binary files are refused in the words of the command line', () => {
  const samples = { 'a.png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'a.pdf': '%PDF-1.4\n', 'a.bin': 'http://a.example/\0\x01\x02' };
  for (const [name, text] of Object.entries(samples)) {
    const content = new Uint8Array(Buffer.from(text, 'latin1'));
    withFile(name, content, (path) => {
      const done = run(['find', '--no-config', '--no-containers', path]);
      assert.equal(done.status, 2, name);
      const error = { name: 'LinkglotError', kind: 'binary', message: done.stderr.toString().trimEnd().replace(/^linkglot: /, '') };
      assert.match(error.message, /found a binary file/);
      for (const ask of [find, charsets, (bytes, options) => rewrite(bytes, { ...options, to: 'uri' })]) assert.throws(() => ask(content, { path }), error);
    });
    // Without a name a signature alone tells; with a format, too.
    const isSigned = name !== 'a.bin';
    for (const options of [{}, { path: name, format: 'text' }]) {
      if (isSigned) assert.throws(() => find(content, options), { kind: 'binary' }, name);
      else assert.equal(find(content, options).length, 1);
    }
  }
});

test('Markdown is known by its name', () => {
  const content = new TextEncoder().encode('see `http://a.example/\u00e9` and <http://b.example/\u00e9>\n');
  for (const name of ['guide.md', 'GUIDE.Markdown', 'a.mdown', 'a.mkd', 'page.md.j2', 'b.mdx', 'md', 'a.rst', 'a.txt']) {
    withFile(name, content, (path) => {
      assert.deepEqual(find(content, { path }), rows(['find', '--json', '--no-config', path]).filter((row) => row.type === 'link'), name);
      const written = run(['rewrite', '--to', 'uri', '--stdout', '--no-config', path]).stdout;
      assert.deepEqual(Buffer.from(rewrite(content, { path, to: 'uri' }).content), written, name);
    });
  }
});
