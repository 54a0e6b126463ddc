// The rows of the command line over the messages below $LINKGLOT_MESSAGES: real ones, and damaged ones.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { find, rewrite } from '../dist/esm/document-whole.js';
import { rows } from './program.mjs';

const folder = process.env.LINKGLOT_MESSAGES;
const skip = folder ? false : 'LINKGLOT_MESSAGES is not set';
const paths = folder ? readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.eml')).map((name) => join(folder, name)).sort() : [];

/** Rows by path. Errors of parts are none of the message. */
function byPath(printed, types) {
  const found = new Map(paths.map((path) => [path, []]));
  for (const row of printed) if (types.includes(row.type)) found.get(row.path).push(row);
  return found;
}

for (const also of [undefined, 'headers']) {
  test(`links of messages${also ? ' and their header fields' : ''}`, { skip }, () => {
    const options = also ? ['--also', also] : [];
    const printed = byPath(rows(['find', '--json', '--no-config', '--no-containers', ...options, folder]), ['link']);
    let count = 0;
    for (const path of paths) {
      const found = find(readFileSync(path), { path, also });
      assert.deepEqual(found, printed.get(path), path);
      count += found.length;
    }
    assert.ok(paths.length > 100 && count > 100, `${count} links in ${paths.length} messages`);
  });
}

for (const to of ['uri', 'iri']) {
  test(`messages rewritten to ${to}`, { skip }, () => {
    const out = mkdtempSync(join(tmpdir(), 'linkglot-'));
    try {
      const printed = byPath(rows(['rewrite', '--to', to, '--json', '--no-config', '-O', join(out, 'new'), folder]), ['edit', 'left']);
      for (const path of paths) {
        const { content, rows: changes } = rewrite(readFileSync(path), { path, to });
        assert.deepEqual(changes, printed.get(path), path);
        assert.deepEqual(Buffer.from(content), readFileSync(join(out, 'new', relative(folder, path))), path);
      }
    } finally {
      rmSync(out, { recursive: true });
    }
  });
}
