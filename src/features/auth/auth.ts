import type { Guard } from '../../platform/http/gates.ts';
import type { Routes } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import type { authContract } from './contract.ts';
import type { AuthOptions } from './deps.ts';
import { authRoutes } from './routes.ts';
import type { StartSignIn } from './signed-in.ts';

/** The door to identity: who may call, and the operations of signing in. */
export interface Auth {
  guard: Guard;
  routes: Routes<typeof authContract>;
  startSignIn: StartSignIn;
}

export function createAuth(options: AuthOptions): Auth {
  const startSignIn: StartSignIn = async () => {
    throw new Error('Tokens are not there yet.');
  };
  const guard: Guard = {
    admit: async () => {
      throw new Problem('unauthenticated', 'auth.token_missing', 'Send a token: Authorization: Bearer <token>.');
    },
    stepUp: async () => {},
  };
  return { guard, startSignIn, routes: authRoutes({ ...options, startSignIn }) };
}
