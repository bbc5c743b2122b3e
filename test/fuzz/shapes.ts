import type { Dice } from './dice.ts';
import { ADDRESSES, hostileText, hostileValue, objectOf } from './values.ts';

/** Values by a schema: those that fit as far as it says, and those that nearly do. */

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

/** Ids that the service gave before stand in for this when it is sent. */
export const KNOWN = (dice: Dice): string => `~known.${dice.below(64)}~`;

const WORDS = ['a', 'weather', 'inspect-json', 'Ada', 'ada@a.invalid', 'read', '1.0.0', 'mcp', 'smithery', 'x y', 'ü'];

export function fitting(schema: Schema, dice: Dice, depth = 0): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  const oneOfSchema = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (oneOfSchema !== undefined && oneOfSchema.length > 0) return fitting(dice.pick(oneOfSchema), dice, depth);
  switch (Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type) {
    case 'object':
      return objectFitting(schema, dice, depth);
    case 'array': {
      const length = (schema.minItems ?? 0) + (depth > 4 ? 0 : dice.below(3));
      return Array.from({ length }, () => fitting(schema.items ?? {}, dice, depth + 1));
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = minimum + 1_000 } = schema;
      return dice.once(3) ? dice.pick([minimum, maximum]) : minimum + dice.below(Math.max(1, maximum - minimum));
    }
    case 'boolean':
      return dice.once(2);
    case 'null':
      return null;
    case 'string':
      return textFitting(schema, dice);
    default:
      return depth > 3 ? 'x' : hostileValue(dice, 2);
  }
}

function objectFitting({ properties = {}, required = [] }: Schema, dice: Dice, depth: number): unknown {
  const names = Object.keys(properties).filter((name) => required.includes(name) || (depth < 4 && dice.once(2)));
  return objectOf(names.map((name) => [name, fitting(properties[name] as Schema, dice, depth + 1)]));
}

/** Patterns are met by luck alone, and by what the service gave. */
function textFitting({ format, pattern, minLength = 0, maxLength = 1e9 }: Schema, dice: Dice): string {
  if (format === 'uuid' || dice.once(6)) return KNOWN(dice);
  if (format === 'uri' || dice.once(20)) return dice.pick(ADDRESSES);
  if (format === 'email') return 'ada@a.invalid';
  if (pattern === undefined && dice.once(3)) return hostileText(dice).slice(0, maxLength);
  const text = dice.pick(WORDS);
  return text.padEnd(dice.once(8) ? Math.min(maxLength, 5_000) : minLength, 'a').slice(0, maxLength);
}

/** The same value with one place in it made hostile, taken out or added to. */
export function nearly(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice.once(12)) return hostileValue(dice);
  if (Array.isArray(value)) {
    if (value.length === 0 || dice.once(5)) return [...value, hostileValue(dice)];
    const at = dice.below(value.length);
    return value.map((item, index) => (index === at ? nearly(item, dice) : item));
  }
  const members = Object.entries(value);
  if (members.length === 0 || dice.once(6)) return objectOf([...members, [oddName(dice), hostileValue(dice)]]);
  const at = dice.below(members.length);
  if (dice.once(6)) return objectOf(members.filter((_, index) => index !== at));
  return objectOf(members.map(([name, member], index) => [name, index === at ? nearly(member, dice) : member]));
}

const oddName = (dice: Dice): string =>
  dice.once(2) ? dice.pick(['__proto__', 'constructor', 'toString', 'id', '_meta']) : hostileText(dice).slice(0, 100);

/** Text that was JSON: cut, doubled, with bytes changed. */
export function spoilt(text: string, dice: Dice): string {
  const at = dice.below(text.length + 1);
  switch (dice.below(5)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text + text;
    case 2:
      return text.slice(0, at) + hostileText(dice).slice(0, 200) + text.slice(at);
    case 3:
      return `\ufeff${text}`;
    default:
      return text.replace(/"/, "'");
  }
}
