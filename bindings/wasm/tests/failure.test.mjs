// A module that fails is replaced: the next call works, in fresh memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Module } from '../dist/esm/module.js';

/** A module whose function `find` never returns: `(func (export "find") unreachable)`. */
const trap = new WebAssembly.Module(new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic, version
  1, 8, 2, 96, 0, 0, 96, 0, 1, 127, // types: () -> (), () -> i32
  3, 3, 2, 0, 1, // functions
  5, 3, 1, 0, 1, // a page of memory
  7, 26, 3, 4, 102, 105, 110, 100, 0, 0, 6, 111, 117, 116, 112, 117, 116, 0, 1, 6, 109, 101, 109, 111, 114, 121, 2, 0, // exports
  10, 10, 2, 3, 0, 0, 11, 4, 0, 65, 7, 11, // code
]));

test('a failure is an error, and the module is made anew', () => {
  let compiled = 0;
  const module = new Module(() => {
    compiled += 1;
    return trap;
  });
  for (let i = 0; i < 2; i++) assert.throws(() => module.call('find'), /internal error of linkglot/);
  assert.equal(module.call('output'), 7);
  assert.equal(compiled, 1);
});
