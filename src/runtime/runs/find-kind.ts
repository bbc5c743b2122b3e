import { MOST_NAME_CHARS, type Name, readName } from '#catalog/identity/read-name.ts';
import { quoted } from '#core/tools/words.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { AskedRef, CapabilityKind, CapabilityRef } from './capability.ts';
import { capabilityUnknown } from './errors.ts';

/** Something that the caller can name by one word or by its id. */
export interface OwnName {
  kind: 'skill' | 'rig' | 'harness';
  /** A reference that names nothing else. */
  ref: string;
}

/** First-party skills, and rigs and harnesses of this user, with exactly this id or name. */
export type OwnNames = (user_id: string | null, name: string) => Promise<OwnName[]>;

interface FindKindDeps {
  own: OwnNames;
  /** The kinds that can be resolved. */
  known: readonly string[];
}

/**
 * The kind of a reference. The form of the name decides; only words and ids are looked up, among what the caller owns. A
 * `kind` settles which of several things a word means. Of an id that belongs to nothing of the caller's, the marketplace decides.
 */
export async function findKind(deps: FindKindDeps, asked: AskedRef, user_id: string | null): Promise<CapabilityRef> {
  const { kind, ref } = asked;
  const name = readName(ref);
  if (ref.length > MOST_NAME_CHARS) throw malformed(`A reference has at most ${MOST_NAME_CHARS} characters.`);
  if (kind === undefined && name === null) throw malformed(FORMS);
  if (kind === undefined) return as(asked, await foundKind(deps, name as Name, user_id));
  if (name?.form === 'skill' && (kind === 'skill' || kind === 'capability'))
    return { ...asked, kind: 'skill', ref: name.name };
  // The form of the name outweighs a kind that it cannot belong to, where the marketplace can look further.
  if (name === null || !deps.known.includes('capability') || isFormOf(kind, name)) return { ...asked, kind };
  if (name.form !== 'id' || (kind !== 'rig' && kind !== 'harness')) return { ...asked, kind: 'capability' };
  const own = (await deps.own(user_id, name.id)).filter((found) => found.kind === kind);
  return own.length > 0 ? { ...asked, kind } : { ...asked, kind: 'capability' };
}

type Found = Pick<CapabilityRef, 'kind' | 'ref'>;

const as = (asked: AskedRef, { kind, ref }: Found): CapabilityRef => ({ ...asked, kind, ref });

async function foundKind({ own }: FindKindDeps, name: Name, user_id: string | null): Promise<Found> {
  switch (name.form) {
    case 'skill':
      return { kind: 'skill', ref: name.name };
    case 'listing':
      return { kind: 'listing', ref: `${name.provider}/${name.external_id}` };
    case 'published':
      return { kind: 'capability', ref: `${name.publisher}/${name.name}` };
    case 'tool':
      return { kind: 'connection', ref: `${name.id}/${name.tool}` };
    case 'id': {
      const [first] = await own(user_id, name.id);
      return first ?? { kind: 'capability', ref: name.id };
    }
    case 'word':
      return onlyOne(name.word, await own(user_id, name.word));
  }
}

function onlyOne(word: string, found: readonly OwnName[]): OwnName {
  const [first, ...more] = found;
  if (first === undefined)
    throw capabilityUnknown(
      `Nothing is named ${quoted(word, 100)}. Search the marketplace, and use an id from the results.`,
    );
  if (more.length === 0) return first;
  const candidates = found.map(({ kind, ref }) => ({ kind, ref }));
  throw runtimeProblem(
    'runs.reference_invalid',
    `${quoted(word, 100)} names ${found.length} things: ${candidates.map(({ kind, ref }) => `${kind} ${ref}`).join(', ')}.`,
    { reason: 'reference_ambiguous', extensions: { candidates } },
  );
}

/** Whether a kind resolves this form of name as it is. */
const FORMS_OF: Record<CapabilityKind, readonly Name['form'][]> = {
  skill: ['word'],
  listing: ['listing', 'word', 'tool'],
  connection: ['id', 'tool', 'word', 'listing', 'published', 'skill'],
  rig: ['word'],
  harness: ['word'],
  capability: ['id', 'listing', 'published', 'skill', 'word', 'tool'],
};

const isFormOf = (kind: CapabilityKind, { form }: Name): boolean => FORMS_OF[kind].includes(form);

const FORMS =
  'Name it by the id of a listing, publisher/name, skill/name, provider/external_id, a skill’s name, or connection id/tool.';

const malformed = (detail: string) =>
  runtimeProblem('runs.reference_invalid', detail, { reason: 'reference_malformed' });
