// The command line that rows are compared with: $LINKGLOT, or the newest build of the repository.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

/** The files of the repository below a folder, as paths from its root: what git does not track, such as fetched corpora, is left out. */
export function files(folder) {
  const done = spawnSync('git', ['ls-files', '-z', '--', folder], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (done.error || done.status !== 0) throw new Error(`expected a clone of the repository: ${done.error ?? done.stderr}`);
  return done.stdout.split('\0').filter(Boolean).sort();
}

export const read = (path) => new Uint8Array(readFileSync(join(root, path)));
