import { type Answer, CapstanError } from '../../../sdk/src/index.ts';
import { block } from '../../parts/block.ts';
import { actButton } from '../../parts/dashboard.ts';
import { desk } from '../../parts/desk.ts';
import { notice } from '../../parts/notice.ts';
import type { Said } from '../../parts/said.ts';
import { type Look, plainState } from '../../parts/state.ts';
import { count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/health`: whether the service is ready, and the checks of the installation when asked for. */
export const health = deskPage({
  show: (visit, said) => shown(visit, said, null),
  acts: { run: async (visit) => shown(visit, null, await visit.capstan.doctor.run()) },
});

type Report = Answer<'core.doctor.run'>;
type Check = Report['checks'][number];

async function shown({ capstan, site }: OwnVisit, said: Said | null, report: Report | null): Promise<View> {
  const ready = await readiness(capstan);
  const content = html`${
    ready === null
      ? notice({
          look: 'good',
          shape: 'circle-check',
          title: 'Ready.',
          text: `Version ${site.version} answers requests, and the database and the search respond.`,
        })
      : notice({ look: 'bad', shape: 'circle-x', title: 'Not ready.', text: html`<bdi>${cut(ready, 400)}</bdi>` })
  }
${block({
  id: 'checks',
  title: 'Checks of the installation',
  label: report === null ? null : words(report),
  content: html`${report === null ? html`<p>Settings, database, keys, clock, disk, network, providers, sandbox, models, mail. They change nothing and take a few seconds.</p>` : html`<ul class="audit">${sorted(report.checks).map(checkRow)}</ul>`}
<div class="ways">${actButton('run', report === null ? 'Run the checks' : 'Run them again', {}, report === null ? '' : 'plain')}</div>`,
})}`;
  return desk({ title: 'Health', area: '/desk/health', said, content });
}

/** Why it is not ready; null if it is. */
async function readiness(capstan: OwnVisit['capstan']): Promise<string | null> {
  try {
    await capstan.health.getReadiness();
    return null;
  } catch (error) {
    if (error instanceof CapstanError && error.status === 503) return error.detail;
    throw error;
  }
}

const LOOKS: Record<Check['level'], readonly [look: Look, words: string]> = {
  ok: ['good', 'OK'],
  warn: ['warn', 'Warning'],
  fail: ['bad', 'Failed'],
};
const WORST = ['fail', 'warn', 'ok'];

const sorted = (checks: readonly Check[]): Check[] =>
  checks.toSorted((a, b) => WORST.indexOf(a.level) - WORST.indexOf(b.level));

function words({ checks }: Report): string {
  const bad = checks.filter(({ level }) => level !== 'ok').length;
  return bad === 0 ? `All ${count(checks.length)} passed` : `${count(bad)} of ${count(checks.length)} need attention`;
}

const checkRow = ({ name, level, findings }: Check): Html =>
  html`<li>${plainState(...LOOKS[level])}<div><p><strong>${name}</strong></p>${findings.map(findingLine)}</div></li>`;

const findingLine = ({ seen, fix }: Check['findings'][number]): Value =>
  html`<p class="fine">${cut(seen, 600)}${fix !== undefined && html`<br>→ ${cut(fix, 600)}`}</p>`;
