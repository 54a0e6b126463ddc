// The examples of README.md print what the comments behind their calls say, and pass the strict checks of tsc. Those that
// fetch, or need a page, are not run.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const all = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((found) => found[1]);
const examples = all.filter((code) => !/fetch\(|loadTables|linkglot\/elements/.test(code));

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

/** What tsc complains about in modules, which find the package by its name. */
function complaints(sources) {
  const own = mkdtempSync(join(folder, 'tests/.readme-'));
  try {
    const names = sources.map((code, number) => {
      writeFileSync(join(own, `${number}.mts`), code);
      return `${number}.mts`;
    });
    // markdown-it comes without types, and React is not here.
    writeFileSync(join(own, 'others.d.ts'), "declare module 'markdown-it';\ndeclare module 'react';\n");
    // As `tsc --strict` checks: that an element of an array may be absent is another option.
    const compilerOptions = { noUncheckedIndexedAccess: false };
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', compilerOptions, files: ['others.d.ts', ...names] }));
    const done = spawnSync(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', own], { encoding: 'utf8' });
    return done.stdout + done.stderr;
  } finally {
    rmSync(own, { recursive: true });
  }
}

test('the examples of README.md have right types', () => {
  assert.equal(all.length, 6);
  assert.equal(complaints(all), '');
  // A check that sees nothing would see nothing wrong.
  assert.match(complaints(["import { links } from 'linkglot';\nconst uri: string = links('a.org')[0].uri;\n"]), /null/);
});
