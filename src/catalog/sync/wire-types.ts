import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** An optional member. Providers omit it or send null for the same thing. */
export const maybe = <const T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]));

/** The records of a page. Each is validated separately, so that an invalid one does not affect the others. */
export const Records = Type.Array(Type.Unknown());
