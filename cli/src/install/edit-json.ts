import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * Inserts, replaces or removes one property of JSON with comments without changing any other character. (jsonc-parser's own
 * edits also reformat neighbours and remove preceding comments.)
 */

/** Sets the value at `path` and creates missing objects. Undefined removes it. */
export function withProperty(text: string, path: readonly [string, ...string[]], value: unknown): string {
  const whole = text.trim() === '' ? '{}\n' : text;
  const root = parseTree(whole, [], { allowTrailingComma: true }) as Node;
  const style = { unit: /\n([ \t]+)"/.exec(whole)?.[1] ?? '  ', eol: whole.includes('\r\n') ? '\r\n' : '\n' };
  const found = findNodeAtLocation(root, [...path]);
  if (value === undefined) return found?.parent === undefined ? whole : withoutProperty(whole, found.parent);
  if (found !== undefined) {
    const { offset, length } = found;
    return `${whole.slice(0, offset)}${written(value, path.length, style)}${whole.slice(offset + length)}`;
  }
  const depth = path.findIndex((_, at) => findNodeAtLocation(root, path.slice(0, at + 1)) === undefined);
  const parent = depth === 0 ? root : (findNodeAtLocation(root, path.slice(0, depth)) as Node);
  const inner = path.slice(depth + 1).reduceRight<unknown>((all, name) => ({ [name]: all }), value);
  return withLast(whole, parent, `${JSON.stringify(path[depth])}: ${written(inner, depth + 1, style)}`, depth, style);
}

interface Style {
  unit: string;
  eol: string;
}

const written = (value: unknown, depth: number, { unit, eol }: Style): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${unit.repeat(depth)}`);

/** After everything before the closing brace, including comments. */
function withLast(text: string, parent: Node, property: string, depth: number, { unit, eol }: Style): string {
  const last = parent.children?.at(-1);
  const from = last === undefined ? parent.offset + 1 : endOf(last);
  const close = endOf(parent) - 1;
  const between = text.slice(from, close);
  const kept = between.trimEnd();
  const space = between.slice(kept.length);
  const hasComma = bare(text).slice(from, close).includes(',');
  const before = `${text.slice(0, from)}${last === undefined || hasComma ? '' : ','}${kept}`;
  const end = space.includes('\n') ? space : `${eol}${unit.repeat(depth)}`;
  return `${before}${eol}${unit.repeat(depth + 1)}${property}${hasComma ? ',' : ''}${end}${text.slice(close)}`;
}

function withoutProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const plain = bare(text);
  const comma = /^\s*,/.exec(plain.slice(endOf(property)))?.[0] ?? '';
  const before = text.slice(0, property.offset).replace(/(?<![ \t])[ \t]+$/, '');
  const after = text.slice(endOf(property) + comma.length);
  // The last one: what parted it from the one before goes too.
  const parted = comma === '' && previous !== undefined ? plain.indexOf(',', endOf(previous)) : -1;
  const kept = parted === -1 ? before : `${before.slice(0, parted)}${before.slice(parted + 1)}`;
  // With one end of a line: its own, where a comment needs the one above.
  return endsInComment(kept) ? kept + after.replace(/^[ \t]*\r?\n/, '') : kept.replace(/\r?\n$/, '') + after;
}

const endsInComment = (text: string): boolean =>
  text.endsWith('\n') && text.slice(text.lastIndexOf('\n', text.length - 2) + 1).includes('//');

/** Of a property: of its value, since the parser counts what follows to it. */
function endOf(node: Node): number {
  const { offset, length } = node.type === 'property' ? (node.children?.[1] ?? node) : node;
  return offset + length;
}

/** `SyntaxKind` of jsonc-parser, which is there for its compiler alone. */
const COMMENTS = [12, 13];
const EOF = 17;

/** As long as the text, with blanks for comments. (`stripComments` of jsonc-parser blanks a character too many.) */
function bare(text: string): string {
  const scanner = createScanner(text);
  let blanked = '';
  for (let kind: number = scanner.scan(); kind !== EOF; kind = scanner.scan()) {
    const [at, length] = [scanner.getTokenOffset(), scanner.getTokenLength()];
    blanked += COMMENTS.includes(kind) ? ' '.repeat(length) : text.slice(at, at + length);
  }
  return blanked;
}
