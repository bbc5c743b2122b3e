import type { Operations } from '../../sdk/src/index.ts';
import { tryPath } from '../parts/capability-ref.ts';
import { flag } from '../parts/flag.ts';
import { kindTag } from '../parts/icon.ts';
import { count } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';

type Skill = Operations['skills']['list']['answer']['items'][number];

/** `/skills`: the skills that ship with the service. */
export const skills: Page = {
  get: async ({ capstan }) => {
    const { items, total_count } = await capstan.skills.list({ limit: 100 });
    const content = html`<div class="head"><h1>Skills</h1>
<p class="lead">${count(total_count)} skills that ship with this service, in the Agent Skills format. Scripts run in a sandbox without network access. Every run leaves a trace and a receipt.</p></div>
<section aria-labelledby="all"><h2 id="all" class="hidden">All skills</h2><ul class="ledger listings">${items.map(line)}</ul></section>`;
    return { title: 'Skills', content, description: 'Skills that run here, each with a form to try it.' };
  },
};

const line = ({ name, description, version, execution_class }: Skill): Html => html`<li>
${flag(`skill/${name}`)}
<div class="what"><div class="named"><h3><a href="/skills/${name}">${name}</a></h3>${kindTag('skill')}</div><p class="about">${description}</p>
<p class="facts"><span class="kind ${execution_class}">${execution_class}</span><span>version ${version}</span><a class="above" href="${tryPath({ kind: 'skill', ref: name })}">Try it<span class="hidden">: ${name}</span></a></p></div></li>`;
