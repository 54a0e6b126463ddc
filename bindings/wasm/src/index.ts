/** Links of strings. The modules are inlined: nothing is fetched, and nothing is awaited. */

import { api } from './api.js';
import { linksModule } from './inlined-links.js';
import { namesModule } from './inlined-names.js';

export { LinkglotError } from './api.js';
export type { Api, Evidence, Explanation, IriOptions, Kind, Link, Span, UriOptions, Warning } from './api.js';

export const { links, spans, toUri, toIri, explain, isSafeToClick } = api(linksModule, namesModule);
