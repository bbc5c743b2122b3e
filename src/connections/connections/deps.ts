import type { QuestionDesk } from '#connections/questions/question-desk.ts';
import type { SuspendedCalls } from '#connections/questions/suspended-calls.ts';
import type { ToolCalls } from '#connections/tools/tool-calls.ts';
import type { ToolLists } from '#connections/tools/tool-lists.ts';
import type { ConnectionsBase } from './base.ts';
import type { LookAt } from './probe.ts';
import type { Credentials, OAuth, Probe, Vault } from './seams.ts';
import type { Upstreams } from './upstreams.ts';

/** Dependencies of the operations. */
export interface ConnectionsDeps extends ConnectionsBase {
  vault: Vault;
  oauth: OAuth;
  credentials: Credentials;
  probe: Probe;
  look: LookAt;
  upstreams: Upstreams;
  tool_lists: ToolLists;
  calls: ToolCalls;
  questions: QuestionDesk;
  suspended: SuspendedCalls;
}
