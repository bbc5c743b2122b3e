import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** How the tools of a listing changed between two probes. Names are untrusted text. */

export const TOOL_PARTS = ['title', 'description', 'input_schema', 'output_schema', 'annotations'] as const;
export type ToolPart = (typeof TOOL_PARTS)[number];

const Name = Type.String({ description: 'Untrusted text, shortened.' });

export const ToolChange = Type.Object(
  {
    changed_at: Type.String({ format: 'date-time', description: 'Time of the probe that found it.' }),
    from_version: Type.String({ description: 'Version of the listing before; may be empty.' }),
    version: Type.String({ description: 'Version of the listing since; may be empty.' }),
    added: Type.Array(Name),
    removed: Type.Array(Name),
    renamed: Type.Array(Type.Object({ from: Name, to: Name }), {
      description: 'Tools with a new name and the same description and schemas.',
    }),
    changed: Type.Array(Type.Object({ name: Name, parts: Type.Array(Type.Enum([...TOOL_PARTS])) })),
    omitted: Type.Integer({ minimum: 0, description: 'Changes beyond the 100 that are listed.' }),
  },
  { description: 'What changed in the tools from one probe to a later one.' },
);
export type ToolChange = Static<typeof ToolChange>;
