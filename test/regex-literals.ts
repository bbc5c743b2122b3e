/** Finds the regular expression literals of a TypeScript source, so that a test can try each of them. */

export interface RegexLiteral {
  /** From 1. */
  line: number;
  pattern: RegExp;
}

/** After one of these, or after any operator or opening bracket, a slash begins a literal; after a value it divides. */
const BEFORE_LITERAL = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'else',
  'do',
  'yield',
  'await',
  'void',
  'delete',
]);
const WORD = /[\p{ID_Continue}$#]+/uy;
const FLAGS = /[a-z]*/y;

/** @throws SyntaxError where what looks like a literal is none. */
export function regexLiterals(source: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  /** For each `${` that is open, how many braces are open within it. */
  const holes: number[] = [];
  let before = '';
  let line = 1;
  let at = source.startsWith('#!') ? indexOr(source, '\n', 0) : 0;
  const skipTo = (end: number) => {
    for (; at < end; at++) if (source[at] === '\n') line += 1;
  };
  const skipTemplate = () => {
    let end = at;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end))
      end += source[end] === '\\' ? 2 : 1;
    if (source[end] === '`') before = 'a value';
    else {
      holes.push(0);
      before = '{';
    }
    skipTo(end + (source[end] === '`' ? 1 : 2));
  };
  while (at < source.length) {
    const char = source[at] as string;
    if (/\s/.test(char)) skipTo(at + 1);
    else if (source.startsWith('//', at)) skipTo(indexOr(source, '\n', at));
    else if (source.startsWith('/*', at)) skipTo(indexOr(source, '*/', at) + 2);
    else if (char === '"' || char === "'") {
      let end = at + 1;
      while (end < source.length && source[end] !== char) end += source[end] === '\\' ? 2 : 1;
      skipTo(end + 1);
      before = 'a value';
    } else if (char === '`') {
      at += 1;
      skipTemplate();
    } else if (char === '/' && isBeforeLiteral(before)) {
      const end = endOfLiteral(source, at);
      FLAGS.lastIndex = end;
      const flags = FLAGS.exec(source)?.[0] ?? '';
      found.push({ line, pattern: new RegExp(source.slice(at + 1, end - 1), flags) });
      skipTo(end + flags.length);
      before = 'a value';
    } else {
      WORD.lastIndex = at;
      const word = WORD.exec(source)?.[0];
      const open = holes.at(-1);
      if (word === undefined && open !== undefined && char === '}' && open === 0) {
        holes.pop();
        at += 1;
        skipTemplate();
        continue;
      }
      if (open !== undefined && (char === '{' || char === '}'))
        holes[holes.length - 1] = open + (char === '{' ? 1 : -1);
      before = word ?? char;
      at += word?.length ?? 1;
    }
  }
  return found;
}

function indexOr(source: string, sought: string, from: number): number {
  const at = source.indexOf(sought, from);
  return at < 0 ? source.length : at;
}

const isBeforeLiteral = (before: string): boolean =>
  before === '' || BEFORE_LITERAL.has(before) || (/^[^\p{ID_Continue}$#]$/u.test(before) && !/^[)\]}]$/.test(before));

/** After the closing slash; one in a class does not close. Classes nest where the flag `v` says so. */
function endOfLiteral(source: string, start: number): number {
  let classes = 0;
  let at = start + 1;
  for (; source[at] !== '/' || classes > 0; at++) {
    if (at >= source.length || source[at] === '\n') throw new SyntaxError(`A literal at ${start} does not end.`);
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') classes = 1;
    else if (source[at] === ']') classes = 0;
  }
  return at + 1;
}
