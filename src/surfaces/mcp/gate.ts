import { insufficientScope, namingMetadata, tokenMissing } from '#accounts/auth/refusals.ts';
import { USUAL_SCOPES } from '#accounts/oauth/scopes.ts';
import type { Caller, Scope } from '#core/http/caller.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { RpcMessage } from './rpc.ts';

/** Checks what a message requires of its sender, before the library sees it and again before a tool runs. */

export interface Gate {
  /** Throws a 401 without a caller and a 403 with too few scopes; both link to the metadata of this resource. */
  admit(message: RpcMessage, caller: Caller | null, path: string): void;
}

/** `metadataAt`: the URL of the metadata for the path of a request. */
export function createGate({ tools, extensions }: Offer, metadataAt: (path: string) => string): Gate {
  const scopes = new Map(tools.map(({ name, scope }) => [name, scope]));
  const guarded = new Set(
    extensions.filter((extension) => extension.auth === 'jwt').flatMap((extension) => Object.keys(extension.methods)),
  );
  const refuse = (problem: Problem, path: string): never => {
    throw namingMetadata(problem, metadataAt(path));
  };
  return {
    admit({ method, params }, caller, path) {
      if (method !== undefined && guarded.has(method) && caller === null) refuse(tokenMissing(USUAL_SCOPES), path);
      if (method !== 'tools/call') return;
      // A name that is not a string fails validation later.
      const scope = typeof params?.name === 'string' ? (scopes.get(params.name) ?? null) : null;
      if (mayCall(scope, caller)) return;
      refuse(caller === null ? tokenMissing(USUAL_SCOPES) : insufficientScope(scope as Scope, caller.scopes), path);
    },
  };
}

export const mayCall = (scope: Scope | null, caller: Caller | null): boolean =>
  scope === null || caller?.scopes.includes(scope) === true;
