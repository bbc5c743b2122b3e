import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as TypeBox from 'typebox';
import { Type } from './type.ts';

type Make = (type: Pick<typeof TypeBox, keyof typeof Type>) => TypeBox.TSchema;

const SCHEMAS: Record<keyof typeof Type, Make[]> = {
  Array: [(type) => type.Array(type.Null()), (type) => type.Array(type.Null(), { minItems: 1, description: 'some' })],
  Boolean: [(type) => type.Boolean(), (type) => type.Boolean({ default: true })],
  Enum: [(type) => type.Enum(['a', 'b']), (type) => type.Enum([1, 2], { description: 'one' })],
  Integer: [(type) => type.Integer(), (type) => type.Integer({ minimum: 0 })],
  Literal: [
    (type) => type.Literal('a'),
    (type) => type.Literal(1),
    (type) => type.Literal(true, { description: 'yes' }),
  ],
  Null: [(type) => type.Null(), (type) => type.Null({ description: 'none' })],
  Number: [(type) => type.Number(), (type) => type.Number({ maximum: 1.5 })],
  Object: [
    (type) => type.Object({}),
    (type) => type.Object({ a: type.Optional(type.String()) }),
    (type) =>
      type.Object(
        { a: type.String(), b: type.Optional(type.String()), c: type.Null() },
        { additionalProperties: false },
      ),
  ],
  Optional: [
    (type) => type.Optional(type.String({ description: 'text' })),
    (type) => type.Optional(type.Optional(type.Null())),
  ],
  Record: [
    (type) => type.Record(type.String(), type.Integer()),
    (type) => type.Record(type.String({ maxLength: 5 }), type.Integer(), { maxProperties: 3 }),
    (type) => type.Record(type.String({ pattern: '^a' }), type.Integer()),
  ],
  Refine: [
    (type) => type.Refine(type.Optional(type.String()), isShort, tooLong),
    (type) => type.Refine(type.Refine(type.String(), isShort, tooLong), isShort, tooLong),
  ],
  String: [(type) => type.String(), (type) => type.String({ format: 'uri', maxLength: 9 })],
  Union: [(type) => type.Union([type.String(), type.Null()]), (type) => type.Union([type.String()], { default: 'a' })],
  Unknown: [(type) => type.Unknown(), (type) => type.Unknown({ description: 'anything' })],
};

const isShort = (text: unknown) => String(text).length < 5;
const tooLong = () => 'is long';

/** As JSON in its order, plus hidden members; TypeBox's kind marker is not used here. */
function shown(schema: TypeBox.TSchema) {
  const hidden = Object.entries(Object.getOwnPropertyDescriptors(schema)).filter(([name]) => name.startsWith('~'));
  return { json: JSON.stringify(schema), hidden: hidden.filter(([name]) => name !== '~kind').map(plain) };
}
const plain = ([name, { value, enumerable }]: [string, PropertyDescriptor]) => ({ name, value, enumerable });

for (const [kind, makes] of Object.entries(SCHEMAS)) {
  test(`Type.${kind} makes the same schema as TypeBox`, () => {
    for (const make of makes) assert.deepEqual(shown(make(Type)), shown(make(TypeBox)));
  });
}
