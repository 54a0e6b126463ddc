// Links in children of React. `linkifyElement` has its test in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkifier } from '../dist/esm/elements.js';
import { links } from '../dist/esm/index.js';

const createElement = (type, properties, text) => ({ type, properties, text });

test('children of React', () => {
  const linkify = linkifier(createElement, { rel: 'nofollow', href: 'lost' });
  assert.deepEqual(linkify('See é.org, info@example.org'), [
    'See ',
    { type: 'a', properties: { rel: 'nofollow', key: 4, href: 'https://xn--9ca.org' }, text: 'é.org' },
    ', ',
    { type: 'a', properties: { rel: 'nofollow', key: 11, href: 'mailto:info@example.org' }, text: 'info@example.org' },
  ]);
  assert.deepEqual(linkify('no link'), ['no link']);
  assert.deepEqual(linkify(''), []);
  const titled = linkifier(createElement, (link) => ({ title: link.iri }));
  assert.equal(titled('http://a.example/%C3%A9')[0].properties.title, 'http://a.example/é');
});

test('what is not safe to click stays text', () => {
  const text = 'See ftp://a.example/x and data:text/html;base64,AAAA.';
  assert.equal(links(text).length, 2);
  const parts = linkifier(createElement)(text);
  assert.deepEqual(parts.filter((part) => typeof part !== 'string').map(({ text }) => text), ['ftp://a.example/x']);
  assert.match(parts.at(-1), /data:text/);
});
