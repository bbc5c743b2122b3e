import type { Tool } from '@modelcontextprotocol/client';

/** The input of a run that calls a tool: `{"tool": "<name>", "arguments": {…}}`. */

/** A unique id keeps references of the tool's schema inside it. */
export const inputSchemaOf = ({ name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>): Record<string, unknown> => ({
  type: 'object',
  required: (inputSchema.required ?? []).length > 0 ? ['tool', 'arguments'] : ['tool'],
  additionalProperties: false,
  properties: { tool: { const: name }, arguments: { $id: 'urn:capstan:tool-arguments', ...inputSchema } },
});

export function toolNameOf(input: unknown): string | null {
  const tool = typeof input === 'object' && input !== null ? (input as { tool?: unknown }).tool : null;
  return typeof tool === 'string' ? tool : null;
}
