import type { Finding } from '#catalog/items/verification.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';

/** What the static checks found in a server's tools at its last probe. Pure. */
export interface ProbedTools {
  checked_at: string;
  findings: Finding[];
  /** Whether the last probe is so old that the tools may have changed. */
  is_lapsed: boolean;
  /** Hash over the definitions of all tools. */
  hash: string | null;
}

export type ToolColumns = Pick<ProbeTargetRow, 'tools_hash'> & {
  tools_checked_at: string | null;
  tool_findings: string | null;
  tools_lapsed_at: string | null;
};

/** Null if no tools were checked. */
export const probedToolsOf = ({
  tools_hash,
  tools_checked_at,
  tool_findings,
  tools_lapsed_at,
}: ToolColumns): ProbedTools | null =>
  tools_checked_at === null
    ? null
    : {
        checked_at: tools_checked_at,
        findings: tool_findings === null ? [] : (JSON.parse(tool_findings) as Finding[]),
        is_lapsed: tools_lapsed_at !== null,
        hash: tools_hash,
      };
