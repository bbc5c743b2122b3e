import { type Capstan, CapstanError } from '../../sdk/src/index.ts';

/** Who reads. */

export interface User {
  id: string;
  display_name: string;
  tier: string;
}

/** Null where the token is none any more. */
export async function readUser(capstan: Capstan): Promise<User | null> {
  try {
    const { user, tier } = await capstan.auth.getSession();
    return { id: user.id, display_name: user.display_name, tier };
  } catch (error) {
    if (error instanceof CapstanError && error.status === 401) return null;
    throw error;
  }
}
