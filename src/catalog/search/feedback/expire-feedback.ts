import { type Expiry, expiryKind } from '#core/jobs/expiry.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { RECENT_MS, removeRecent } from './recent-searches.ts';
import { forgetVoices, removeFeedback } from './store.ts';

/** Jobs that delete recent searches, the hashes of a day once it is over, and counts after their retention. */

const FORGET_VOICES = 'search_voices_expire';
const EXPIRE_FEEDBACK = 'search_feedback_expire';
const EXPIRE_RECENT = 'search_recent_expire';
export const FEEDBACK_JOBS = [FORGET_VOICES, EXPIRE_FEEDBACK, EXPIRE_RECENT] as const;

type Deps = Pick<Expiry, 'db' | 'clock' | 'kept_ms'>;

export const expireFeedbackKinds = ({ db, clock, kept_ms }: Deps): Record<string, JobKind> => ({
  ...expiryKind({ kind: FORGET_VOICES, db, clock, kept_ms: 0, batch: 500, remove: forgetVoices }),
  ...expiryKind({ kind: EXPIRE_RECENT, db, clock, kept_ms: RECENT_MS, batch: 500, remove: removeRecent }),
  ...expiryKind({ kind: EXPIRE_FEEDBACK, db, clock, kept_ms, batch: 500, remove: removeFeedback }),
});
