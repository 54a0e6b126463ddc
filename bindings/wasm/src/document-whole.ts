/** `linkglot/document` with the tables of all charsets: what Node gets. */

import tables from './inline/tables.js';
import { setTables } from './tables.js';

setTables(tables);

export * from './document.js';
