import { CapstanError } from '../../sdk/src/index.ts';

/** Null if it does not exist or no longer exists. */
export async function orNone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CapstanError && [404, 410].includes(error.status)) return null;
    throw error;
  }
}
