// The page to try linkglot: marks links in place, describes each, and shows what a rewrite would change.
'use strict';

const element = (id) => document.getElementById(id);
const FROM = {
  bom: 'its byte order mark says so',
  caller: 'as you chose',
  declaration: 'the document declares it',
  detection: 'detected from the bytes',
  default: 'by default, since nothing in the document says otherwise',
};
const EVIDENCE = {
  markup: 'the markup says that it is a link', enclosed: 'it stands between delimiters', scheme: 'it has a scheme', www: 'it begins with www.',
  address: 'it is an e-mail address', path: 'it has a path behind a known top-level domain', name: 'it ends with a known top-level domain; it may be something else',
};
const EXAMPLE = `See http://résumé.example/é, or write to info@example.org.
参照は「https://ja.example/東京」をご覧ください。
راجع http://مثال.example/الصفحة، شكرًا.
Beware of http://раураl.example/ and of https://bank.example@evil.example/!
`;
/** Most characters and links that are shown. */
const [MOST_TEXT, MOST_LINKS] = [200_000, 500];

/** The bytes of the dropped file; null if the text area counts. */
let dropped = null;

function tag(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** A decoder that keeps its state from piece to piece. */
function decoder(charset) {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    // A charset that browsers do not know: its letters are shown as in Latin-1.
    return new TextDecoder('latin1');
  }
}

function options() {
  const charset = element('charset').value.trim();
  const given = { format: element('format').value };
  if (dropped) {
    given.path = dropped.name;
    if (charset) given.charset = charset;
  } else given.charset = 'utf-8';
  return given;
}

function plural(count, one) {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function summary(file, rows) {
  const guess = file.charset_certain ? '' : ' (a guess: nothing that depends on it would be written)';
  const charset = dropped ? `Charset ${file.charset}: ${FROM[file.charset_from]}${guess}.` : 'Pasted text has no charset of its own.';
  return `${plural(rows.length, 'link')}, read as ${file.format}. ${charset}`;
}

/** The text with its links marked. */
function mark(bytes, rows, charset) {
  const decode = decoder(charset);
  const box = element('marked');
  const pieces = [];
  let at = 0;
  let shown = 0;
  for (const [number, row] of rows.entries()) {
    // Links within links of markup, and parts of mail that are encoded, have no places of their own.
    if (row.start < at || shown > MOST_TEXT || number >= MOST_LINKS) continue;
    const before = decode.decode(bytes.subarray(at, row.start), { stream: true });
    const link = decode.decode(bytes.subarray(row.start, row.end), { stream: true });
    shown += before.length + link.length;
    pieces.push(before, tag('a', { href: `#link-${number + 1}`, class: row.warnings.length ? 'warned' : null }, tag('bdi', {}, link)));
    at = row.end;
  }
  const rest = decode.decode(bytes.subarray(at));
  pieces.push(rest.slice(0, Math.max(0, MOST_TEXT - shown)));
  if (shown + rest.length > MOST_TEXT) pieces.push(' …');
  box.replaceChildren(...pieces);
}

function describe(row, number) {
  const list = tag('dl');
  const add = (name, value, className = null) => {
    if (value !== null && value !== undefined) list.append(tag('dt', {}, name), tag('dd', { class: className }, value));
  };
  const place = [row.place.kind, row.place.element && `<${row.place.element}>`, row.place.name].filter(Boolean).join(' ');
  const kind = row.implied ? `no scheme, ${row.implied} is meant` : row.scheme === null ? 'relative reference' : `scheme ${row.scheme}`;
  add('Kind', kind);
  add('Place', `${place}, line ${row.line}`);
  add('Evidence', EVIDENCE[row.evidence]);
  add('URI', row.uri === null ? 'none' : tag('bdi', {}, row.uri), 'form');
  add('IRI', row.iri === null ? 'none' : tag('bdi', {}, row.iri), 'form');
  const notes = row.notes.filter((note) => !row.warnings.some(({ code }) => code === note));
  if (notes.length) add('Notes', notes.join(', '));
  const item = tag('li', { id: `link-${number + 1}`, tabindex: '-1' }, tag('h3', {}, tag('bdi', {}, row.text)), list);
  for (const { message, detail } of row.warnings) item.append(tag('p', { class: 'warning' }, `Warning: ${message} (`, tag('bdi', {}, detail), ')'));
  return item;
}

/** The lines that a rewrite changes, old and new. */
function diff(bytes, rewritten, charset) {
  const lines = (content) => decoder(charset).decode(content).split(/\r\n|\n|\r/);
  const [old, new_] = [lines(bytes), lines(rewritten.content)];
  const pieces = [];
  // A rewrite in place never adds or removes a line.
  for (let i = 0; i < old.length && pieces.length < 3 * MOST_LINKS; i++) {
    if (old[i] === new_[i]) continue;
    pieces.push(tag('span', { class: 'at' }, `line ${i + 1}`), tag('del', {}, old[i]), tag('ins', {}, new_[i] ?? ''));
  }
  const { changed, left } = rewritten.summary;
  const words = changed ? `${plural(changed, 'link')} would change` : 'Nothing would change';
  element('diff').replaceChildren(`${words}${left ? `, and ${left} would be left: ${[...new Set(rewritten.rows.filter((row) => row.type === 'left').flatMap((row) => row.notes))].join(', ')}` : ''}.`, ...pieces);
}

function show() {
  const bytes = dropped ? dropped.bytes : new TextEncoder().encode(element('source').value);
  const status = element('summary');
  try {
    const given = options();
    const rows = linkglot.find(bytes, given);
    const file = linkglot.charsets(bytes, given)[0] ?? { format: 'text', charset: 'UTF-8', charset_from: 'default', charset_certain: false };
    for (const row of rows) row.warnings = linkglot.explain(row.text).warnings;
    status.textContent = summary(file, rows);
    status.className = '';
    mark(bytes, rows, file.charset);
    element('links').replaceChildren(...rows.slice(0, MOST_LINKS).map(describe));
    diff(bytes, linkglot.rewrite(bytes, { ...given, to: element('to').value }), file.charset);
  } catch (error) {
    status.textContent = error.message;
    status.className = 'failed';
    for (const id of ['marked', 'links', 'diff']) element(id).replaceChildren();
  }
}

async function take(file) {
  dropped = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  element('hint').textContent = `Showing the file ${file.name}. Type in the box to return to its text.`;
  show();
}

let waiting;
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(show, 150);
}

element('form').addEventListener('submit', (event) => event.preventDefault());
element('source').addEventListener('input', () => {
  dropped = null;
  element('file').value = '';
  element('hint').textContent = 'Paste something, or drop a file anywhere on the page.';
  later();
});
element('file').addEventListener('change', (event) => event.target.files[0] && take(event.target.files[0]));
for (const id of ['format', 'charset', 'to']) element(id).addEventListener('input', later);
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', () => document.body.classList.remove('dropping'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
element('source').value = EXAMPLE;
show();
