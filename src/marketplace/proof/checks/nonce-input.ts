/** Unpredictable inputs, so that outputs cannot be prepared. Pure. */

const MOST_VARIANTS = 8;
const DEEPEST = 6;

/** Variants of the value, each with one string (or else one integer) changed by the nonce. */
export function variantsOf(value: unknown, nonce: string): unknown[] {
  const texts: unknown[] = [];
  const numbers: unknown[] = [];
  vary(value, (changed, isText) => (isText ? texts : numbers).push(changed), nonce, 0);
  return [...texts, ...numbers].slice(0, MOST_VARIANTS);
}

type Take = (changed: unknown, isText: boolean) => void;

function vary(value: unknown, take: Take, nonce: string, depth: number): void {
  if (depth > DEEPEST) return;
  if (typeof value === 'string') take(value === '' ? nonce : `${value} ${nonce}`, true);
  else if (Number.isSafeInteger(value))
    take((value as number) + (Number.parseInt(nonce.slice(0, 2), 16) % 7) + 1, false);
  else if (Array.isArray(value))
    value.forEach((item, at) => {
      vary(item, (changed, isText) => take(value.with(at, changed), isText), nonce, depth + 1);
    });
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value))
      vary(item, (changed, isText) => take({ ...value, [name]: changed }, isText), nonce, depth + 1);
}

type Schema = Record<string, unknown>;

/** A small value with the schema's required members; undefined if the schema does not allow to derive one. */
export function fromSchema(schema: unknown, nonce: string, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST) return undefined;
  const node = schema as Schema;
  if ('const' in node) return node.const;
  for (const given of [node.enum, node.examples]) if (Array.isArray(given) && given.length > 0) return given[0];
  if (node.type === 'string')
    return node.pattern === undefined && node.format === undefined ? textOf(node, nonce) : node.default;
  if (node.default !== undefined) return node.default;
  switch (node.type) {
    case 'integer':
    case 'number':
      return typeof node.minimum === 'number' ? node.minimum : 1;
    case 'boolean':
      return false;
    case 'array':
      return manyOf(node, nonce, depth);
    case 'object':
      return membersOf(node, nonce, depth);
    default:
      return undefined;
  }
}

function textOf({ minLength, maxLength }: Schema, nonce: string): string {
  const most = typeof maxLength === 'number' ? maxLength : nonce.length;
  return nonce.padEnd(typeof minLength === 'number' ? Math.min(minLength, 1_000) : 0, nonce).slice(0, most);
}

function manyOf({ items, minItems }: Schema, nonce: string, depth: number): unknown[] | undefined {
  if (typeof minItems !== 'number' || minItems === 0) return [];
  const one = fromSchema(items, nonce, depth + 1);
  return one === undefined || minItems > 20 ? undefined : Array.from({ length: minItems }, () => one);
}

function membersOf({ properties = {}, required = [] }: Schema, nonce: string, depth: number): object | undefined {
  const made: [string, unknown][] = [];
  for (const name of required as string[]) {
    const value = fromSchema((properties as Schema)[name], nonce, depth + 1);
    if (value === undefined) return undefined;
    made.push([name, value]);
  }
  return Object.fromEntries(made);
}
