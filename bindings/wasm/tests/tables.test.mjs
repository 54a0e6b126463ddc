// Documents without the tables of rare charsets and of detection, as a browser reads them before `loadTables`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as bare from '../dist/esm/document.js';
import { files, read, rows } from './program.mjs';

const documents = files('corpora').filter((path) => /\.(txt|html|xml|css|eml|mbox|json|po)$/.test(path) && !path.includes('expected/'));

test('the texts that README.md names need tables, and those that it excepts do not', () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const texts = ['é http://a.example/', 'Voilà un résumé: http://a.example/é', '参照は「https://ja.example/東京」をご覧ください。'.repeat(20)];
  for (const text of texts) {
    assert.throws(() => bare.find(bytes(text)), { name: 'LinkglotError', kind: 'tables' }, text);
    for (const given of [bytes(`\ufeff${text}`), bytes(`<meta charset=utf-8>${text}`)]) assert.ok(Array.isArray(bare.find(given)), text);
    assert.ok(bare.find(bytes(text), { charset: 'utf-8' }).length > 0, text);
  }
  assert.equal(bare.find(bytes('http://a.example/')).length, 1);
});

test('tables are asked for by documents that need them, and by no others', async () => {
  const printed = new Map(rows(['find', '--charsets', '--json', '--no-config', '--no-containers', ...documents]).map((row) => [row.path, row]));
  const waiting = [];
  let count = 0;
  for (const path of documents) {
    const row = printed.get(path);
    if (row?.type !== 'file') continue;
    try {
      assert.ok(Array.isArray(bare.find(read(path), { path })), path);
      count += 1;
    } catch (error) {
      assert.ok(error instanceof bare.LinkglotError && error.kind === 'tables', `${path}: ${error.stack}`);
      assert.match(error.message, /loadTables/);
      // The last part of a message says nothing about the others.
      assert.ok(row.charset_from === 'detection' || /\.(eml|mbox)$/.test(path), `${path} needs tables: ${row.charset} by ${row.charset_from}`);
      assert.ok(Array.isArray(bare.find(read(path), { path, charset: 'utf-8' })), path);
      waiting.push(path);
    }
  }
  assert.ok(count > 50, `${count} documents without tables`);
  assert.ok(waiting.length > 5, `${waiting.length} documents that need tables`);
  await bare.loadTables();
  for (const path of waiting) assert.ok(Array.isArray(bare.find(read(path), { path })), path);
});

test('a charset of the tables that the caller names', async () => {
  await bare.loadTables();
  const bytes = new Uint8Array([...'http://a.example/'].map((ch) => ch.charCodeAt(0)).concat(0xc4, 0xa1));
  assert.equal(bare.find(bytes, { charset: 'euc-tw', format: 'text' })[0].text, 'http://a.example/一');
});
