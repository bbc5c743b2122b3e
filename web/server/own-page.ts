import { type Capstan, CapstanError } from '../../sdk/src/index.ts';
import { type BoardView, type PlaceCounts, withPlaces } from '../parts/dashboard.ts';
import type { DoneName, Said } from '../parts/said.ts';
import { doneIn } from '../parts/said.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import type { Answer, Page, Visit } from './page.ts';
import type { ReadForm } from './read-form.ts';
import type { User } from './visitor.ts';

/** Pages of a signed-in user. Others are redirected to the sign-in and back. Forms name their action in `do`. */

export type OwnVisit = Visit & { user: User };
export type FormVisit = OwnVisit & ReadForm;

/** Redirects to the page, which shows the message once. `to` is another path than the form's. */
interface Done {
  done: DoneName;
  to?: string;
}

interface OwnPage {
  /** `form` is the submission after an error, so that the user does not have to type it again. */
  show(visit: OwnVisit, said: Said | null, form: URLSearchParams | null): Promise<Answer>;
  acts?: Record<string, (visit: FormVisit) => Promise<Answer | Done>>;
}

export const ownPage = ({ show, acts = {} }: OwnPage): Page => ({
  get: async (visit) => {
    const { user, query } = visit;
    return user === null ? signInFirst(visit) : placed(visit, await show({ ...visit, user }, doneIn(query), null));
  },
  post: async (visit) => {
    const { user, form, path } = visit;
    if (user === null) return signInFirst(visit);
    const act = Object.hasOwn(acts, form.get('do') ?? '') ? acts[form.get('do') as string] : undefined;
    if (act === undefined) return { location: path };
    try {
      const answer = await act({ ...visit, user });
      return 'done' in answer ? { location: `${answer.to ?? path}?done=${answer.done}` } : placed(visit, answer);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      const shown = await placed(visit, await show({ ...visit, user }, { failed: error }, form));
      return 'content' in shown ? { ...shown, status: error.status } : shown;
    }
  },
});

/** A page of the dashboard gets the navigation beside it. */
const placed = async ({ capstan }: Visit, answer: Answer): Promise<Answer> =>
  'place' in answer ? withPlaces(answer as BoardView, await countsOf(capstan)) : answer;

/** None of them is worth failing a page. */
async function countsOf(capstan: Capstan): Promise<PlaceCounts> {
  try {
    const [connections, tasks, rigs] = await Promise.all([
      capstan.connections.list({ limit: 1 }),
      capstan.tasks.list({ limit: 1 }),
      capstan.rigs.list({ limit: 1 }),
    ]);
    return {
      '/connections': connections.total_count,
      '/tasks': tasks.total_count,
      '/rigs': rigs.total_count,
    };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return {};
  }
}
