import { Type } from '#core/json-schema/type.ts';

/** The response to a DELETE. */
export const DELETED = { status: 'deleted' } as const;

export const Deleted = Type.Object({ status: Type.Literal('deleted') });

export const deleted = (description: string) => ({
  description,
  content: {
    'application/json': { schema: Deleted, example: DELETED },
  },
});
