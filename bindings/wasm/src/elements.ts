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

/** A test for elements that get no links, or are within one that gets none. It looks at each element once. */
function leftTest(): (element: Element | null) => boolean {
  const known = new Map<Element, boolean>();
  return (element) => {
    const unknown: Element[] = [];
    let at = element;
    for (; at && !known.has(at); at = at.parentElement) unknown.push(at);
    let left = at ? known.get(at)! : element?.ownerDocument.designMode === 'on';
    for (const one of unknown.reverse()) {
      // Browsers climb for `isContentEditable`, too: only an attribute begins what is editable.
      left ||= LEFT.has(one.tagName.toUpperCase()) || (one.hasAttribute('contenteditable') && (one as HTMLElement).isContentEditable);
      known.set(one, left);
    }
    return left;
  };
}

/**
 * Turns the links in the texts of an element into `a` elements with these attributes, and returns their number. Text
 * in links, controls, code and `contenteditable` stays, and so do links that `isSafeToClick` refuses.
 */
export function linkifyElement(element: Element, attributes: Record<string, string> = {}): number {
  const page = element.ownerDocument;
  const walker = page.createTreeWalker(element, 4 /* texts */);
  const texts: Text[] = [];
  const isLeft = leftTest();
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
