import type { Finding } from '#catalog/items/verification.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';

/** The tools that a server showed when it was visited, as far as the checks of them go. Pure. */
export interface SeenTools {
  checked_at: string;
  findings: Finding[];
  /** Whether nobody has visited the server for so long that its tools may be others now. */
  is_lapsed: boolean;
  /** Over the definitions of all of them. */
  hash: string | null;
}

export type ToolColumns = Pick<ProbeTargetRow, 'tools_hash'> & {
  tools_checked_at: string | null;
  tool_findings: string | null;
  tools_lapsed_at: string | null;
};

/** Null where nobody has checked any. */
export const seenToolsOf = ({
  tools_hash,
  tools_checked_at,
  tool_findings,
  tools_lapsed_at,
}: ToolColumns): SeenTools | null =>
  tools_checked_at === null
    ? null
    : {
        checked_at: tools_checked_at,
        findings: tool_findings === null ? [] : (JSON.parse(tool_findings) as Finding[]),
        is_lapsed: tools_lapsed_at !== null,
        hash: tools_hash,
      };
