// The examples of README.md print what the comments behind their calls say. One that fetches is not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1]).filter((code) => !code.includes('fetch('));

test('the examples of README.md', () => {
  assert.equal(examples.length, 3);
  for (const code of examples) {
    const expected = [...code.matchAll(/^\/\/ (.*)$/gm)].map((found) => found[1]);
    assert.ok(expected.length > 0);
    // The package finds itself by its name.
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: folder, encoding: 'utf8' });
    assert.deepEqual(printed.trimEnd().split('\n'), expected);
  }
});
