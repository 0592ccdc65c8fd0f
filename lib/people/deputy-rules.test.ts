import { describe, expect, it } from 'vitest';
import { ROLES } from '#lib/access/actor.ts';
import { canBeRepresented, canStandIn, isDeputyPeriod } from './deputy-rules.ts';

const TODAY = '2026-11-25';
const period = (firstDay: string, lastDay: string) => isDeputyPeriod({ firstDay, lastDay }, TODAY);

it('a clerk stands in for an approver or an owner, and nobody else for anybody else', () => {
  expect(ROLES.filter(canStandIn)).toEqual(['clerk']);
  expect(ROLES.filter(canBeRepresented)).toEqual(['approver', 'owner']);
});

describe('the period of a deputyship', () => {
  it('begins today or later, within a year', () => {
    expect(period(TODAY, TODAY)).toBe(true);
    expect(period('2026-11-24', '2026-11-30')).toBe(false);
    expect(period('2027-11-25', '2027-11-25')).toBe(true);
    expect(period('2027-11-26', '2027-11-26')).toBe(false);
  });

  it('has 90 days at most, both ends included, and does not end before it begins', () => {
    expect(period('2026-12-01', '2027-02-28')).toBe(true);
    expect(period('2026-12-01', '2027-03-01')).toBe(false);
    expect(period('2026-12-02', '2026-12-01')).toBe(false);
  });

  it('consists of days of the calendar', () => {
    expect(period('', '2026-12-01')).toBe(false);
    expect(period('2026-12-01', '2026-12-32')).toBe(false);
  });
});
