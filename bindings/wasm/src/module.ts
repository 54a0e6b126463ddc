/** A module of WebAssembly with its buffers: texts and bytes go in, rows and texts come out. */

import { LinkglotError } from './error.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Texts up to this length are written unit by unit, which is faster as long as they are ASCII. */
const SHORT = 192;

/** What each module exports, apart from its own functions. */
interface Border {
  memory: WebAssembly.Memory;
  reserve(len: number): number;
  output(): number;
}

/** The functions of a module: numbers in, a number out. */
type Functions = Record<string, (...numbers: number[]) => number>;

export class Module {
  readonly #compile: () => WebAssembly.Module;
  readonly #imports: WebAssembly.Imports;
  #compiled: WebAssembly.Module | undefined;
  #exports: (Border & Functions) | undefined;
  #bytes = new Uint8Array(0);
  #view = new DataView(new ArrayBuffer(0));

  /** `compile` is called when the module is first used; `imports` are what it calls. */
  constructor(compile: () => WebAssembly.Module, imports: WebAssembly.Imports = {}) {
    this.#compile = compile;
    this.#imports = imports;
  }

  get #border(): Border & Functions {
    if (!this.#exports) {
      this.#compiled ??= this.#compile();
      const instance = new WebAssembly.Instance(this.#compiled, this.#imports);
      this.#exports = instance.exports as unknown as Border & Functions;
    }
    return this.#exports;
  }

  /** The memory, which moves when it grows. */
  #memory(): Uint8Array {
    const { buffer } = this.#border.memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = new Uint8Array(buffer);
      this.#view = new DataView(buffer);
    }
    return this.#bytes;
  }

  /** Writes a text, and returns its length in bytes. Lone surrogates become U+FFFD. */
  write(text: string): number {
    const units = text.length;
    if (units <= SHORT) {
      const at = this.call('reserve', units * 3);
      const memory = this.#memory();
      let i = 0;
      for (; i < units; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 0x7f) break;
        memory[at + i] = unit;
      }
      if (i === units) return units;
      return encoder.encodeInto(text, memory.subarray(at, at + units * 3)).written;
    }
    // Most texts need no more bytes than units, so that little memory is reserved in vain.
    let room = units + (units >> 1);
    let at = this.call('reserve', room);
    let done = encoder.encodeInto(text, this.#memory().subarray(at, at + room));
    if (done.read < units) {
      room = units * 3;
      at = this.call('reserve', room);
      done = encoder.encodeInto(text, this.#memory().subarray(at, at + room));
    }
    return done.written;
  }

  /** Writes parts one behind the other. */
  writeParts(parts: Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    let at = this.call('reserve', length);
    const memory = this.#memory();
    for (const part of parts) {
      memory.set(part, at);
      at += part.length;
    }
  }

  /** Calls a function. A module that failed is replaced by a new one, since its memory cannot be trusted. */
  call(name: string, ...numbers: number[]): number {
    const border = this.#border;
    try {
      return border[name]!(...numbers);
    } catch (error) {
      this.#exports = undefined;
      // What an import threw is no failure of the module.
      if (error instanceof LinkglotError) throw error;
      throw new Error('internal error of linkglot: please report it with this input', { cause: error });
    }
  }

  /** A view of the output, for numbers at byte offsets from `output`. */
  rows(): { view: DataView; at: number } {
    const at = this.#border.output();
    this.#memory();
    return { view: this.#view, at };
  }

  text(at: number, length: number): string {
    return decoder.decode(this.#memory().subarray(at, at + length));
  }

  /** The output as JSON. */
  json<T>(length: number): T {
    return JSON.parse(this.text(this.#border.output(), length)) as T;
  }

  /** Writes bytes at a place that the module made. */
  put(at: number, bytes: Uint8Array): void {
    this.#memory().set(bytes, at);
  }

  copy(at: number, length: number): Uint8Array {
    return this.#memory().slice(at, at + length);
  }
}

export function encoded(text: string): Uint8Array {
  return encoder.encode(text);
}
