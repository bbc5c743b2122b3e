import { type Html, html, type Value } from '../server/html.ts';

/** The fields of an object's JSON Schema, with the whole schema in a disclosure. */

type Schema = Record<string, unknown>;

export function schemaFields(schema: Schema): Html {
  const properties = Object.entries(asSchema(schema.properties));
  const required = Array.isArray(schema.required) ? schema.required : [];
  return html`${
    properties.length === 0
      ? html`<p class="fine">No input required.</p>`
      : html`<dl class="fields">${properties.map(([name, property]) => field(name, asSchema(property), required.includes(name)))}</dl>`
  }
<details class="raw"><summary>JSON Schema</summary><pre tabindex="0"><code>${JSON.stringify(schema, null, 2)}</code></pre></details>`;
}

const field = (name: string, schema: Schema, isRequired: boolean): Html => html`<div><dt><code>${name}</code>
<span class="label">${typeOf(schema)}${isRequired && ', required'}</span></dt>
<dd dir="auto">${describe(schema)}</dd></div>`;

const asSchema = (properties: unknown): Schema =>
  typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? (properties as Schema) : {};

function describe({ description, default: preset }: Schema): Value {
  const text = typeof description === 'string' ? description : '';
  return html`${text}${preset !== undefined && html` <span class="label">Default: <code>${JSON.stringify(preset)}</code></span>`}`;
}

const MOST_VALUES = 12;

/** `string`, `one of "a", "b"`, `array of integer`. */
export function typeOf(schema: Schema): string {
  const { enum: values, const: constant, type, items, anyOf, oneOf } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) {
    const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
    return `one of ${shown.join(', ')}${values.length > MOST_VALUES ? ' …' : ''}`;
  }
  const either = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  if (either !== null) return [...new Set(either.map((properties) => typeOf(asSchema(properties))))].join(' or ');
  if (type === 'array') return `array of ${typeOf(asSchema(items))}`;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type : 'any';
}
