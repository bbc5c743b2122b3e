import { CapstanError } from '../../sdk/src/index.ts';
import type { Page } from '../server/page.ts';

/** `/signout`: ends this session, or with `all` every session of the account. */
export const signOut: Page = {
  get: () => ({ location: '/dashboard/sessions' }),
  post: async ({ capstan, user, form, session }) => {
    try {
      if (user !== null && form.get('all') === '1') await capstan.signIns.deleteOthers();
      if (user !== null) await capstan.signIns.logOut();
    } catch (error) {
      // An invalid session is already ended.
      if (!(error instanceof CapstanError) || error.status !== 401) throw error;
    }
    return { location: '/signin?done=signed_out', cookies: session.drop() };
  },
};
