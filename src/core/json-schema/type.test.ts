import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as TypeBox from 'typebox';
import { Type } from './type.ts';

type Make = (type: Pick<typeof TypeBox, keyof typeof Type>) => TypeBox.TSchema;

const SCHEMAS: Record<keyof typeof Type, Make[]> = {
  Array: [(it) => it.Array(it.Null()), (it) => it.Array(it.Null(), { minItems: 1, description: 'some' })],
  Boolean: [(it) => it.Boolean(), (it) => it.Boolean({ default: true })],
  Enum: [(it) => it.Enum(['a', 'b']), (it) => it.Enum([1, 2], { description: 'one' })],
  Integer: [(it) => it.Integer(), (it) => it.Integer({ minimum: 0 })],
  Literal: [(it) => it.Literal('a'), (it) => it.Literal(1), (it) => it.Literal(true, { description: 'yes' })],
  Null: [(it) => it.Null(), (it) => it.Null({ description: 'none' })],
  Number: [(it) => it.Number(), (it) => it.Number({ maximum: 1.5 })],
  Object: [
    (it) => it.Object({}),
    (it) => it.Object({ a: it.Optional(it.String()) }),
    (it) => it.Object({ a: it.String(), b: it.Optional(it.String()), c: it.Null() }, { additionalProperties: false }),
  ],
  Optional: [(it) => it.Optional(it.String({ description: 'text' })), (it) => it.Optional(it.Optional(it.Null()))],
  Record: [
    (it) => it.Record(it.String(), it.Integer()),
    (it) => it.Record(it.String({ maxLength: 5 }), it.Integer(), { maxProperties: 3 }),
    (it) => it.Record(it.String({ pattern: '^a' }), it.Integer()),
  ],
  Refine: [
    (it) => it.Refine(it.Optional(it.String()), isShort, tooLong),
    (it) => it.Refine(it.Refine(it.String(), isShort, tooLong), isShort, tooLong),
  ],
  String: [(it) => it.String(), (it) => it.String({ format: 'uri', maxLength: 9 })],
  Union: [(it) => it.Union([it.String(), it.Null()]), (it) => it.Union([it.String()], { default: 'a' })],
  Unknown: [(it) => it.Unknown(), (it) => it.Unknown({ description: 'anything' })],
};

const isShort = (text: unknown) => String(text).length < 5;
const tooLong = () => 'is long';

/** As JSON, in its order, and with the members that JSON does not show; TypeBox's name of the kind serves nobody here. */
const shown = (schema: TypeBox.TSchema) => {
  const hidden = Object.entries(Object.getOwnPropertyDescriptors(schema)).filter(([name]) => name.startsWith('~'));
  return { json: JSON.stringify(schema), hidden: hidden.filter(([name]) => name !== '~kind').map(plain) };
};
const plain = ([name, { value, enumerable }]: [string, PropertyDescriptor]) => ({ name, value, enumerable });

for (const [kind, makes] of Object.entries(SCHEMAS)) {
  test(`${kind} is what TypeBox makes`, () => {
    for (const make of makes) assert.deepEqual(shown(make(Type)), shown(make(TypeBox)));
  });
}
