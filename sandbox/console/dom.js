import { choice, t } from './words.js';

/* Building blocks. Everything a stranger wrote goes in as text, never as markup. */

export const byId = (id) => document.getElementById(id);

/** el('div', {class: 'x', onclick: f}, 'text', child) */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'onclick') node.addEventListener('click', value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const shownText = new Map();
const openLines = new Set();

/** Draws a list only when its data or the language changed; keeps focus and opened lines. */
export function draw(id, data, build) {
  const text = choice.language + JSON.stringify(data);
  if (shownText.get(id) === text) return;
  shownText.set(id, text);
  const focused = document.activeElement?.dataset?.key;
  byId(id).replaceChildren(...build());
  if (focused)
    byId(id)
      .querySelector(`[data-key="${CSS.escape(focused)}"]`)
      ?.focus();
}

/** A line that opens to show a text, and stays open over redraws. */
export function line(key, summary, text) {
  const node = el(
    'details',
    { class: 'line', open: openLines.has(key) },
    el('summary', { 'data-key': key }, ...summary),
    ...(Array.isArray(text) ? text : [el('pre', { tabindex: '0' }, text)]),
  );
  node.addEventListener('toggle', () => (node.open ? openLines.add(key) : openLines.delete(key)));
  return node;
}

export const chip = (words, tone) => el('span', { class: `chip ${tone ?? ''}` }, words);
export const empty = (key) => el('p', { class: 'empty' }, t(key));
export const button = (words, key, onclick, kind) =>
  el('button', { type: 'button', class: `small ${kind ?? ''}`, 'data-key': key, onclick }, words);

export const clockTime = (iso) =>
  new Date(iso).toLocaleTimeString(choice.language === 'tr' ? 'tr-TR' : 'en-GB');
export const amountText = (amount, currency) => {
  const [whole, cents] = amount.split('.');
  const mark = { TRY: '₺', USD: '$', EUR: '€' }[currency] ?? `${currency} `;
  const [group, point] = choice.language === 'tr' ? ['.', ','] : [',', '.'];
  return mark + whole.replace(/\B(?=(\d{3})+(?!\d))/g, group) + point + cents;
};
export const ibanText = (iban) => (iban ?? '').replace(/(.{4})(?=.)/g, '$1 ');
export const pretty = (text) => {
  // Re-indents without parsing: long ids would lose digits.
  let depth = 0;
  let inside = false;
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '"' && text[i - 1] !== '\\') inside = !inside;
    if (!inside && (letter === '{' || letter === '[')) out += `${letter}\n${'  '.repeat(++depth)}`;
    else if (!inside && (letter === '}' || letter === ']'))
      out += `\n${'  '.repeat(Math.max(0, --depth))}${letter}`;
    else if (!inside && letter === ',') out += `,\n${'  '.repeat(depth)}`;
    else if (!inside && letter === ':') out += ': ';
    else out += letter;
  }
  return out;
};

let toastTimer = 0;
export function toast(words) {
  byId('toast').textContent = words;
  byId('toast').classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId('toast').classList.remove('shown'), 2600);
}

/** A control call; shows the error and returns null when it fails. */
export async function call(method, path, body) {
  try {
    const response = await fetch(`/sandbox/${path}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    toast(answer.error ?? String(response.status));
    return { error: answer.error };
  } catch {
    return null;
  }
}
