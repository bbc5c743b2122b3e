import type { TSchema } from 'typebox';
import type { Node } from './shape.ts';

/** Replaces named schemas by references. Two schemas are the same if their JSON is equal. */

interface SchemaNamer {
  /** Returns the schema as plain JSON. Named schemas become `$ref`, including the schema itself. */
  use(schema: TSchema): Node;
  /** Returns the named schemas that were used, in their original order. */
  components(): Record<string, Node>;
}

export function schemaNamer(schemas: Record<string, TSchema>): SchemaNamer {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const used = new Set<string>();

  const replace = (value: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(item, false));
    if (typeof value !== 'object' || value === null) return value;
    const name = isRoot ? undefined : names.get(JSON.stringify(value));
    if (name !== undefined) {
      used.add(name);
      return { $ref: `#/components/schemas/${name}` };
    }
    const members = Object.entries(value).filter((member) => !isOurPattern(member));
    return Object.fromEntries(members.map(([key, member]) => [key, replace(member, false)]));
  };
  const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema));

  return {
    use: (schema) => replace(plain(schema), false) as Node,
    components: () => {
      const all = Object.entries(schemas).map(([name, schema]) => [name, replace(plain(schema), true)] as const);
      return Object.fromEntries(all.filter(([name]) => used.has(name))) as Record<string, Node>;
    },
  };
}

/**
 * Unicode property escapes are outside the regular expression subset that JSON Schema recommends: most tools do not set
 * the flag `u`, so the pattern would mean something else. The description must explain the rule instead.
 */
const isOurPattern = ([key, value]: [string, unknown]): boolean =>
  key === 'pattern' && typeof value === 'string' && value.includes('\\p{');
