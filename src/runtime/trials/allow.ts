import { readName } from '#catalog/identity/read-name.ts';
import { serverOf } from '#catalog/install/server-of.ts';
import { findLiveListing } from '#catalog/items/live-listing.ts';
import type { RemoteTool } from '#catalog/items/runnable.ts';
import type { Finding } from '#catalog/items/verification.ts';
import { targetText } from '#catalog/probes/probe-target.ts';
import { findTarget, toolsOfTarget } from '#catalog/probes/read-probes.ts';
import { targetId } from '#catalog/probes/targets.ts';
import type { ListingRow } from '#core/db/schema.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { plainName } from '#core/mcp/tool.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { CapabilityRef } from '#runtime/runs/capability.ts';
import { checkInput } from '#runtime/runs/check-input.ts';
import { capabilityUnknown } from '#runtime/runs/errors.ts';
import { inputSchemaOf, toolNameOf } from '#runtime/runs/tool-input.ts';
import type { TrialsDeps } from './deps.ts';
import { accountRequired } from './refusals.ts';

/**
 * What may run without an account: scripts of this service, which need nothing, and tools of servers that need nothing, declare
 * the tool read-only, and have been seen to. Decided from what is stored, before anything is counted or sent.
 */

export interface Allowed {
  ref: CapabilityRef;
  /** Hash over the tools of the server, as the probe saw them; null for skills. */
  tools_hash: string | null;
}

interface Asked {
  ref: string;
  version?: string | undefined;
  input: unknown;
}

/** @throws Problem `trials.account_required` for everything else, and those of a reference or an input that does not fit. */
export async function allowTrial(deps: TrialsDeps, asked: Asked, share: Share): Promise<Allowed> {
  const { ref, version } = asked;
  const name = readName(ref);
  switch (name?.form) {
    case 'skill':
      return allowSkill(deps, name.name, version);
    case 'word':
      return allowSkill(deps, name.word, version);
    case 'listing':
      return allowTool(deps, { provider: name.provider, external_id: name.external_id }, asked, share);
    case undefined:
      throw runtimeProblem(
        'runs.reference_invalid',
        'Name a skill as skill/name, or a server as provider/external_id.',
        {
          reason: 'reference_malformed',
        },
      );
    default:
      throw accountRequired(
        'capability',
        'Without an account, you can run skills of this service (skill/name) and read-only tools of servers (provider/external_id).',
      );
  }
}

function allowSkill({ skills }: TrialsDeps, name: string, version: string | undefined): Allowed {
  const skill = skills.get(name);
  if (skill === undefined)
    throw capabilityUnknown(`No skill of this service is named ${JSON.stringify(plainName(name))}.`);
  if (skill.execution_class !== 'scripted')
    throw accountRequired('capability', `${name} is run by a language model, which counts against an account.`);
  return { ref: { kind: 'skill', ref: name, version }, tools_hash: null };
}

async function allowTool(
  deps: TrialsDeps,
  key: { provider: string; external_id: string },
  { version, input }: Asked,
  share: Share,
): Promise<Allowed> {
  const { db, clock } = deps.tasks;
  const row = await findLiveListing(db, key, clock.now());
  const seen = await seenServer(deps, row);
  const tools = await toolsOfTarget(db, seen.id);
  const open = tools.filter(isReadOnly);
  const named = toolNameOf(input);
  const tool = tools.find(({ name }) => name === named);
  if (tool === undefined) throw toolUnnamed(row.name, open);
  if (!isReadOnly(tool))
    throw accountRequired(
      'not_read_only',
      `The server does not say that its tool ${plainName(tool.name)} only reads. ${openNames(open)}`,
    );
  const { name, input_schema } = tool;
  if (input_schema !== null) {
    const schema = inputSchemaOf({ name, inputSchema: { ...input_schema, type: 'object' } });
    await checkInput({ kind: 'listing', name: `${row.name}/${plainName(name)}`, input_schema: schema }, input, share);
  }
  const ref = `${row.provider_id}/${row.external_id}`;
  return { ref: { kind: 'listing', ref, version }, tools_hash: seen.tools_hash };
}

/** The server of the listing as it was last seen. */
async function seenServer({ tasks, packaged }: TrialsDeps, row: ListingRow) {
  if (row.execution_class !== 'mcp')
    throw accountRequired(
      'capability',
      `${row.name} is not a server; of others’ skills, nothing runs without an account.`,
    );
  const target = serverOf(row.install === null ? null : JSON.parse(row.install), packaged.refusal);
  if ('reason' in target) throw accountRequired('credentials', target.detail);
  if (target.transport === 'stdio')
    throw accountRequired('capability', `${row.name} is started from its package, which requires an account.`);
  const seen = await findTarget(tasks.db, targetId(targetText(target)));
  if (seen?.reason === 'auth_needed') throw accountRequired('credentials', seen.detail);
  if (seen === undefined || seen.reason !== 'ok' || seen.tools_hash === null || seen.tools_lapsed_at !== null)
    throw accountRequired(
      'not_probed',
      `The tools of ${row.name} have not been checked recently, so they may be unsafe.`,
    );
  const findings = JSON.parse(seen.tool_findings ?? '[]') as Finding[];
  if (findings.some(({ severity }) => severity === 'grave'))
    throw accountRequired('flagged', `The checks found something harmful in the tools of ${row.name}.`);
  return { id: seen.id, tools_hash: seen.tools_hash };
}

/** A tool that an earlier release stored has no hints until the next probe. */
const isReadOnly = ({ annotations }: RemoteTool): boolean => annotations?.readOnlyHint === true;

const MOST_NAMED = 20;

function openNames(open: readonly RemoteTool[]): string {
  if (open.length === 0) return 'It has no tool that runs without an account.';
  const names = open.slice(0, MOST_NAMED).map(({ name }) => plainName(name));
  return `Without an account: ${names.join(', ')}${open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : ''}.`;
}

const toolUnnamed = (name: string, open: readonly RemoteTool[]): Problem =>
  runtimeProblem(
    'runs.input_invalid',
    `Name a tool of ${name} in the input: {"tool": "<name>", "arguments": {…}}. ${openNames(open)}`,
    { reason: 'input_unfit', errors: [{ pointer: '/tool', detail: 'must be the name of one of its tools' }] },
  );
