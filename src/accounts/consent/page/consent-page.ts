import { actionSources } from '#accounts/oauth/redirect-uri.ts';
import type { AuthorizationRequest } from '#accounts/oauth/request.ts';
import { SCOPE_WORDS } from '#accounts/oauth/scopes.ts';
import type { User } from '#accounts/users/users.ts';
import type { Scope } from '#core/http/caller.ts';
import { type Html, html } from '#core/http/html.ts';
import type { Reply } from '#core/http/operation.ts';
import { visible } from '#core/markdown/escape.ts';
import { SERVICE } from '#core/service.ts';
import { shownClient, whereTo, whoAsks } from './asking.ts';
import { authorizationPage } from './frame.ts';

interface ConsentPage {
  request: AuthorizationRequest;
  user: User;
  /** Granted if the user agrees. */
  scopes: readonly Scope[];
  /** True if the token is only for the MCP endpoint. */
  is_mcp_only: boolean;
  seal: string;
  headers: Record<string, string>;
}

export function consentPage({ request, user, scopes, is_mcp_only, seal, headers }: ConsentPage): Reply {
  const { client, redirect_uri, written } = request;
  const hidden = html`<input type="hidden" name="request" value="${written}"><input type="hidden" name="seal" value="${seal}">`;
  const content = html`<section class="sheet" aria-labelledby="title">
<h1 id="title">Authorize ${shownClient(client)}?</h1>
<p class="fine">${whoAsks(client)}</p>
<div class="who"><span>Signed in as <bdi><strong>${nameOf(user)}</strong></bdi></span>
<form method="post" action="/oauth/sign-out">${hidden}<button type="submit" class="link">Use another account</button></form></div>
<h2>It will be able to</h2>
<ul class="scopes">${scopes.map(line)}</ul>
<p class="fine">${is_mcp_only ? `Access to the MCP endpoint of ${SERVICE.title} only.` : `Access to all of ${SERVICE.title}.`}
Access lasts up to 30 days. You can revoke it at any time in your list of sessions.</p>
<p class="whereto">You will be redirected to ${whereTo(redirect_uri)}. Continue only if you started the sign-in there.</p>
<form method="post" action="/oauth/authorize" class="decide">
${hidden}
<button type="submit" name="decision" value="deny">Cancel</button>
<button type="submit" name="decision" value="allow" class="primary">Allow</button>
</form>
</section>`;
  return authorizationPage({ title: 'Authorize application', content, headers, leads_to: actionSources(redirect_uri) });
}

const nameOf = ({ id, display_name }: User): string => (display_name === '' ? `user ${id}` : visible(display_name));

const line = (scope: Scope): Html =>
  html`<li><strong>${SCOPE_WORDS[scope].title}</strong> <span>${SCOPE_WORDS[scope].detail}</span></li>`;
