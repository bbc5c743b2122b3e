import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { CAPABILITY_KINDS } from '#runtime/runs/capability.ts';
import { type MakeTaskDeps, makeTask } from '../make-task.ts';
import { TaskAnswer, taskAnswer } from '../task-answer.ts';

const closed = { additionalProperties: false };

export const taskCreate = (deps: MakeTaskDeps) =>
  tool({
    name: 'task_create',
    title: 'Create a task',
    description:
      'Bind a capability, at its exact version, to an input. Nothing runs yet: task_start runs it. An input that does not ' +
      'fit is rejected with the field and its allowed values; for an MCP server the error also lists its tools.',
    scope: 'write',
    input: Type.Object(
      {
        capability: Type.Object(
          {
            kind: Type.Optional(
              Type.Enum([...CAPABILITY_KINDS], {
                description: 'Needed only if `ref` is one word with several meanings.',
              }),
            ),
            ref: Type.String({
              minLength: 1,
              maxLength: 1_000,
              description:
                'A name from any list or search: listing id, publisher/name, skill/name, provider/external_id, the id or ' +
                'name of an own rig or harness, or connection id/tool.',
            }),
            version: Type.Optional(
              Type.String({ minLength: 1, maxLength: 200, description: 'Defaults to the newest.' }),
            ),
          },
          { ...closed, description: 'The capability to run.' },
        ),
        input: Type.Optional(
          Type.Unknown({ description: 'The JSON input. For a listed MCP server: {"tool", "arguments"}.' }),
        ),
        title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A title for people.' })),
        input_files: Type.Optional(
          Type.Array(
            Type.Object(
              {
                path: Type.String({ minLength: 1, maxLength: 200 }),
                content_base64: Type.String({ maxLength: 700_000 }),
              },
              closed,
            ),
            { maxItems: 50, description: 'Under /workspace/input; 512 KiB in all.' },
          ),
        ),
      },
      closed,
    ),
    output: TaskAnswer,
    annotations: { read_only: false, destructive: false, idempotent: false, open_world: true },
    example: {
      capability: { kind: 'skill', ref: 'json-diff' },
      input: { before: { port: 80 }, after: { port: 8080 } },
    },
    run: async (order, call) => taskAnswer(await makeTask(deps, ownerOf(call), order)),
  });
