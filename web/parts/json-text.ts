/**
 * Writes a value as indented JSON until a limit is reached. `JSON.stringify` would first write all of it: an array of a
 * million items takes longer than a request may.
 */

const MOST_DEPTH = 200;
const INDENT = '  ';

interface Writing {
  parts: string[];
  room: number;
}

export function jsonText(value: unknown, most: number): { text: string; is_cut: boolean } {
  const writing: Writing = { parts: [], room: most };
  const whole = write(writing, value, '', 0);
  return { text: writing.parts.join(''), is_cut: !whole };
}

/** False if the limit was reached. */
function put(writing: Writing, text: string): boolean {
  const fits = text.length <= writing.room;
  writing.parts.push(fits ? text : text.slice(0, writing.room).toWellFormed());
  writing.room = Math.max(0, writing.room - text.length);
  return fits;
}

function write(writing: Writing, value: unknown, margin: string, depth: number): boolean {
  if (typeof value === 'string') return writeText(writing, value);
  if (typeof value !== 'object' || value === null) return put(writing, JSON.stringify(value) ?? 'null');
  if (depth === MOST_DEPTH) return put(writing, '…') && false;
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const inner = margin + INDENT;
  let isFirst = true;
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const name = typeof key === 'number' ? '' : `${JSON.stringify(key.slice(0, writing.room))}: `;
    if (!put(writing, `${isFirst ? open : ','}\n${inner}${name}`)) return false;
    if (!write(writing, (value as Record<string | number, unknown>)[key], inner, depth + 1)) return false;
    isFirst = false;
  }
  return put(writing, isFirst ? `${open}${close}` : `\n${margin}${close}`);
}

function writeText(writing: Writing, text: string): boolean {
  const isLong = text.length > writing.room;
  return put(writing, JSON.stringify(isLong ? text.slice(0, writing.room) : text)) && !isLong;
}
