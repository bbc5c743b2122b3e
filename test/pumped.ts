/** Texts that make a regular expression try the same characters again and again, made from the expression itself. */

/** One thing that an expression takes, as a few texts that it takes there. */
type Atom = readonly string[];

const SAMPLES: Record<string, Atom> = {
  d: ['0'],
  D: ['a', ' '],
  w: ['a', '0', '_'],
  W: [' ', '-', '.'],
  s: [' ', '\n', '\t'],
  S: ['a', '"'],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
  b: [],
  B: [],
  p: ['a', '0', '\u0301', '\u200b', '\u{1f469}', ' ', '\u00df'],
  P: ['-', ' ', 'a'],
};

const ANY: Atom = ['a', ' ', '-', '"', '/', '.', ':'];

/** What an expression takes in the order in which it is written, whichever way its groups and alternatives go. */
function atomsOf({ source }: RegExp): Atom[] {
  const atoms: Atom[] = [];
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at);
    const sequence = /^\\(?:[pPk](?:\{[^}]*\}|<[^>]*>)|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/su.exec(
      rest,
    )?.[0];
    const skipped = /^(?:\((?:\?(?:<[A-Za-z]\w*>|<?[:=!]|:))?|[)|^$*+?]|\{\d+,?\d*\})/.exec(rest)?.[0];
    if (sequence !== undefined) {
      atoms.push(samplesOf(sequence));
      at += sequence.length - 1;
    } else if (skipped !== undefined) at += skipped.length - 1;
    else if (rest.startsWith('[')) {
      const end = endOfClass(source, at);
      atoms.push(classOf(source.slice(at + 1, end)));
      at = end;
    } else if (rest.startsWith('.')) atoms.push(ANY);
    else {
      const [char = ''] = rest;
      atoms.push([char]);
      at += char.length - 1;
    }
  }
  return atoms.filter((atom) => atom.length > 0);
}

function endOfClass(source: string, start: number): number {
  let at = start + 1;
  let depth = 1;
  for (; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') depth += 1;
    else if (source[at] === ']') depth -= 1;
    if (depth === 0) break;
    // Brackets nest in expressions of the flag `v` only; elsewhere the first one closes.
    if (depth > 1 && !source.slice(at).includes(']]') && !source.slice(at).includes(']--')) depth = 1;
  }
  return at;
}

function classOf(body: string): Atom {
  const chars = [
    ...body.matchAll(/\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)|[^\\]/gsu),
  ].flatMap(([one]) => (one.startsWith('\\') ? samplesOf(one) : [one]));
  if (!body.startsWith('^'))
    return chars
      .filter((char) => char !== '-')
      .slice(0, 6)
      .concat(body.endsWith('-') ? ['-'] : []);
  return [...'a 0"/.:-\n@<=[`'].filter((char) => !chars.includes(char)).slice(0, 5);
}

function samplesOf(sequence: string): Atom {
  const code = /^\\(?:u\{?|x)([0-9a-fA-F]+)/.exec(sequence)?.[1];
  if (code !== undefined) return [String.fromCodePoint(Number.parseInt(code, 16))];
  const [, name = ''] = [...sequence];
  return SAMPLES[name] ?? [name];
}

const MOST_ATOMS = 60;

/** Each makes a text of about the length that is asked for. */
export function pumpedInputs(pattern: RegExp): ((length: number) => string)[] {
  const atoms = atomsOf(pattern).slice(0, MOST_ATOMS);
  const firsts = atoms.map(([first = '']) => first);
  const pieces = new Map<string, string>();
  for (const [at, atom] of atoms.entries()) {
    const before = firsts.slice(0, at).join('');
    for (const one of atom) {
      pieces.set(one, '');
      pieces.set(`${one}\u0001`, '');
      pieces.set(one + (firsts[at + 1] ?? ''), '');
      // The same after what leads to it, which a text may hold once or again and again.
      pieces.set(`${one}\u0000`.slice(0, -1), pieces.get(one) === '' ? before : (pieces.get(one) ?? ''));
      pieces.set(before + one, '');
    }
    pieces.set(firsts.slice(at).join(''), '');
  }
  return [...pieces].flatMap(([piece, before]) =>
    piece === ''
      ? []
      : ['\n', '\0x'].map((end) => (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + end),
  );
}
