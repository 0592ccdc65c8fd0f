/** Plan codes as pasted. Pure. */

const CODES_MAX = 200;
const CODE_MAX = 128;

export type PlanCodes =
  | { kind: 'codes'; codes: string[] }
  | { kind: 'empty' }
  | { kind: 'many'; max: number }
  | { kind: 'unreadable'; line: string };

/**
 * Reads plan codes, one a line or separated by blanks, commas, semicolons or tabs, without
 * duplicates. A code is one word.
 */
export function readPlanCodes(text: string): PlanCodes {
  const codes = [...new Set(text.split(/[\s,;]+/u).filter((one) => one !== ''))];
  const bad = codes.find((one) => one.length > CODE_MAX || !/^[\x21-\x7e]+$/.test(one));
  if (bad !== undefined)
    return { kind: 'unreadable', line: bad.slice(0, 40).replace(/[\p{Cc}\p{Cf}]/gu, '�') };
  if (codes.length === 0) return { kind: 'empty' };
  return codes.length > CODES_MAX ? { kind: 'many', max: CODES_MAX } : { kind: 'codes', codes };
}
