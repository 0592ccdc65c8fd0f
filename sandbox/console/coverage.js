import { byId, call, chip, el, line } from './dom.js';
import { t } from './words.js';

/* The coverage table: what the contracts hold, how sure each row is, and which tests prove it. */

const SOURCE_TONE = { contract: 'good', published: '', 'published-weak': 'wait', assumed: 'wait' };

let rows = null;

function operation(name, area, all) {
  const proven = all.filter((row) => row.tests.length > 0).length;
  const missing = all.some((row) => !row.implemented);
  return line(
    `coverage-${area}-${name}`,
    [
      el('span', { class: 'op all' }, `${area} · ${name}`),
      chip(
        missing ? t('missing') : `${proven}/${all.length}`,
        missing ? 'bad' : proven === all.length ? 'good' : 'wait',
      ),
    ],
    [
      el(
        'div',
        { class: 'scroll' },
        el(
          'table',
          { class: 'coverage' },
          el(
            'thead',
            null,
            el(
              'tr',
              null,
              ...['rowKind', 'rowItem', 'rowSays', 'rowSource', 'rowTests'].map((key) =>
                el('th', { scope: 'col' }, t(key)),
              ),
            ),
          ),
          el(
            'tbody',
            null,
            ...all.map((row) =>
              el(
                'tr',
                null,
                el('td', null, t('rowKinds')[row.kind]),
                el('td', { class: 'num' }, row.item),
                el('td', null, row.says),
                el('td', null, chip(row.source, SOURCE_TONE[row.source])),
                el(
                  'td',
                  { class: 'wrap' },
                  ...row.tests.slice(0, 3).map((test) => el('div', { class: 'muted' }, test)),
                  row.tests.length > 3
                    ? el('div', { class: 'muted' }, `+${row.tests.length - 3}`)
                    : null,
                ),
              ),
            ),
          ),
        ),
      ),
    ],
  );
}

export function drawCoverage() {
  if (rows === null) return;
  const wanted = byId('coverage-filter').value.trim().toLowerCase();
  const shown = rows.filter(
    (row) =>
      wanted === '' ||
      `${row.area} ${row.operation} ${row.kind} ${row.item} ${row.source}`
        .toLowerCase()
        .includes(wanted),
  );
  const groups = Map.groupBy(shown, (row) => `${row.area}\n${row.operation}`);
  const of = (test) => rows.filter(test).length;
  byId('coverage-sum').textContent = [
    `${rows.length} ${t('rows')}`,
    `${of((row) => row.implemented)} ${t('implemented')}`,
    `${of((row) => row.tests.length > 0)} ${t('proven')}`,
    ...Object.keys(SOURCE_TONE).map((source) => `${of((row) => row.source === source)} ${source}`),
  ].join(' · ');
  byId('coverage-rows').replaceChildren(
    ...[...groups].map(([key, all]) => operation(key.split('\n')[1], key.split('\n')[0], all)),
  );
}

/** Loaded once, when the box is opened: it does not change while the program runs. */
export function openCoverage() {
  byId('coverage-box').addEventListener('toggle', async () => {
    if (rows !== null || !byId('coverage-box').open) return;
    rows = (await call('GET', 'coverage'))?.rows ?? null;
    drawCoverage();
  });
  byId('coverage-filter').addEventListener('input', drawCoverage);
}
