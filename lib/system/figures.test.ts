import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIGURES, figuresOf } from './figures.ts';
import type { Alarm, Figure, FigureName } from './figures.ts';

/** The page's thresholds are those of Prometheus, and its states follow from them. */

const ALARMS = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs/monitoring/alerts.yml'),
  'utf8',
);

const figure = (name: FigureName, measured: Parameters<typeof figuresOf>[0]): Figure =>
  figuresOf(measured).find((one) => one.name === name)!;

test('each alarm of the page has the metric and the threshold that it has in alerts.yml', () => {
  const named = Object.values(FIGURES).filter((one) => 'alarm' in one);
  expect(named.length).toBeGreaterThan(8);
  for (const { metric, alarm } of named as { metric: string; alarm: Alarm }[]) {
    const [, expr = ''] = new RegExp(`alert: ${alarm.name}\n\\s+expr: (.+)`).exec(ALARMS) ?? [];
    expect(expr, alarm.name).toContain(metric);
    const threshold = /(?<sign>[<>]|==) (?<value>[\d.e]+)$/.exec(expr)?.groups;
    const [sign, value] = 'above' in alarm ? ['>', alarm.above] : ['<', alarm.below];
    // "is 1" of a metric that is 0 or 1 is "above 0".
    const isFlag = threshold?.['sign'] === '==' && value === 0;
    if (!isFlag) expect([threshold?.['sign'], Number(threshold?.['value'])]).toEqual([sign, value]);
  }
});

test('a figure beyond its threshold is an alarm, one at it is fine, and one that nobody reports is neither', () => {
  const unknown = (seconds: number): Figure =>
    figure('unknownOldest', [
      { name: 'dashboard_unknown_oldest_seconds', values: [[{}, seconds]] },
    ]);
  expect(unknown(1_801).alarm?.isPassed).toBe(true);
  expect(unknown(1_800).alarm?.isPassed).toBe(false);
  expect(figure('diskFree', [])).toMatchObject({ value: null, alarm: { isPassed: null } });
});

test('entries that wait for the audit chain hold every send up, and are no other work that is late', () => {
  const late = (queue: string, seconds: number) =>
    [{ name: 'dashboard_queue_late_seconds', values: [[{ queue }, seconds]] }] as Parameters<
      typeof figuresOf
    >[0];
  const entries = late('auditEntries', 11);
  expect(figure('entriesLate', entries)).toMatchObject({ value: 11, alarm: { isPassed: true } });
  expect(figure('queuesLate', entries).value).toBeNull();
  expect(figure('entriesLate', late('receipts', 901)).value).toBeNull();
});

test('each value that an alarm selects by a label is one that the code gives the label', () => {
  const namedIn: Readonly<Record<string, string>> = {
    kind: 'lib/web/answer.ts',
    queue: 'lib/worker/main.ts',
    reason: 'lib/login/challenge.ts',
    response: 'lib/providers/outcome.ts',
  };
  const selected = [...ALARMS.matchAll(/(?<label>\w+)(?:=|=~|!~)"(?<values>[^"]+)"/g)];
  expect(selected.length).toBeGreaterThan(5);
  for (const { groups } of selected) {
    const { label = '', values = '' } = groups!;
    // Of a status the alarm names the class.
    if (label === 'status') continue;
    const code = readFileSync(join(import.meta.dirname, '..', '..', namedIn[label]!), 'utf8');
    for (const value of values.split('|'))
      expect(code, `${label}="${value}"`).toMatch(new RegExp(`'${value}'|^ +${value}: \\{$`, 'm'));
  }
});

test('connections that fail while the circuit is not open raise the alarm, as in alerts.yml', () => {
  const requests = (response: string, count: number) =>
    figure('heldBack', [
      {
        name: 'dashboard_provider_requests_total',
        values: [[{ provider: 'wallet', response }, count]],
      },
    ]);
  const [, selected = ''] = /requests_total\{response=~"([^"]+)"/.exec(ALARMS) ?? [];
  expect(selected.split('|')).toContain('refused');
  for (const response of selected.split('|')) {
    expect(requests(response, 3).alarm?.isPassed, response).toBe(true);
    expect(requests(response, 2).alarm?.isPassed, response).toBe(false);
  }
});

test('several workers count as the latest queue, the fullest disk and the sum of requests', () => {
  const measured = [
    {
      name: 'dashboard_queue_late_seconds',
      values: [
        [{ queue: 'movements' }, 3],
        [{ queue: 'movements' }, 61],
        [{ queue: 'receipts' }, 901],
      ] as [Record<string, string>, number][],
    },
    {
      name: 'dashboard_disk_free_bytes',
      values: [
        [{}, 5e9],
        [{}, 1e9],
      ] as [Record<string, string>, number][],
    },
    {
      name: 'dashboard_provider_requests_total',
      values: [
        [{ provider: 'wallet', response: '200' }, 9],
        [{ provider: 'wallet', response: 'circuit_open' }, 2],
        [{ provider: 'card', response: 'no_token' }, 1],
      ] as [Record<string, string>, number][],
    },
  ];
  expect(figure('paymentsLate', measured)).toMatchObject({ value: 61, alarm: { isPassed: true } });
  expect(figure('queuesLate', measured)).toMatchObject({ value: 901, alarm: { isPassed: true } });
  expect(figure('diskFree', measured)).toMatchObject({ value: 1e9, alarm: { isPassed: true } });
  expect(figure('heldBack', measured)).toMatchObject({ value: 3, alarm: { isPassed: true } });
});
