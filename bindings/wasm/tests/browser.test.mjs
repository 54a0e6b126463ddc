// The package and the page in Chromium: $LINKGLOT_BROWSER names it. With $LINKGLOT_SCREENSHOTS, pictures of the page are
// written to that folder.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { root } from './program.mjs';

const folder = fileURLToPath(new URL('..', import.meta.url));
const called = process.env.LINKGLOT_BROWSER;
// Playwright wants a path, users name a program.
const places = called && !called.includes('/') ? process.env.PATH.split(':').map((place) => join(place, called)) : [];
const executablePath = places.find((place) => existsSync(place)) ?? called;
const skip = executablePath ? false : 'LINKGLOT_BROWSER is not set';
let browser;

before(async () => {
  if (executablePath) browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
});
after(() => browser?.close());

/** A page whose errors are listed, and which asks nobody but this machine. */
async function opened(address, options) {
  const page = await browser.newPage(options);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('request', (request) => /^(file|blob|data):|^http:\/\/127\.0\.0\.1/.test(request.url()) || errors.push(request.url()));
  await page.goto(address);
  return { page, errors };
}

test('ES modules in a page and in a worker', { skip }, async () => {
  const types = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };
  const server = createServer((request, response) => {
    const path = request.url.slice(1) || 'empty.html';
    response.setHeader('Content-Type', types[path.split('.').pop()] ?? 'text/plain');
    if (path === 'empty.html') return response.end('<!doctype html><link rel=icon href=data:,>');
    if (path === 'worker.js') return response.end("import { links } from '/dist/esm/index.js'; onmessage = ({ data }) => postMessage(links(data)[0].uri);");
    if (path === 'legacy.txt') return response.end(readFileSync(join(root, 'corpora/ru/mail-1251.txt')));
    response.end(readFileSync(join(folder, path)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { page, errors } = await opened(`http://127.0.0.1:${server.address().port}/`);
    const found = await page.evaluate(async () => {
      const { links } = await import('/dist/esm/index.js');
      const beside = await import('/dist/esm/beside.js');
      await beside.init({ links: fetch('/dist/links.wasm'), names: fetch('/dist/names.wasm') });
      const { find, loadTables } = await import('/dist/esm/document.js');
      const worker = new Worker('/worker.js', { type: 'module' });
      const inWorker = new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
      worker.postMessage('é.org');
      // Undeclared text of a legacy charset.
      const legacy = new Uint8Array(await (await fetch('/legacy.txt')).arrayBuffer());
      let missing = '';
      try {
        find(legacy);
      } catch (error) {
        missing = error.kind;
      }
      await loadTables();
      const { charset } = find(legacy)[0];
      return [missing, charset, links('😀 é.org')[0].start, beside.links('é.org')[0].uri, find(new TextEncoder().encode('<a href=b>'), {})[0].text, await inWorker];
    });
    assert.deepEqual(found, ['tables', 'windows-1251', 3, 'https://xn--9ca.org', 'b', 'https://xn--9ca.org']);
    assert.deepEqual(errors, []);
  } finally {
    server.close();
  }
});

test('links in the elements of a page', { skip }, async () => {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', request.url === '/' ? 'text/html' : 'text/javascript');
    response.end(request.url === '/' ? '<!doctype html><link rel=icon href=data:,>' : readFileSync(join(folder, request.url.slice(1))));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { page, errors } = await opened(`http://127.0.0.1:${server.address().port}/`);
    const found = await page.evaluate(async () => {
      const { linkifyElement } = await import('/dist/esm/elements.js');
      const left = '<a href="x">www.a.example</a><code>www.b.example</code><textarea>www.c.example</textarea><i contenteditable="">www.d.example</i>';
      document.body.innerHTML = `<p>See <b>é.org</b> &amp; http://a.example/?b&amp;c.</p>${left}`;
      const count = linkifyElement(document.body, { rel: 'nofollow' });
      return [count, linkifyElement(document.body), document.body.innerHTML.replace(left, '...')];
    });
    // Time is linear in depth: 500 elements with 2,000 texts took 4 seconds.
    const deep = await page.evaluate(async () => {
      const { linkifyElement } = await import('/dist/esm/elements.js');
      document.body.innerHTML = `${'<div>'.repeat(500)}${'see www.a.example <br>'.repeat(2000)}<div contenteditable><p contenteditable=false>www.b.example${'</div>'.repeat(501)}`;
      const start = performance.now();
      return [linkifyElement(document.body), performance.now() - start];
    });
    assert.equal(deep[0], 2000);
    assert.ok(deep[1] < 1000, `${deep[1]} ms`);
    const expected = '<p>See <b><a rel="nofollow" href="https://xn--9ca.org">é.org</a></b> &amp; <a rel="nofollow" href="http://a.example/?b&amp;c">http://a.example/?b&amp;c</a>.</p>...';
    assert.deepEqual(found, [2, 0, expected]);
    assert.deepEqual(errors, []);
  } finally {
    server.close();
  }
});

const address = new URL('../page/index.html', import.meta.url).href;

test('the page: a text, and a file of a legacy charset', { skip }, async () => {
  const { page, errors } = await opened(address);
  await page.waitForSelector('#links li');
  assert.ok((await page.locator('.warning').count()) >= 2);
  await page.fill('#source', 'see <b>http://example.org/é</b>');
  await page.selectOption('#format', 'html');
  await page.waitForFunction(() => document.querySelectorAll('#links li').length === 1);
  assert.equal(await page.locator('#marked a').innerText(), 'http://example.org/é');
  assert.match(await page.locator('#diff ins').innerText(), /http:\/\/example\.org\/%C3%A9/);
  await page.selectOption('#format', 'auto');
  await page.setInputFiles('#file', join(root, 'corpora/ru/shop-1251.html'));
  await page.waitForFunction(() => document.querySelectorAll('#links li').length === 14);
  assert.match(await page.locator('#summary').innerText(), /^14 links, read as html\. Charset windows-1251: the document declares it/);
  assert.equal(await page.locator('#marked a').first().innerText(), '/значок.ico');
  // The same by dropping.
  const bytes = [...readFileSync(join(root, 'corpora/fr/courriel-1252.txt'))];
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], 'courriel.txt'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  }, bytes);
  await page.waitForFunction(() => document.querySelector('#summary').textContent.includes('windows-1252'));
  assert.equal(await page.locator('#diff ins').count(), 3);
  await page.fill('#charset', 'nobody');
  await page.waitForSelector('#summary.failed');
  assert.deepEqual(errors, []);
});

/** Drops a file, and waits until the page shows it. */
async function dropped(page, name, content, words) {
  await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  await page.waitForFunction((words) => document.querySelector('#summary').textContent.includes(words), words);
}

test('the page: a rewrite that folds lines', { skip }, async () => {
  const { page, errors } = await opened(address);
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `URL:http://example.org/${'é'.repeat(20)}`, 'SUMMARY:a', '', 'SUMMARY:b', `DESCRIPTION:http://b.example/ü`, 'END:VEVENT', 'END:VCALENDAR', ''];
  await dropped(page, 'a.ics', lines.join('\r\n'), 'read as ics');
  const del = await page.locator('#diff del').allInnerTexts();
  const ins = await page.locator('#diff ins').allInnerTexts();
  assert.deepEqual(del, [lines[2], lines[6]]);
  // The first is folded.
  assert.equal(ins.length, 3, ins.join('\n'));
  assert.deepEqual(await page.locator('#diff .at').allInnerTexts(), ['line 3', 'line 7']);
  assert.deepEqual(errors, []);
});

test('the page: a label that names another host', { skip }, async () => {
  const { page, errors } = await opened(address);
  await dropped(page, 'a.html', '<!doctype html><meta charset=utf-8><a href="http://evil.example.org/"><b>www.bank</b>.example</a>', '1 link');
  assert.match(await page.locator('#links .warning').innerText(), /the text of the link names another host .*www\.bank\.example/);
  assert.equal(await page.locator('#marked a.warned').count(), 1);
  assert.ok(!(await page.locator('#links').innerText()).includes('text-names-other-host'));
  assert.match(await page.locator('#links dl').innerText(), /Label\s+www\.bank\.example/);
  assert.deepEqual(errors, []);
});

test('the page: charsets that browsers do not know', { skip }, async () => {
  const { page, errors } = await opened(address);
  const text = 'é http://example.org/é\nsee http://b.example/\n';
  const utf32 = Buffer.alloc(4 * (text.length + 1));
  for (const [at, ch] of [...`\ufeff${text}`].entries()) utf32.writeUInt32LE(ch.codePointAt(0), 4 * at);
  const ibm437 = Buffer.from(text, 'latin1').map((byte) => (byte === 0xe9 ? 0x82 : byte));
  for (const [name, content, charset] of [['a.txt', utf32, ''], ['b.txt', ibm437, 'ibm437']]) {
    await page.fill('#charset', charset);
    await dropped(page, name, content, charset ? 'IBM437' : 'UTF-32');
    assert.equal((await page.locator('#marked').innerText()).replace('\ufeff', '').trim(), text.trim());
    assert.deepEqual(await page.locator('#marked a').allInnerTexts(), ['http://example.org/é', 'http://b.example/']);
    assert.deepEqual(await page.locator('#diff del').allInnerTexts().then((lines) => lines.map((line) => line.replace('\ufeff', ''))), ['é http://example.org/é']);
    assert.deepEqual(await page.locator('#diff ins').allInnerTexts().then((lines) => lines.map((line) => line.replace('\ufeff', ''))), ['é http://example.org/%C3%A9']);
  }
  assert.deepEqual(errors, []);
});

test('the page: many links', { skip }, async () => {
  const { page, errors } = await opened(address);
  const text = 'http://a.example/b/12345 '.repeat(40_000);
  const start = Date.now();
  await dropped(page, 'a.txt', text, '40000 links');
  const took = Date.now() - start;
  assert.match(await page.locator('#summary').innerText(), /The first 500 are shown\.$/);
  assert.equal(await page.locator('#links li').count(), 500);
  // It took a quarter of a minute.
  assert.ok(took < 8000, `${took} ms`);
  assert.deepEqual(errors, []);
});

test('the page by keyboard', { skip }, async () => {
  const { page, errors } = await opened(address);
  await page.waitForSelector('#links li');
  await page.focus('#to');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'marked');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.match(page.url(), /#link-1$/);
  assert.equal(await page.evaluate(() => document.querySelector('#links li:target h3').innerText), 'http://résumé.example/é');
  // Every control has a name.
  assert.equal(await page.evaluate(() => [...document.querySelectorAll('input, select, textarea')].filter((field) => field.labels.length === 0).length), 0);
  assert.deepEqual(errors, []);
});

for (const width of [360, 800, 1280]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the page, ${width} wide, ${colorScheme}`, { skip }, async () => {
      const { page, errors } = await opened(address, { viewport: { width, height: 900 }, colorScheme });
      await page.waitForSelector('#links li');
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut off at the side');
      const kept = process.env.LINKGLOT_SCREENSHOTS;
      if (kept) await page.screenshot({ path: join(kept, `${width}-${colorScheme}.png`), fullPage: true });
      assert.deepEqual(errors, []);
    });
  }
}
