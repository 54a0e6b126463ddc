// Builds the package: the modules of WebAssembly with cargo and binaryen, then the programs around them with tsc.
//
// node build.mjs [--missing]: with --missing only if there is no build. The standard library is built, too, for size:
// that needs its sources and the flags below, which stable compilers take with RUSTC_BOOTSTRAP.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
if (process.argv.includes('--missing') && existsSync(join(dist, 'esm/index.js'))) process.exit(0);

const target = 'wasm32-unknown-unknown';
const folder = process.env.CARGO_TARGET_DIR ?? join(here, 'target');
const bin = join(here, 'node_modules/.bin');
const features = ['simd', 'bulk-memory', 'sign-ext', 'nontrapping-float-to-int', 'mutable-globals', 'multivalue', 'reference-types'];

// A panic is a trap, whose message nobody would read. Engines without vectors are older than the other features.
const rustflags = '-Zunstable-options -Cpanic=immediate-abort -Ctarget-feature=+simd128';
const std = ['-Zbuild-std=std,panic_abort', '-Zbuild-std-features=optimize_for_size'];
const environment = { ...process.env, RUSTC_BOOTSTRAP: '1', RUSTFLAGS: rustflags };

function run(command, ...given) {
  execFileSync(command, given, { cwd: here, stdio: 'inherit', env: environment });
}

const rustc = process.env.RUSTC ?? 'rustc';
const sysroot = spawnSync(rustc, ['--print', 'sysroot'], { encoding: 'utf8' }).stdout?.trim() ?? '';
if (!existsSync(join(sysroot, 'lib/rustlib/src/rust/library/Cargo.toml'))) run('rustup', 'component', 'add', 'rust-src');
const modules = ['links', 'names', 'document'];
// One by one: a build of several has the features of all of them, and `links` goes without most.
for (const name of modules) {
  run('cargo', 'build', '--quiet', '--locked', '--release', '--target', target, '-p', `linkglot-wasm-${name}`, ...std);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(here, 'src/inline'), { recursive: true });
mkdirSync(dist);
for (const name of modules) {
  const built = join(folder, target, 'release', `linkglot_wasm_${name}.wasm`);
  const wasm = join(dist, `${name}.wasm`);
  run(join(bin, 'wasm-opt'), '-Oz', '--strip-debug', '--strip-producers', ...features.map((f) => `--enable-${f}`), built, '-o', wasm);
  const bytes = readFileSync(wasm);
  writeFileSync(join(here, 'src/inline', `${name}.ts`), `const base64: string = '${bytes.toString('base64')}';\nexport default base64;\n`);
  console.log(`${name}.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
}

// The tables that document.wasm asks for: the crate names them by `file!`.
const charset = join(here, '../../crates/linkglot-charset');
const sources = readdirSync(join(charset, 'src'), { recursive: true }).filter((name) => name.endsWith('.rs'));
const named = sources.flatMap((name) => [...readFileSync(join(charset, 'src', name), 'utf8').matchAll(/\bfile!\(\s*"([^"]+)"/g)]);
const tables = JSON.stringify(Object.fromEntries(named.map(([, name]) => [name, readFileSync(join(charset, name), 'utf8')])));
writeFileSync(join(here, 'src/inline/tables.ts'), `const tables: Record<string, string> = ${tables};\nexport default tables;\n`);
console.log(`tables: ${Buffer.byteLength(tables)} bytes, ${gzipSync(tables, { level: 9 }).length} gzipped`);

run(join(bin, 'tsc'), '-p', 'src');
run(join(bin, 'tsc'), '-p', 'src', '--module', 'commonjs', '--outDir', 'dist/cjs');
writeFileSync(join(dist, 'esm/package.json'), '{ "type": "module" }\n');
writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

// One script with everything for `page`: a browser imports no modules from files that were opened without a server.
const parts = readdirSync(join(dist, 'cjs'), { recursive: true }).filter((name) => name.endsWith('.js') && !/beside|linkify|elements/.test(name));
const scripts = parts.map((name) => `${JSON.stringify('./' + name)}(exports, require) {\n${readFileSync(join(dist, 'cjs', name), 'utf8')}\n}`);
writeFileSync(
  join(here, 'page/linkglot.js'),
  `var linkglot = (() => {
const modules = {${scripts.join(',\n')}};
const made = {};
function require(name) {
  const path = './' + name.replace(/^\\.\\//, '');
  if (!made[path]) modules[path]((made[path] = {}), require);
  return made[path];
}
return { ...require('./index.js'), ...require('./document-whole.js') };
})();
`,
);
