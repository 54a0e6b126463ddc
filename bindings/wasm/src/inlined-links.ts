/** The module that finds links, inlined. */

import { bytesOf } from './base64.js';
import base64 from './inline/links.js';
import { Module } from './module.js';

export const linksModule = new Module(() => new WebAssembly.Module(bytesOf(base64)));
