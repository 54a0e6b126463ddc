// The cases of linkify-it and of markdown-it, from the ports of them to Python, whose packages have the tests: names of
// folders in $LINKGLOT_LINKIFY_IT and $LINKGLOT_MARKDOWN_IT, which `.ci/wasm` fetches.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { LinkifyIt } from '../dist/esm/linkify-it.js';

/** Cases of markdown-it: Markdown, a dot, and the HTML, between lines with dots. */
export function markdownCases(folder) {
  const lines = readFileSync(join(folder, 'tests/test_port/fixtures/linkify.md'), 'utf8').split('\n');
  const cases = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] !== '.') continue;
    const middle = lines.indexOf('.', i + 1);
    const end = lines.indexOf('.', middle + 1);
    const part = (from, to) => lines.slice(from, to).map((line) => line + '\n').join('');
    cases.push({ title: lines[i - 1], markdown: part(i + 1, middle), html: part(middle + 1, end) });
    i = end;
  }
  return cases;
}

/** The HTML of markdown-it on linkglot. */
export function rendered(markdown) {
  const md = new MarkdownIt({ html: true, linkify: true });
  md.linkify = new LinkifyIt();
  return md.render(markdown);
}

/** Cases of linkify-it: a line and its link, or a line without one. */
export function linkifyCases(folder) {
  const lines = (name) => readFileSync(join(folder, 'test/fixtures', name), 'utf8').split('\n');
  const isCase = (line) => line.trim() !== '' && !line.startsWith('%');
  const cases = [];
  const given = lines('links.txt');
  for (let i = 0; i < given.length; i++) {
    if (!isCase(given[i])) continue;
    // A second line says what the link is, unless it is the whole line.
    const second = given[i + 1] ?? '';
    cases.push({ line: given[i], link: isCase(second) ? second : given[i] });
    if (isCase(second)) i++;
  }
  cases.push(...lines('not_links.txt').filter(isCase).map((line) => ({ line, link: null })));
  return cases;
}

/** The first link that linkglot finds in a line, as it is written. */
export function firstLink(line) {
  const it = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true });
  return it.match(line)?.[0].raw ?? null;
}
