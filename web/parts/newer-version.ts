import { type Capstan, CapstanError, type ItemDetail, type Task } from '../../sdk/src/index.ts';

/**
 * The version that a new run would use, if it is another one than that of a past run. Null for what has no versions, such
 * as connections, and for what is gone.
 */
export async function newerVersion(
  capstan: Capstan,
  { kind, ref, version }: Task['capability'],
): Promise<string | null> {
  try {
    const current = await FIND[kind]?.(capstan, ref);
    return current === undefined || current === '' || current === version ? null : current;
  } catch (error) {
    if (error instanceof CapstanError && error.status >= 400 && error.status < 500) return null;
    throw error;
  }
}

const FIND: Partial<Record<Task['capability']['kind'], (capstan: Capstan, ref: string) => Promise<string>>> = {
  skill: async (capstan, name) => (await capstan.skills.get({ name })).version,
  listing: async (capstan, ref) => {
    const slash = ref.indexOf('/');
    const [provider, id] = [ref.slice(0, slash), ref.slice(slash + 1)] as [ItemDetail['provider_id'], string];
    return (await capstan.items.get({ provider, id })).version ?? '';
  },
  rig: async (capstan, id) => (await capstan.rigs.get({ id })).version,
  capability: async (capstan, id) => (await capstan.listings.get({ id })).version ?? '',
};
