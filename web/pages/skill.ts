import type { Operations } from '../../sdk/src/index.ts';
import { isId, tryPath } from '../parts/capability-ref.ts';
import { copyable } from '../parts/copy.ts';
import { bytesText, jsonView } from '../parts/json-view.ts';
import { markdown } from '../parts/markdown.ts';
import { type Html, html } from '../server/html.ts';
import type { Page } from '../server/page.ts';
import { named } from './named.ts';

type Skill = Operations['skills']['get']['answer'];

/** `/skills/{name}`: a skill's instructions, files with digests, and an example input. */
export const skill: Page = {
  get: async (visit) => {
    const { capstan, params, site } = visit;
    if (isId(params.name as string)) return named.get(visit);
    const skillDetail = await capstan.skills.get({ name: params.name as string });
    const self = tryPath({ kind: 'skill', ref: skillDetail.name });
    // The page already has a headline.
    const body = skillDetail.body.replace(/^\s*# [^\n]*\n/, '');
    const content = html`<article class="detail">
<header class="head"><p class="label"><a href="/skills">Skills</a></p><h1>${skillDetail.name}</h1>
<p class="lead">${skillDetail.description}</p>
<p class="facts"><span class="kind ${skillDetail.execution_class}">${skillDetail.execution_class}</span><span>version ${skillDetail.version}</span>${skillDetail.license !== '' && html`<span>${skillDetail.license}</span>`}</p>
<p class="ways"><a class="button" href="${self}">Try it</a></p></header>
<div class="columns"><div class="body">
<section class="prose skill-md" aria-label="Instructions">${await markdown(site, body)}</section>
</div><div class="side">
${skillDetail.example !== undefined && html`<section aria-labelledby="example"><h2 id="example">Example input</h2>${jsonView(skillDetail.example.input, skillDetail.links.self)}</section>`}
${about(skillDetail)}
${files(skillDetail)}
<section aria-labelledby="terminal"><h2 id="terminal">From a terminal</h2>${copyable(`capstand run skill/${skillDetail.name} --example`, 'command')}</section>
</div></div></article>`;
    return {
      title: skillDetail.name,
      description: skillDetail.description,
      content,
      json: skillDetail.links.self,
      markdown: skillDetail.links.skill_md,
    };
  },
};

const about = ({
  digest,
  compatibility,
  links,
}: Skill): Html => html`<section aria-labelledby="about"><h2 id="about">About</h2>
<dl class="pairs">${compatibility !== '' && html`<div><dt>Needs</dt><dd>${compatibility}</dd></div>`}
<div><dt>Digest</dt><dd><code class="digest">${digest}</code></dd></div></dl>
<p class="fine">Also as <a href="${links.self}">JSON</a> and <a href="${links.skill_md}">SKILL.md</a>.</p></section>`;

const files = ({ files: all, links }: Skill): Html => html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<ul class="files">${all.map(({ path, size, sha256 }) => html`<li><a href="${links.files}${path.split('/').map(encodeURIComponent).join('/')}">${path}</a> <p class="facts"><span>${bytesText(size)}</span><code class="digest" title="SHA-256 ${sha256}">${sha256.slice(0, 16)}…</code></p></li>`)}</ul></section>`;
