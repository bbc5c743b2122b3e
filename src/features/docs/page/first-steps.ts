import { type Html, html } from '../../../platform/http/html.ts';

/** What to type first. */
export const firstSteps = (base_url: string): Html => html`<section aria-labelledby="first">
<h2 id="first">First steps</h2>
<p>Search from a terminal or a program; no account is needed:</p>
<pre tabindex="0"><code>curl '${base_url}/api/marketplace/registry?search=weather&amp;limit=3'</code></pre>
<p>Run a first-party skill in the sandbox and see its trace, where the service is installed:</p>
<pre tabindex="0"><code>npm run capstand -- run skill/json-diff --example</code></pre>
<p>Run the service yourself:</p>
<pre tabindex="0"><code>npm ci &amp;&amp; npm start</code></pre>
<p class="note">For agents: <a href="/llms.txt">llms.txt</a>, <a href="/api/marketplace/skills.md">the skills catalogue</a>,
<a href="/api/schema">OpenAPI 3.1</a>.</p>
</section>`;
