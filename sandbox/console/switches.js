import { byId, call, chip, el, line, toast } from './dom.js';
import { t } from './words.js';

/*
 * The switches: what the contracts leave open and what is configured for the merchant, each with
 * its choices and its meaning.
 */

const GROUPS = [
  ['questions', 'questions'],
  ['card/settings', 'cardSettings'],
];

/**
 * The input or select element of a switch; sends the chosen value in the type of the switch's
 * default.
 */
function control(path, name, entry) {
  const change = async (value) => {
    const answer = await call('POST', path, { [name]: value });
    toast(answer?.error ?? `${name}: ${String(value)}`);
    drawSwitches();
  };
  const named = { 'aria-label': name, 'data-key': `switch-${name}` };
  if (entry.choices) {
    const node = el(
      'select',
      named,
      ...entry.choices.map((choice) =>
        el('option', { value: String(choice), selected: choice === entry.value }, String(choice)),
      ),
    );
    node.addEventListener('change', () =>
      change(entry.choices.find((choice) => String(choice) === node.value)),
    );
    return node;
  }
  const isNumber = typeof entry.default === 'number';
  const node = el('input', {
    ...named,
    type: isNumber ? 'number' : 'text',
    min: entry.min,
    max: entry.max,
    value: String(entry.value),
    autocomplete: 'off',
    spellcheck: 'false',
  });
  node.addEventListener('change', () => change(isNumber ? Number(node.value) : node.value));
  return node;
}

function group(path, title, entries) {
  const changed = entries.filter(([, entry]) => entry.value !== entry.default).length;
  return line(
    `switches-${path}`,
    [
      el('span', { class: 'op all' }, t(title)),
      chip(
        changed === 0 ? t('asUsual') : `${changed} ${t('changed')}`,
        changed === 0 ? '' : 'wait',
      ),
    ],
    [
      el(
        'div',
        null,
        ...entries.map(([name, entry]) =>
          el(
            'div',
            { class: 'switch' },
            el(
              'div',
              null,
              el('code', null, name),
              el(
                'p',
                { class: 'muted' },
                entry.value === entry.default
                  ? entry.meaning
                  : `${entry.meaning} (${t('usually')}: ${String(entry.default)})`,
              ),
            ),
            control(path, name, entry),
          ),
        ),
      ),
    ],
  );
}

export async function drawSwitches() {
  const answers = await Promise.all(GROUPS.map(([path]) => call('GET', path)));
  if (answers.some((answer) => answer === null || answer.error)) return;
  const focused = document.activeElement?.dataset?.key;
  byId('switches').replaceChildren(
    ...GROUPS.map(([path, title], at) => group(path, title, Object.entries(answers[at]))),
  );
  if (focused)
    byId('switches')
      .querySelector(`[data-key="${CSS.escape(focused)}"]`)
      ?.focus();
}
