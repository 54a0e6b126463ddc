// Compares linkglot with linkify-it 6: chat messages one by one, and long texts. node benches/speed.mjs [FILE ...]
import { readFileSync } from 'node:fs';
import { LinkifyIt } from 'linkify-it';
import { links, spans } from '../dist/esm/index.js';
import { LinkifyIt as DropIn } from '../dist/esm/linkify-it.js';

const chat = [
  'ok, see you at 8',
  'did you read https://example.org/articles/2026/11/why-links-break?ref=chat yet',
  'the build is green again, 3 of 3 checks passed. merging now...',
  'docs are at www.example.com/guide#install, ask ann@example.org if something is missing',
  'Ich habe es auf größe.example.de/straße gefunden, schau mal',
  '👍',
  'https://youtu.example/watch?v=dQw4w9WgXcQ',
  'e.g. version 1.2.3 is fine, i.e. anything newer than 1.2',
];
const sentence = chat.join(' ') + '\n';
const long = sentence.repeat(Math.ceil(1_000_000 / sentence.length));
const prose = 'It was the best of times, it was the worst of times; it was the age of wisdom. '.repeat(12_000);

const it = new LinkifyIt({ fuzzyLink: true });
const dropIn = new DropIn();
const rivals = {
  'linkglot links': (text) => links(text),
  'linkglot spans': (text) => spans(text),
  'linkglot/linkify-it': (text) => dropIn.match(text),
  'linkify-it': (text) => it.match(text),
};

/** The best of several runs, in nanoseconds for each call. */
function time(work, calls) {
  let best = Infinity;
  for (let run = 0; run < 9; run++) {
    const begun = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) work(i);
    best = Math.min(best, Number(process.hrtime.bigint() - begun) / calls);
  }
  return best;
}

const texts = { '1 MB of chat': long, '1 MB of prose without links': prose };
for (const file of process.argv.slice(2)) texts[file] = readFileSync(file, 'utf8');
console.log('| text | ' + Object.keys(rivals).join(' | ') + ' |');
console.log('|---|' + '---:|'.repeat(Object.keys(rivals).length));
const row = (name, unit, per, of) =>
  console.log(`| ${name}, ${unit} | ${Object.values(rivals).map((rival) => (of(rival) / per).toFixed(2)).join(' | ')} |`);
for (const rival of Object.values(rivals)) time((i) => rival(chat[i % chat.length]), 20_000);
row('a chat message', 'µs', 1e3, (rival) => time((i) => rival(chat[i % chat.length]), 8_000));
for (const text of chat) row(`\`${text.slice(0, 30)}\``, 'µs', 1e3, (rival) => time(() => rival(text), 4_000));
for (const [name, text] of Object.entries(texts)) row(name, 'ms', 1e6, (rival) => time(() => rival(text), 1));
