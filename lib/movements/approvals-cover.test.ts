import { expect, it } from 'vitest';
import { approvalsCover } from './approvals-cover.ts';
import type { Approval } from './approvals-cover.ts';
import type { MovementRow } from './row.ts';

const movement = { contentHash: 'h', makerId: 'maker', approvalsNeeded: 2 } as MovementRow;
const by = (personId: string, deputyOf: string | null = null): Approval => ({
  personId,
  deputyOf,
  lapsed: false,
  contentHash: 'h',
  asOwner: false,
  releases: false,
  signed: 'none',
});
const covers = (...approvals: Approval[]) =>
  approvalsCover({ movement, approvals, requirements: [] });

it('two people are two approvals, and one of them may be a deputy of a third', () => {
  expect(covers(by('a'), by('b'))).toBe(true);
  expect(covers(by('a'), by('d', 'b'))).toBe(true);
  expect(covers(by('d', 'a'), by('e', 'b'))).toBe(true);
});

it('a deputy and the person represented never count as two, nor two deputies of one person', () => {
  expect(covers(by('a'), by('d', 'a'))).toBe(false);
  expect(covers(by('d', 'a'), by('e', 'a'))).toBe(false);
});

it('neither the maker’s approval counts nor one that a deputy gave for the maker', () => {
  expect(covers(by('a'), by('maker'))).toBe(false);
  expect(covers(by('a'), by('d', 'maker'))).toBe(false);
  expect(covers(by('a'), by('maker', 'b')), 'nor the maker as a deputy').toBe(false);
});

it('an approval of a person who is disabled now does not count, nor an owner’s release', () => {
  const lapsed = { ...by('b'), lapsed: true };
  expect(covers(by('a'), lapsed)).toBe(false);
  expect(covers(by('a'), lapsed, by('c'))).toBe(true);
  expect(covers({ ...lapsed, asOwner: true, releases: true })).toBe(false);
});
