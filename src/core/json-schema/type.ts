import type * as TypeBox from 'typebox';

/**
 * JSON Schema as data, in the form and with the types of TypeBox. Its own module brings a language for types and more
 * along, some 10 MB at every start; what a contract says needs this much.
 */
export const Type: Pick<typeof TypeBox, Kind> = {
  Array: (items: object, options?: object) => made({ type: 'array', items }, options),
  Boolean: (options?: object) => made({ type: 'boolean' }, options),
  Enum: (values: unknown, options?: object) => made({ enum: values }, options),
  Integer: (options?: object) => made({ type: 'integer' }, options),
  Literal: (value: unknown, options?: object) => made({ type: typeof value, const: value }, options),
  Null: (options?: object) => made({ type: 'null' }, options),
  Number: (options?: object) => made({ type: 'number' }, options),
  Object: (properties: Record<string, object>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !('~optional' in (properties[name] as object)));
    return made({ type: 'object', ...(required.length > 0 && { required }), properties }, options);
  },
  Optional: (schema: object) => marked(schema, '~optional', true),
  Record: (key: { pattern?: string | RegExp }, value: object, options?: object) =>
    made({ type: 'object', patternProperties: { [String(key.pattern ?? '^.*$')]: value } }, options),
  Refine: (schema: object, check: unknown, error: unknown = () => 'does not match') =>
    marked(schema, '~refine', [...((schema as { '~refine'?: [] })['~refine'] ?? []), { check, error }]),
  String: (options?: object) => made({ type: 'string' }, options),
  Union: (anyOf: object[], options?: object) => made({ anyOf }, options),
  Unknown: (options?: object) => made({}, options),
};

type Kind =
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Literal' | 'Null' | 'Number' | 'Object')
  | ('Optional' | 'Record' | 'Refine' | 'String' | 'Union' | 'Unknown');

/** The types are those of the signatures above; what is made is plain data. */
const made = (schema: object, options: object = {}) => ({ ...schema, ...options }) as never;

/** A copy with a member that the schema's JSON does not show. */
const marked = (schema: object, name: string, value: unknown) =>
  Object.defineProperty(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), name, {
    configurable: true,
    value,
  }) as never;
