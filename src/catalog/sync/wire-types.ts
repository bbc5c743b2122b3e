import type { TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** Their optional members: providers leave a field out and send null for the same thing. */
export const maybe = <const T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]));

/** The records of a page, each checked on its own: a bad one must not cost the others. */
export const Records = Type.Array(Type.Unknown());
