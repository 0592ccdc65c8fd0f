import { describe, expect, it } from 'vitest';
import { asPath } from './icon.tsx';

describe('the shapes of an icon as one path', () => {
  it.each([
    ['circle', { cx: '12', cy: '12', r: '10' }, 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z'],
    ['line', { x1: '3', x2: '21', y1: '6', y2: '7' }, 'M3 6L21 7'],
    [
      'rect',
      { x: '3', y: '4', width: '18', height: '10', rx: '2' },
      'M5 4h14a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2z',
    ],
    ['rect', { width: '6', height: '4' }, 'M0 0h6v4h-6v-4z'],
  ])('a %s keeps its outline', (tag, attributes, path) => {
    expect(asPath(tag, attributes)).toBe(path);
  });

  it.each([
    ['m16 9-5.5 5.5L8 12', 'M16 9l-5.5 5.5L8 12'],
    ['m14.305 16.53.923-.382', 'M14.305 16.53l.923-.382'],
    ['m6 8 4 4', 'M6 8l 4 4'],
    ['m4 5v3', 'M4 5v3'],
    ['M12 7v5l3 3', 'M12 7v5l3 3'],
  ])('%s begins at its own point, whatever precedes it', (d, path) => {
    expect(asPath('path', { d, key: 'a' })).toBe(path);
  });

  it('refuses what a common path would lose', () => {
    expect(() => asPath('path', { d: 'M0 0', fill: 'currentColor' })).toThrow('fill');
    expect(() => asPath('ellipse', { cx: '1', cy: '1', rx: '2', ry: '1' })).toThrow('<ellipse>');
  });
});
