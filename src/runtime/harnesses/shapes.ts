import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** Shapes that several operations and tools of harnesses share. */

export const closed = { additionalProperties: false };
export const orNull = <const T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const Time = Type.String({ format: 'date-time' });
export const Ref = Type.String({ minLength: 1, maxLength: 100, description: 'Id or name of a harness of yours.' });
export const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Lower-case hex.' });
export const Note = Type.Optional(Type.String({ maxLength: 500, description: 'Why, for people.' }));
export const IfSha256 = Type.Optional(
  orNull(Sha256, 'Expected hash of the current content; null if it must not exist. Omit it to overwrite any content.'),
);

export const MemoryPath = Type.String({ minLength: 1, maxLength: 200, description: 'Such as style/tense.md.' });
export const MemoryText = Type.String({ description: 'At most 100 KiB.' });

export const MemoryLine = Type.Object({
  path: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  sha256: orNull(Type.String(), 'Hash of the content; null if it was deleted.'),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  updated_at: Time,
});
