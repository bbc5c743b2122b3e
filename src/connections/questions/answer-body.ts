import { Type } from '#core/json-schema/type.ts';

/** The answer of a person to a question of a server, as requests send it. */
export const AnswerBody = Type.Object(
  {
    action: Type.Enum(['accept', 'decline', 'cancel'], { description: '`cancel`: nobody decided.' }),
    content: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 200 }),
        Type.Union([
          Type.String({ maxLength: 8_192 }),
          Type.Number(),
          Type.Boolean(),
          Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
        ]),
        { maxProperties: 50, description: 'The fields of the form, for `accept`.' },
      ),
    ),
  },
  { additionalProperties: false },
);
