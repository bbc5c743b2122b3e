/** Decides whether a schema is acceptable at all. Iterative, so that no depth overflows the stack. Pure. */

const LIMITS = { characters: 256 * 1024, depth: 64, values: 20_000, pattern: 1_000 } as const;

const DIALECTS = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2019-09/schema',
  'http://json-schema.org/draft-07/schema',
  'http://json-schema.org/draft-06/schema',
];

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

/** Completes a sentence about the schema; null if it is acceptable. */
export function schemaFault(schema: Record<string, unknown>): string | null {
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 1 }];
  let values = 0;
  let characters = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value, depth } = at;
    if (depth > LIMITS.depth) return `is nested more than ${LIMITS.depth} levels deep`;
    if (++values > LIMITS.values) return `has more than ${LIMITS.values} parts`;
    if (typeof value === 'string') characters += value.length;
    if (characters > LIMITS.characters) return `is longer than ${LIMITS.characters} characters`;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      characters += key.length;
      const fault = Array.isArray(value) ? null : memberFault(key, member);
      if (fault !== null) return fault;
      open.push({ value: member, depth: depth + 1 });
    }
  }
  return null;
}

function memberFault(key: string, value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (key === '$schema' && !DIALECTS.includes(value.replace(/#$/, '')))
    return (
      `uses the dialect ${JSON.stringify(value.slice(0, 100))}; only JSON Schema 2020-12 and draft 07 are ` +
      'supported'
    );
  // External references are not fetched. Within itself, a schema can refer to a fragment or its own ids.
  if (REFERENCES.includes(key) && /^([a-z][a-z0-9+.-]*:)?\/\//i.test(value))
    return `refers to ${JSON.stringify(value.slice(0, 100))}; external references are not supported`;
  if (key === 'pattern' && value.length > LIMITS.pattern)
    return `contains a pattern longer than ${LIMITS.pattern} characters`;
  return null;
}
