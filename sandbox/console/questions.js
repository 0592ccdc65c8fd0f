import { byId, call, el } from './dom.js';
import { t } from './words.js';

/* What the contracts leave open, as switches. */

let switches = null;

async function setSwitch(name, value) {
  const answer = await call('POST', 'questions', { [name]: value });
  if (answer && !answer.error) switches = answer;
  drawQuestions();
}

function control(name, one) {
  const kind = typeof one.default;
  const read = (text) => (kind === 'number' ? Number(text) : kind === 'boolean' ? text === 'true' : text);
  const shown = one.choices
    ? el('select', { 'aria-label': name }, ...one.choices.map((choiceOf) => el('option', { value: String(choiceOf), selected: choiceOf === one.value }, String(choiceOf))))
    : el('input', { 'aria-label': name, type: kind === 'number' ? 'number' : 'text', min: one.min ?? null, max: one.max ?? null, value: String(one.value), autocomplete: 'off' });
  shown.addEventListener('change', () => setSwitch(name, read(shown.value)));
  return shown;
}

export function drawQuestions() {
  if (switches === null) return;
  byId('question-rows').replaceChildren(el('table', { class: 'coverage' },
    el('thead', null, el('tr', null, ...['switchName', 'switchValue', 'switchMeaning'].map((key) => el('th', { scope: 'col' }, t(key))))),
    el('tbody', null, ...Object.entries(switches).map(([name, one]) => el('tr', null, el('td', { class: 'num' }, name), el('td', null, control(name, one)),
      el('td', { class: 'wrap' }, one.meaning, one.value === one.default ? null : el('div', { class: 'muted' }, `${t('usually')}: ${String(one.default)}`)))))));
}

/** Asked for whenever somebody opens it. */
export function openQuestions() {
  byId('question-box').addEventListener('toggle', async () => {
    if (!byId('question-box').open) return;
    const answer = await call('GET', 'questions');
    switches = answer && !answer.error ? answer : switches;
    drawQuestions();
  });
}
