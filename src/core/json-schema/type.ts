import type * as TypeBox from 'typebox';
import { defined } from '#core/defined.ts';

/**
 * Builds JSON Schemas as data, with TypeBox's format and types. TypeBox's own module also loads a type language and
 * more, about 10 MB at every start; contracts need only this part.
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
    return made(
      { type: 'object', ...defined({ required: required.length > 0 ? required : undefined }), properties },
      options,
    );
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

/** The types come from the signatures above; the result is plain data. */
const made = (schema: object, options: object = {}) => ({ ...schema, ...options }) as never;

/** Returns a copy with a member that is not part of the schema's JSON. */
const marked = (schema: object, name: string, value: unknown) =>
  Object.defineProperty(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), name, {
    configurable: true,
    value,
  }) as never;
