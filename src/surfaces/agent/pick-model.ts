import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Model } from '#core/llm/model.ts';
import type { Models } from '#core/llm/models.ts';
import { plannerModel } from '#core/llm/planner/planner.ts';
import { PLANNER_ID } from '#core/llm/settings.ts';
import { readChosen } from '#runtime/models/chosen-models.ts';
import { modelUnavailable, modelUnknown } from './refusals.ts';

/** Selects the model: of the call, else the user's, else the default. */

export interface Picked {
  model: Model;
  is_llm: boolean;
}

interface PickDeps {
  db: Kysely<Schema>;
  models: Pick<Models, 'list' | 'pick' | 'current'>;
}

export async function pickModel({ db, models }: PickDeps, user_id: string, named: string | undefined): Promise<Picked> {
  return modelOf(models, named ?? (await readChosen(db, user_id)) ?? models.current);
}

/** Throws a 422 for an unknown model, and a 409 with the reason for an unavailable one. */
export function modelOf(models: PickDeps['models'], id: string): Picked {
  if (id === PLANNER_ID) return { model: plannerModel(), is_llm: false };
  const model = models.pick(id);
  if (model !== null) return { model, is_llm: true };
  const info = models.list().find((modelInfo) => modelInfo.id === id);
  throw info === undefined ? modelUnknown(id) : modelUnavailable(id, info.reason ?? 'Not configured.');
}
