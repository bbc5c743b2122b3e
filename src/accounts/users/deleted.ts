import { jsonAnswer } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The response to a DELETE. */
export const DELETED = { status: 'deleted' } as const;

export const Deleted = Type.Object({ status: Type.Literal('deleted') });

export const deleted = (description: string) => jsonAnswer(description, Deleted, DELETED);
