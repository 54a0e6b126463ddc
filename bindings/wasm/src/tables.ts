/** Tables of rare charsets and of detection, which few documents need: files by their names. */

import { LinkglotError } from './error.js';

let tables: Record<string, string> | undefined;

/** Sets the tables. */
export function setTables(given: Record<string, string>): void {
  tables = given;
}

/**
 * Loads the tables of rare charsets and of detection. Where a program is bundled they are a file of their own, which is fetched
 * by the first call. In Node they are there.
 */
export async function loadTables(): Promise<void> {
  tables ??= (await import('./inline/tables.js')).default;
}

/** A file of tables. */
export function table(name: string): string {
  if (!tables) throw new LinkglotError('this charset needs tables that are not loaded: await loadTables()', 'tables');
  return tables[name] ?? '';
}
