import { readName } from '#catalog/identity/read-name.ts';
import { OWN_SOURCE } from '#catalog/items/own-listings.ts';
import { type CapabilityKind, canonicalRef } from '#runtime/runs/capability.ts';
import { confirmable } from './asked-back.ts';
import { chosenBy, numberedIn } from './named.ts';
import {
  type AskedCall,
  type GateState,
  MOST_CHOSEN,
  MOST_KNOWN,
  MOST_TASKS,
  sameTarget,
  type Target,
} from './state.ts';
import type { Words } from './words.ts';

/** What the gate learns from tool results and from the answer. */

type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

/** Tools whose results contain no untrusted text: our own text, and the user's. Tasks contain what they ran. */
function isClean({ tool, input }: AskedCall): boolean {
  if (tool === 'skill_search') return true;
  if (tool === 'registry_get_skill') return typeof input.name === 'string';
  return tool === 'task_create' && orderedRef(input).kind === 'skill';
}

export function learnResult(state: GateState, call: AskedCall, structured: unknown): GateState {
  const found = targetsIn(call, structured);
  const known = [...state.known.filter((target) => !found.some((other) => sameTarget(target, other))), ...found];
  const id = call.tool === 'task_create' ? objectOf(structured).id : undefined;
  return {
    ...state,
    tainted: state.tainted || !isClean(call),
    known: known.slice(-MOST_KNOWN),
    tasks: typeof id === 'string' ? [...state.tasks, id].slice(-MOST_TASKS) : state.tasks,
  };
}

/** The task's reference in its canonical kind. */
export function orderedRef(input: Json): Pick<Target, 'kind' | 'ref'> {
  const { kind, ref } = objectOf(input.capability);
  // Without a kind, one word may mean several things, so it is never taken for something known.
  const named = kind === undefined ? formKind(String(ref)) : String(kind);
  const asked = { kind: named, ref: String(ref) };
  return asked.kind === 'capability' ? canonicalRef({ kind: 'capability', ref: asked.ref }) : asked;
}

function formKind(ref: string): string {
  const form = readName(ref)?.form ?? 'word';
  if (form === 'word') return '';
  return form === 'tool' ? 'connection' : 'capability';
}

/** Targets in a result that can be run or called. */
export function targetsIn({ tool, input }: AskedCall, structured: unknown): Target[] {
  const { items, ...whole } = objectOf(structured);
  if (tool === 'registry_get_skill') {
    const name = String(whole.name ?? '').slice(0, 200);
    if (typeof input.name === 'string') return [{ kind: 'skill', ref: input.name, name: input.name }];
    return [{ kind: 'listing', ref: `${input.provider}/${input.external_id}`, name }];
  }
  const list = Array.isArray(items) ? items.slice(0, MOST_KNOWN).map(objectOf) : [whole];
  return list.flatMap((json) => targetOf(tool, json));
}

const BY_ID: Record<string, CapabilityKind> = {
  connection_list: 'connection',
  rig_list: 'rig',
  rig_get: 'rig',
  rig_create: 'rig',
  marketplace_search: 'capability',
  marketplace_get: 'capability',
};

function targetOf(tool: string, json: Json): Target[] {
  const name = String(json.name ?? '').slice(0, 200);
  if (json.provider === OWN_SOURCE && typeof json.external_id === 'string')
    return [{ ...canonicalRef({ kind: 'capability', ref: json.external_id }), name }];
  if (typeof json.provider === 'string' && typeof json.external_id === 'string')
    return [{ kind: 'listing', ref: `${json.provider}/${json.external_id}`, name }];
  if (tool === 'skill_search') return [{ kind: 'skill', ref: name, name }];
  const { kind, ref } = objectOf(json.capability);
  if (tool.startsWith('discovery_') && typeof kind === 'string' && typeof ref === 'string')
    return [{ kind, ref, name: '' }];
  const ownKind = BY_ID[tool];
  return ownKind !== undefined && typeof json.id === 'string'
    ? [{ ...canonicalRef({ kind: ownKind, ref: json.id }), name }]
    : [];
}

interface TurnEnd {
  words: Words;
  /** The state when the user wrote. */
  before: GateState;
  /** Including the results of the turn. */
  now: GateState;
  message: string;
  /** The targets in these results. */
  shown: readonly Target[];
  refused: readonly AskedCall[];
  /** The turn's number, if it did something with effects. */
  acted_seq: number | null;
}

/** What the user has seen when the turn has ended. */
export function learnEnd({ words, before, now, message, shown, refused, acted_seq }: TurnEnd): GateState {
  const numbered = numberedIn(message, now.known);
  const distinct = shown.filter((target, at) => shown.findIndex((other) => sameTarget(target, other)) === at);
  const nothingNew = distinct.length === 0 && numbered.length === 0;
  return {
    ...now,
    numbered: nothingNew ? now.numbered : numbered,
    single: nothingNew ? now.single : distinct.length === 1 ? (distinct[0] as Target) : null,
    chosen: acted_seq === null ? [...before.chosen, ...chosenBy(words, before)].slice(-MOST_CHOSEN) : [],
    pending: confirmable(refused),
    acted_seq: acted_seq ?? now.acted_seq,
  };
}
