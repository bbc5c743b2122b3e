import Type, { type TSchema } from 'typebox';

/** Their optional members: providers leave a field out and send null for the same thing. */
export const maybe = <const T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]));
