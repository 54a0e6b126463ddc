// The command line that rows are compared with: $LINKGLOT, or the newest build of the repository.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

function newest() {
  const built = ['release', 'checks', 'debug'].map((name) => join(root, 'target', name, 'linkglot'));
  const times = built.flatMap((path) => {
    try {
      return [[statSync(path).mtimeMs, path]];
    } catch {
      return [];
    }
  });
  if (times.length === 0) throw new Error('expected a command line: cargo build, or LINKGLOT=PATH');
  return times.sort((a, b) => b[0] - a[0])[0][1];
}

export const program = process.env.LINKGLOT ?? newest();

/** Runs the command line in the root of the repository. */
export function run(given, input) {
  const done = spawnSync(program, given, { cwd: root, input, maxBuffer: 1 << 30 });
  if (done.error) throw done.error;
  return done;
}

/** The rows that a command prints. */
export function rows(given, input) {
  const text = run(given, input).stdout.toString('utf8');
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** All files below a folder of the repository, as paths from its root. */
export function files(folder) {
  const names = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const found = names.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
  return found.filter((path) => !path.includes('corpora/fetched/')).sort();
}

export const read = (path) => new Uint8Array(readFileSync(join(root, path)));
