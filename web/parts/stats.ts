import { CapstanError } from '../../sdk/src/index.ts';

/** Null while the catalog or the marketplace's index is being built after startup. */
export async function orWarmingUp<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CapstanError && error.code === 'http.unavailable') return null;
    throw error;
  }
}
