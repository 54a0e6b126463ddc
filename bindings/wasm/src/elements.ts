/** Links in the text of elements: in a page, or for React and its kin. */

import { isSafeToClick, links, type Link } from './index.js';

/** Elements whose text gets no links: links, controls, and what is not displayed as text. */
const LEFT = new Set('A BUTTON CODE DATALIST IFRAME KBD NOSCRIPT OPTION PRE SAMP SCRIPT SELECT STYLE SVG TEMPLATE TEXTAREA TITLE'.split(' '));

/** A text in pieces: strings, and the links that are safe to click. */
function pieces(text: string): (string | (Link & { uri: string }))[] {
  const found: (string | (Link & { uri: string }))[] = [];
  let at = 0;
  for (const { uri, ...link } of links(text)) {
    if (uri === null || !isSafeToClick(uri)) continue;
    if (link.start > at) found.push(text.slice(at, link.start));
    found.push({ ...link, uri });
    at = link.end;
  }
  if (at < text.length) found.push(text.slice(at));
  return found;
}

/** True if an element or one that it is in gets no links. */
function isLeft(element: Element | null): boolean {
  for (let at = element; at; at = at.parentElement) {
    if (LEFT.has(at.tagName.toUpperCase()) || (at as HTMLElement).isContentEditable) return true;
  }
  return false;
}

/**
 * Turns the links in the texts of an element into `a` elements with these attributes, and returns their number. Text
 * in links, controls, code and `contenteditable` stays, and so do links that `isSafeToClick` refuses.
 */
export function linkifyElement(element: Element, attributes: Record<string, string> = {}): number {
  const page = element.ownerDocument;
  const walker = page.createTreeWalker(element, 4 /* texts */);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!isLeft(node.parentElement)) texts.push(node as Text);
  let count = 0;
  for (const text of texts) {
    const parts = pieces(text.data);
    if (!parts.some((part) => typeof part !== 'string')) continue;
    const nodes = parts.map((part) => {
      if (typeof part === 'string') return part;
      const a = page.createElement('a');
      for (const [name, value] of Object.entries(attributes)) a.setAttribute(name, value);
      a.setAttribute('href', part.uri);
      a.textContent = text.data.slice(part.start, part.end);
      count += 1;
      return a;
    });
    text.replaceWith(...nodes);
  }
  return count;
}

/**
 * A function that turns a text into children for React: strings and `a` elements. `createElement` is that of React, or
 * `h` of Preact or Vue; the properties are those of each link, or made for it.
 */
export function linkifier<T>(
  createElement: (type: 'a', properties: Record<string, unknown>, text: string) => T,
  properties: Record<string, unknown> | ((link: Link) => Record<string, unknown>) = {},
): (text: string) => (string | T)[] {
  return (text) =>
    pieces(text).map((part) => {
      if (typeof part === 'string') return part;
      const given = typeof properties === 'function' ? properties(part) : properties;
      return createElement('a', { ...given, key: part.start, href: part.uri }, text.slice(part.start, part.end));
    });
}
