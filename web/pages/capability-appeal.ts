import { capabilityForm } from '../parts/capability-form.ts';
import { cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';

/** `/marketplace/{id}/appeal`: its publisher or claimant appeals a flag or a takedown. */
export const capabilityAppeal = capabilityForm({
  title: 'Appeal a moderation action',
  show: async ({ capstan, params: { id = '' }, query }, form) => {
    const { measures } = await capstan.moderation.get({ id });
    const open = measures.filter(({ appeal }) => appeal.status === 'none');
    const chosen = form.get('measure') ?? query.get('measure');
    if (open.length === 0) return html`<p class="lead">There is nothing to appeal.</p>`;
    return html`<p>You can appeal each moderation action once. Only operators read your text. The appeal and its outcome appear in the public history.</p>
<form method="post" class="asks">
<input type="hidden" name="do" value="send">
<label>Action <select name="measure" required>${open.map(
      (measure) =>
        html`<option value="${measure.id}"${measure.id === chosen && html` selected`}>${measure.measure}, ${measure.kind}: ${cut(measure.reason, 100)}</option>`,
    )}</select></label>
<label>Why it should be lifted <textarea name="text" rows="6" required maxlength="2000">${'\n'}${form.get('text')}</textarea></label>
<p><button type="submit" class="button">Send appeal</button></p></form>`;
  },
  acts: { send },
});

async function send({ capstan, params: { id = '' }, form }: FormVisit): Promise<Html> {
  const text = (form.get('text') ?? '').replaceAll('\r\n', '\n');
  await capstan.moderation.appeal({ id, body: { measure_id: form.get('measure') ?? '', text } });
  return html`<p class="lead" role="status">Appeal sent. The operators’ decision will appear in the history.</p>
<p class="ways"><a class="button" href="/marketplace/${encodeURIComponent(id)}/standing">Moderation history</a></p>`;
}
