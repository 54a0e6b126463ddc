// Links in children of React. `linkifyElement` has its test in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkifier } from '../dist/esm/elements.js';

const createElement = (type, properties, text) => ({ type, properties, text });

test('children of React', () => {
  const linkify = linkifier(createElement, { rel: 'nofollow', href: 'lost' });
  assert.deepEqual(linkify('See é.org, a@b.example'), [
    'See ',
    { type: 'a', properties: { rel: 'nofollow', key: 4, href: 'https://xn--9ca.org' }, text: 'é.org' },
    ', ',
    { type: 'a', properties: { rel: 'nofollow', key: 11, href: 'mailto:a@b.example' }, text: 'a@b.example' },
  ]);
  assert.deepEqual(linkify('no link'), ['no link']);
  assert.deepEqual(linkify(''), []);
  const titled = linkifier(createElement, (link) => ({ title: link.iri }));
  assert.equal(titled('http://a.example/%C3%A9')[0].properties.title, 'http://a.example/é');
});

test('what is not safe to click stays text', () => {
  const text = 'http://user@apple.com@evil.example/ or javascript:alert(1)';
  for (const part of linkifier(createElement)(text)) assert.equal(typeof part, 'string');
});
