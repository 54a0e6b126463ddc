/** Links of strings, with the modules beside the program: as files that the caller loads. */

import { api, LinkglotError } from './api.js';
import { Module } from './module.js';

export { LinkglotError } from './api.js';
export type { Api, Evidence, Explanation, IriOptions, Kind, Link, Span, UriOptions, Warning } from './api.js';

/** A module as a response, as bytes, or compiled. */
export type Source = WebAssembly.Module | BufferSource | Response | PromiseLike<Response>;

const loaded: { links?: WebAssembly.Module; names?: WebAssembly.Module } = {};

function compiled(name: 'links' | 'names'): WebAssembly.Module {
  const module = loaded[name];
  if (!module) throw new LinkglotError(`${name}.wasm is not loaded: call init({ ${name}: ... })`, 'not-loaded');
  return module;
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given as BufferSource);
  return WebAssembly.compile(await (given as Response).arrayBuffer());
}

/**
 * Loads `links.wasm` and `names.wasm` of the package. `spans` needs the first alone; a function that needs a module
 * that is not loaded throws.
 */
export async function init(sources: { links?: Source; names?: Source }): Promise<void> {
  const load = async (name: 'links' | 'names') => {
    const source = sources[name];
    if (source !== undefined) loaded[name] = await compile(source);
  };
  await Promise.all([load('links'), load('names')]);
}

export const { links, spans, toUri, toIri, explain, isSafeToClick } = api(
  new Module(() => compiled('links')),
  new Module(() => compiled('names')),
);
