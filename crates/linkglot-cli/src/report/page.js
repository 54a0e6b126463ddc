'use strict';
// Draws the table of changes, a page of rows at a time. The fragment of the address holds the filters, so that a view
// can be bookmarked: `#q=old.example&kind=left&sort=-files&page=2`.

const PAGE = 100;
const MOST_OPTIONS = 500;
// Fields of a change.
const OLD = 0, NEW = 1, HOST = 2, SCHEME = 3, CHARSETS = 4, NOTES = 5, RULE = 6, LINKS = 7, FILES = 8, PLACES = 9;
// Invisible characters, and characters that change how the text around them is displayed.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const FIELDS = ['q', 'kind', 'host', 'scheme', 'charset', 'note', 'rule'];

const byId = id => document.getElementById(id);
const number = new Intl.NumberFormat('en').format;
const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

let data, texts, shown = [], sort = '-links', page = 1;

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// Text in pieces, with invisible characters escaped.
function visible(text) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(INVISIBLE)) {
    const code = found[0].codePointAt(0).toString(16);
    pieces.push(text.slice(end, found.index), element('span', 'escape', `\\u{${code}}`));
    end = found.index + found[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

// A link, with the part marked that differs from `other`.
function link(className, text, other) {
  const isolated = element('bdi', `link ${className}`);
  // The direction of an address bar, as RFC 3987 4.1 requires.
  isolated.dir = 'ltr';
  if (other === null) {
    isolated.append(...visible(text));
    return isolated;
  }
  const [from, to] = difference(Array.from(text), Array.from(other));
  const characters = Array.from(text);
  isolated.append(...visible(characters.slice(0, from).join('')));
  if (from < to) isolated.append(element('mark', '', ...visible(characters.slice(from, to).join(''))));
  isolated.append(...visible(characters.slice(to).join('')));
  return isolated;
}

// The range of characters between the common beginning and the common end of two texts.
function difference(text, other) {
  const shorter = Math.min(text.length, other.length);
  let from = 0, end = 0;
  while (from < shorter && text[from] === other[from]) from++;
  while (end < shorter - from && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [from, text.length - end];
}

function row(change) {
  const old = element('td', '', link('old', change[OLD], change[NEW]));
  const now = element('td', '');
  if (change[NEW] !== null) now.append(link('new', change[NEW], change[OLD]));
  for (const note of change[NOTES]) {
    const [code, words] = data.notes[note];
    const label = element('span', change[NEW] === null ? 'note why' : 'note', code);
    now.append(' ', label);
    if (change[NEW] === null) now.append(element('span', 'why-words', words));
    else label.title = words;
  }
  if (change[NEW] === null && !change[NOTES].length) now.append(element('span', 'note why', 'left'));
  old.append(details(change));
  const made = element('tr', '', old, now);
  for (const [field, unit] of [[LINKS, 'link'], [FILES, 'file']]) {
    const cell = element('td', 'number', number(change[field]));
    cell.dataset.unit = change[field] === 1 ? unit : unit + 's';
    made.append(cell);
  }
  return made;
}

// The places and the notes of a change.
function details(change) {
  const [file, line, column] = change[PLACES];
  const more = change[FILES] > 1 ? ` and ${plural(change[FILES] - 1, 'more file')}` : '';
  const summary = element('summary', '', place(file, line, column), more);
  const made = element('details', '', summary);
  // Filled when it is opened: most are never opened.
  made.addEventListener('toggle', () => made.childElementCount === 1 && made.append(explanation(change)));
  return made;
}

function place(file, line, column) {
  const name = element('bdi', '', ...visible(data.files[file]));
  const at = line ? `:${line}:${column}` : '';
  return element('span', '', name, at);
}

function explanation(change) {
  const list = element('ul', '');
  for (let at = 3; at < change[PLACES].length; at += 3) {
    list.append(element('li', '', place(...change[PLACES].slice(at, at + 3))));
  }
  const rest = change[FILES] - change[PLACES].length / 3;
  if (rest > 0) list.append(element('li', '', plural(rest, 'more file')));
  for (const note of change[NOTES]) list.append(element('li', '', data.notes[note].join(': ')));
  if (change[RULE] !== null) {
    list.append(element('li', '', 'Rule: ', element('bdi', 'link', ...visible(data.rules[change[RULE]].join(' ')))));
  }
  list.append(element('li', '', `Charset: ${change[CHARSETS].map(at => data.charsets[at]).join(', ')}`));
  for (const [text, words] of [[change[OLD], 'Open the old link'], [change[NEW], 'Open the new link']]) {
    if (text && /^https?:\/\//i.test(text)) list.append(element('li', '', anchor(text, words)));
  }
  return list;
}

function anchor(href, words) {
  const made = element('a', '', words);
  made.href = href;
  made.rel = 'noreferrer noopener';
  made.target = '_blank';
  return made;
}

// The searchable text of a change: its links and the files that are shown.
function searched(change) {
  const files = [];
  for (let at = 0; at < change[PLACES].length; at += 3) files.push(data.files[change[PLACES][at]]);
  return `${change[OLD]}\n${change[NEW] ?? ''}\n${files.join('\n')}`.toLowerCase();
}

const TESTS = {
  kind: kind => change => (change[NEW] === null) === (kind === 'left'),
  host: host => { const at = data.hosts.indexOf(host); return change => change[HOST] === at; },
  scheme: scheme => { const at = data.schemes.indexOf(scheme); return change => change[SCHEME] === at; },
  charset: charset => { const at = data.charsets.indexOf(charset); return change => change[CHARSETS].includes(at); },
  note: note => { const at = data.notes.findIndex(known => known[0] === note); return change => change[NOTES].includes(at); },
  rule: rule => change => change[RULE] === Number(rule),
};

// Empty values are `-` in the form and in the address.
const valueOf = text => (text === '-' ? '' : text);

function filter() {
  const tests = [];
  for (const field of FIELDS.slice(1)) {
    if (byId(field).value) tests.push(TESTS[field](valueOf(byId(field).value)));
  }
  const words = byId('q').value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) {
    texts ??= data.changes.map(searched);
    tests.push((_, at) => words.every(word => texts[at].includes(word)));
  }
  shown = [];
  data.changes.forEach((change, at) => tests.every(test => test(change, at)) && shown.push(change));
}

function arrange() {
  const field = { old: OLD, new: NEW, links: LINKS, files: FILES }[sort.replace('-', '')];
  const sign = sort.startsWith('-') ? -1 : 1;
  // The data are already in this order.
  if (sort === '-links') return;
  const compare = field === LINKS || field === FILES
    ? (a, b) => a[field] - b[field]
    // By code units: a collator would take seconds.
    : (a, b) => { const x = a[field] ?? '', y = b[field] ?? ''; return x < y ? -1 : x > y ? 1 : 0; };
  shown.sort((a, b) => sign * compare(a, b));
}

function draw() {
  const pages = Math.max(1, Math.ceil(shown.length / PAGE));
  page = Math.min(Math.max(1, page), pages);
  const first = (page - 1) * PAGE;
  byId('rows').replaceChildren(...shown.slice(first, first + PAGE).map(row));
  const links = shown.reduce((sum, change) => sum + change[LINKS], 0);
  const all = shown.length === data.changes.length ? '' : ` of ${number(data.changes.length)}`;
  byId('status').textContent = `${number(shown.length)}${all} distinct ${data.changes.length === 1 ? 'change' : 'changes'}, ${plural(links, 'link')}`;
  byId('table').hidden = !shown.length;
  byId('pages').hidden = pages === 1;
  byId('page').textContent = `Page ${number(page)} of ${number(pages)}`;
  byId('previous').disabled = page === 1;
  byId('next').disabled = page === pages;
  for (const button of document.querySelectorAll('[data-sort]')) {
    const is = button.dataset.sort === sort.replace('-', '');
    const cell = button.closest('th');
    if (is) cell.setAttribute('aria-sort', sort.startsWith('-') ? 'descending' : 'ascending');
    else cell.removeAttribute('aria-sort');
  }
}

function update() {
  filter();
  arrange();
  draw();
}

function keepInAddress() {
  const state = new URLSearchParams();
  for (const field of FIELDS) if (byId(field).value) state.set(field, byId(field).value);
  if (sort !== '-links') state.set('sort', sort);
  if (page > 1) state.set('page', page);
  try {
    history.replaceState(null, '', `#${state}`);
  } catch { /* An address that may not change. */ }
}

function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const field of FIELDS) {
    const value = state.get(field) ?? '', control = byId(field);
    // The lists hold only the most frequent values.
    if (value && control.options && ![...control.options].some(option => option.value === value)) {
      control.append(new Option(value, value));
    }
    control.value = value;
  }
  sort = /^-?(old|new|links|files)$/.test(state.get('sort')) ? state.get('sort') : '-links';
  page = Number(state.get('page')) || 1;
  update();
}

function changed() {
  page = 1;
  update();
  keepInAddress();
}

function turn(to) {
  page = to;
  draw();
  keepInAddress();
  byId('changes').scrollIntoView();
}

// The values of a filter, the most frequent first.
function fill(id, names, valuesOf) {
  const links = new Map();
  for (const change of data.changes) {
    for (const value of valuesOf(change)) links.set(value, (links.get(value) ?? 0) + change[LINKS]);
  }
  const sorted = [...links].sort((a, b) => b[1] - a[1]).slice(0, MOST_OPTIONS);
  for (const [at, count] of sorted) {
    const value = id === 'rule' ? String(at) : names[at];
    byId(id).append(new Option(`${names[at] || '(none)'} (${number(count)})`, value || '-'));
  }
  byId(id).closest('label').hidden = sorted.length === 0;
}

function listen() {
  let timer;
  byId('q').addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(changed, 150); });
  byId('filters').addEventListener('change', event => event.target.id !== 'q' && changed());
  byId('filters').addEventListener('submit', event => event.preventDefault());
  byId('filters').addEventListener('reset', () => setTimeout(changed));
  byId('previous').addEventListener('click', () => turn(page - 1));
  byId('next').addEventListener('click', () => turn(page + 1));
  addEventListener('hashchange', () => {
    if (location.hash === '#changes') return;
    readAddress();
    byId('changes').scrollIntoView();
  });
  for (const button of document.querySelectorAll('[data-sort]')) {
    button.addEventListener('click', () => {
      const by = button.dataset.sort, isText = by === 'old' || by === 'new';
      const first = isText ? by : `-${by}`;
      sort = sort === first ? (isText ? `-${by}` : by) : first;
      changed();
    });
  }
  addEventListener('keydown', event => {
    const isTyping = event.target.matches('input, select, textarea');
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      byId('q').focus();
    } else if (event.key === 'Escape' && event.target === byId('q')) {
      byId('q').value = '';
      changed();
    } else if (!isTyping && !event.altKey && shown.length > PAGE) {
      if (event.key === 'ArrowLeft' && page > 1) turn(page - 1);
      if (event.key === 'ArrowRight' && page * PAGE < shown.length) turn(page + 1);
    }
  });
}

const THEMES = ['auto', 'light', 'dark'];

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId('theme').textContent = `Theme: ${name}`;
  byId('theme').hidden = false;
  return name;
}

function begin() {
  data = JSON.parse(byId('data').textContent);
  byId('data').remove();
  fill('host', data.hosts, change => [change[HOST]]);
  fill('scheme', data.schemes, change => [change[SCHEME]]);
  fill('charset', data.charsets, change => change[CHARSETS]);
  fill('note', data.notes.map(note => note[0]), change => change[NOTES]);
  const rules = data.rules.map(rule => rule.join(' '));
  fill('rule', rules, change => (change[RULE] === null ? [] : [change[RULE]]));
  byId('filters').hidden = false;
  listen();
  readAddress();
  if (FIELDS.some(field => byId(field).value)) byId('changes').scrollIntoView();
}

let current = theme('auto');
byId('theme').addEventListener('click', () => {
  current = theme(THEMES[(THEMES.indexOf(current) + 1) % THEMES.length]);
});
// The summary is painted before the changes are read. A page in the background is not painted, so there the timeout
// begins.
const late = setTimeout(begin, 500);
requestAnimationFrame(() => {
  clearTimeout(late);
  if (!data) setTimeout(begin);
});
