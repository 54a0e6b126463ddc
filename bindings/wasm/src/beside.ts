/** Links of strings, with the modules beside the program: as files that the caller loads. */

import { api, LinkglotError } from './api.js';
import { checkObject, wrong } from './arguments.js';
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

async function compile(name: 'links' | 'names', source: Source): Promise<WebAssembly.Module> {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given as BufferSource);
  if (typeof (given as Response | null)?.arrayBuffer !== 'function') throw wrong('init', `sources.${name}`, 'a module, bytes or a Response', given);
  if (!given.ok) {
    const status = `${given.status} ${given.statusText}`.trim();
    throw new LinkglotError(`${name}.wasm: expected a response with the module, found the status ${status} of ${given.url}`, 'not-loaded');
  }
  return WebAssembly.compile(await given.arrayBuffer());
}

/**
 * Loads `links.wasm` and `names.wasm` of the package. `spans` needs the first alone; a function that needs a module
 * that is not loaded throws. Throws a LinkglotError for a response that is not `ok`, such as one of status 404.
 */
export async function init(sources: { links?: Source; names?: Source }): Promise<void> {
  checkObject('init', 'sources', sources);
  const unknown = Object.keys(sources).find((name) => name !== 'links' && name !== 'names');
  if (unknown !== undefined) throw wrong('init', 'sources', 'links or names', unknown);
  const load = async (name: 'links' | 'names') => {
    const source = sources[name];
    if (source !== undefined) loaded[name] = await compile(name, source);
  };
  await Promise.all([load('links'), load('names')]);
}

export const { links, spans, toUri, toIri, explain, isSafeToClick } = api(
  new Module(() => compiled('links')),
  new Module(() => compiled('names')),
);
