import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { BLOCK_EXAMPLE } from '#runtime/harnesses/examples.ts';
import { closed, IfSha256, orNull, Ref, Time } from '#runtime/harnesses/shapes.ts';
import { CONTEXT_LIMITS, LABEL } from './context.ts';

/** The part of the contract that is about the context of harnesses. */

const most = Type.Integer({ minimum: 1, maximum: CONTEXT_LIMITS.max_characters, description: 'Unicode characters.' });

export const Block = Type.Object({
  label: Type.String(),
  description: Type.String(),
  content: Type.String(),
  sha256: Type.String(),
  max_characters: Type.Integer(),
  read_only: Type.Boolean({ description: 'Its content cannot be changed until it is made writable.' }),
  version: Type.Integer({ minimum: 1 }),
  updated_at: Time,
});

const Id = Type.Object({ id: Ref });

export const contextContract = {
  get: operation({
    id: 'runtime.context.get',
    method: 'GET',
    path: '/api/harnesses/{id}/context',
    summary: "Read a harness's context",
    description: 'Every block, by label: short texts that agents with this harness always see.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    examples: { id: 'release-notes' },
    answers: {
      200: jsonAnswer('The blocks.', Type.Object({ items: Type.Array(Block) }), { items: [BLOCK_EXAMPLE] }),
    },
    problems: ['harnesses.not_found'],
  }),
  update: operation({
    id: 'runtime.context.update',
    method: 'POST',
    path: '/api/harnesses/{id}/context',
    summary: "Change a block of a harness's context",
    description:
      'Creates the block if it does not exist. Omitted members do not change. Content over `max_characters` is rejected, ' +
      'never cut. With `delete` the block goes.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    examples: { id: 'release-notes' },
    body: Type.Object(
      {
        label: Type.String({ pattern: LABEL, maxLength: 63 }),
        content: Type.Optional(Type.String()),
        description: Type.Optional(Type.String({ maxLength: 500, description: 'What belongs in the block.' })),
        max_characters: Type.Optional(most),
        read_only: Type.Optional(Type.Boolean()),
        delete: Type.Optional(Type.Literal(true)),
        if_sha256: IfSha256,
      },
      closed,
    ),
    body_example: {
      label: 'audience',
      content: 'Operators who read three lines.',
      description: 'Whom the notes are for.',
      if_sha256: null,
    },
    answers: {
      200: jsonAnswer(
        'The current block; null if it was deleted.',
        Type.Object({ block: orNull(Block, 'The current block.') }),
        { block: BLOCK_EXAMPLE },
      ),
    },
    problems: [
      'harnesses.conflict',
      'users.limit_exceeded',
      'harnesses.not_found',
      'harnesses.invalid',
      'users.quota_exceeded',
    ],
  }),
};
