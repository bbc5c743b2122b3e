/** Where the searched texts of an item are in its JSON, found without parsing it. */
export interface JsonField {
  name: 'name' | 'description' | 'author' | 'tags';
  /** Index among the tags; 0 for the other fields. */
  at: number;
  /** Between its quotes. */
  from: number;
  to: number;
}

const NAMES = (['name', 'description', 'author', 'tags'] as const).map((name) => ({
  name,
  key: Buffer.from(`"${name}"`),
}));
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In the order of the item. `start` is its opening brace. The JSON must have no white space. */
export function jsonFields(json: Uint8Array, start: number): JsonField[] {
  const fields: JsonField[] = [];
  let left = NAMES.length;
  for (let at = start + 1; left > 0 && json[at] === QUOTE; at++) {
    const colon = stringEnd(json, at);
    const name = nameAt(json, at, colon);
    at = valueEnd(json, colon + 1);
    if (name === null) continue;
    left--;
    if (name === 'tags') addTags(fields, json, colon + 2);
    else fields.push({ name, at: 0, from: colon + 2, to: at - 1 });
  }
  return fields;
}

function addTags(fields: JsonField[], json: Uint8Array, first: number): void {
  for (let from = first, at = 0; json[from] === QUOTE; from++, at++) {
    const end = stringEnd(json, from);
    fields.push({ name: 'tags', at, from: from + 1, to: end - 1 });
    from = end;
  }
}

function nameAt(json: Uint8Array, from: number, to: number): JsonField['name'] | null {
  for (const { name, key } of NAMES) {
    if (key.length !== to - from) continue;
    let same = 0;
    while (same < key.length && json[from + same] === key[same]) same++;
    if (same === key.length) return name;
  }
  return null;
}

/** One past the closing quote of the string that opens at `open`. */
function stringEnd(json: Uint8Array, open: number): number {
  let at = open + 1;
  while (json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** One past the value that starts at `start`. */
function valueEnd(json: Uint8Array, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const byte = json[at] as number;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    at = byte === QUOTE ? stringEnd(json, at) : at + 1;
  } while (depth > 0 || (json[at] !== COMMA && json[at] !== CLOSE_OBJECT));
  return at;
}
