/** The module that knows the forms of links, inlined. */

import { bytesOf } from './base64.js';
import base64 from './inline/names.js';
import { Module } from './module.js';

export const namesModule = new Module(() => new WebAssembly.Module(bytesOf(base64)));
