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

/** A decoder that keeps its state from piece to piece; null if the browser does not know the charset. */
function decoder(charset) {
  try {
    return new TextDecoder(charset, { ignoreBOM: true });
  } catch {
    return null;
  }
}

/** The text of a document. */
function textOf(bytes, given, charset) {
  const decode = decoder(charset);
  if (decode) return decode.decode(bytes);
  return linkglot.parts(bytes, { ...given, charset }).map(({ text }) => text).join('\n');
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
  const most = rows.length > MOST_LINKS ? ` The first ${MOST_LINKS} are shown.` : '';
  return `${plural(rows.length, 'link')}, read as ${file.format}. ${charset}${most}`;
}

/** The text in pieces: strings, and the links that are shown, each with its number. */
function pieces(bytes, rows, charset) {
  const decode = decoder(charset);
  const found = [];
  let at = 0;
  for (const [number, row] of rows.entries()) {
    // Links within links of markup, and parts of mail that are encoded, have no places of their own.
    if (row.start < at) continue;
    const before = decode.decode(bytes.subarray(at, row.start), { stream: true });
    found.push(before, { number, text: decode.decode(bytes.subarray(row.start, row.end), { stream: true }) });
    at = row.end;
  }
  return [...found, decode.decode(bytes.subarray(at))];
}

/** The same for a charset that browsers do not know. */
function decodedPieces(bytes, rows, given) {
  const found = [];
  let number = 0;
  for (const { text, links } of linkglot.parts(bytes, given)) {
    let at = 0;
    for (const { start, end, text: link } of links) {
      const next = rows.findIndex((row, behind) => behind >= number && row.text === link);
      if (next < 0 || start < at) continue;
      found.push(text.slice(at, start), { number: next, text: text.slice(start, end) });
      number = next + 1;
      at = end;
    }
    found.push(text.slice(at));
  }
  return found;
}

/** The text with its links marked. `rows` are the links that are shown. */
function mark(bytes, rows, given, charset) {
  const shown = [];
  let room = MOST_TEXT;
  for (const piece of decoder(charset) ? pieces(bytes, rows, charset) : decodedPieces(bytes, rows, given)) {
    if (typeof piece === 'string') shown.push(piece.slice(0, room));
    else if (room > 0) shown.push(tag('a', { href: `#link-${piece.number + 1}`, class: rows[piece.number].warnings.length ? 'warned' : null }, tag('bdi', {}, piece.text)));
    room -= typeof piece === 'string' ? piece.length : piece.text.length;
    if (room < 0) {
      shown.push(' …');
      break;
    }
  }
  element('marked').replaceChildren(...shown);
}

/** The warnings of a link: those of its identifier, and that of its label. */
function warningsOf(row) {
  const { warnings } = linkglot.explain(row.text);
  if (!row.notes.includes('text-names-other-host')) return warnings;
  return [{ code: 'text-names-other-host', message: 'the text of the link names another host than it leads to', detail: row.label }, ...warnings];
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
  add('Label', row.label === undefined ? null : tag('bdi', {}, row.label));
  add('Evidence', EVIDENCE[row.evidence]);
  add('URI', row.uri === null ? 'none' : tag('bdi', {}, row.uri), 'form');
  add('IRI', row.iri === null ? 'none' : tag('bdi', {}, row.iri), 'form');
  const notes = row.notes.filter((note) => !row.warnings.some(({ code }) => code === note));
  if (notes.length) add('Notes', notes.join(', '));
  const item = tag('li', { id: `link-${number + 1}`, tabindex: '-1' }, tag('h3', {}, tag('bdi', {}, row.text)), list);
  for (const { message, detail } of row.warnings) item.append(tag('p', { class: 'warning' }, `Warning: ${message} (`, tag('bdi', {}, detail), ')'));
  return item;
}

/** The ranges of lines that differ: where each begins and ends in the old lines, and in the new ones. */
function* hunks(old, made) {
  const places = new Map();
  for (let j = made.length - 1; j >= 0; j--) {
    if (!places.has(made[j])) places.set(made[j], []);
    places.get(made[j]).push(j);
  }
  let [i, j] = [0, 0];
  while (i < old.length || j < made.length) {
    if (i < old.length && old[i] === made[j]) {
      i++;
      j++;
      continue;
    }
    // A new link may fold a line of a calendar, or join its pieces. The next old line that the new ones have, too, and
    // not much further on, ends the range.
    let [to, upTo] = [old.length, made.length];
    for (let a = i; a < old.length; a++) {
      const found = places.get(old[a]) ?? [];
      while (found.length && found.at(-1) < j) found.pop();
      const b = found.at(-1);
      if (b === undefined || b - j > 64 + 4 * (a - i)) continue;
      [to, upTo] = [a, b];
      break;
    }
    yield { old: [i, to], made: [j, upTo] };
    [i, j] = [to, upTo];
  }
}

/** The lines that a rewrite changes, old and new. */
function diff(bytes, rewritten, given, charset) {
  const lines = (content) => textOf(content, given, charset).split(/\r\n|\n|\r/);
  const pieces = [];
  if (rewritten.content !== bytes) {
    const [old, made] = [lines(bytes), lines(rewritten.content)];
    for (const range of hunks(old, made)) {
      if (pieces.length >= 3 * MOST_LINKS) {
        pieces.push(tag('span', { class: 'at' }, '…'));
        break;
      }
      const shown = ([from, to], lines) => lines.slice(from, Math.min(to, from + MOST_LINKS));
      pieces.push(tag('span', { class: 'at' }, `line ${range.old[0] + 1}`));
      for (const line of shown(range.old, old)) pieces.push(tag('del', {}, line));
      for (const line of shown(range.made, made)) pieces.push(tag('ins', {}, line));
    }
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
    const shown = rows.slice(0, MOST_LINKS);
    for (const row of shown) row.warnings = warningsOf(row);
    status.textContent = summary(file, rows);
    status.className = '';
    mark(bytes, shown, given, file.charset);
    element('links').replaceChildren(...shown.map(describe));
    diff(bytes, linkglot.rewrite(bytes, { ...given, to: element('to').value }), given, file.charset);
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
