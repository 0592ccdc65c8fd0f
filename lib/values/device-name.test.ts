import { expect, it } from 'vitest';
import { deviceOf } from './device-name.ts';

it('a session is recognised by browser and system, not by the whole line a browser sends', () => {
  expect(
    deviceOf(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ),
  ).toBe('Chrome · Windows');
  expect(
    deviceOf(
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
        'Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    ),
  ).toBe('Edge · Windows');
  expect(
    deviceOf(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/18.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari · iPhone');
  expect(deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    'Firefox · Linux',
  );
  expect(deviceOf('curl/8.5.0')).toBeNull();
  expect(deviceOf(null)).toBeNull();
});
