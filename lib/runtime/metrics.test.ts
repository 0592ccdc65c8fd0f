import { expect, test } from 'vitest';
import { histogram, metricsText } from './metrics.ts';

/** The figures of a process as Prometheus reads them. */

test('an observation at a bound is counted up to that bound, and in every larger bucket', async () => {
  const observe = histogram('waits_seconds', 'Waits.', [1, 5]);
  for (const value of [0.5, 1, 5, 7]) observe(value);
  const lines = (await metricsText())
    .split('\n')
    .filter((line) => line.startsWith('waits_seconds'));
  expect(lines).toEqual([
    'waits_seconds_bucket{le="1"} 2',
    'waits_seconds_bucket{le="5"} 3',
    'waits_seconds_bucket{le="+Inf"} 4',
    'waits_seconds_sum 13.5',
    'waits_seconds_count 4',
  ]);
});
