import { countsFor } from '#lib/movements/approvals-cover.ts';

/** Who may still approve a movement that waits. Pure. */

/** `deputyOf`: the id of the person for whom a deputy approves; null for everybody else. */
export type Approver = {
  id: string;
  name: string;
  role: 'approver' | 'owner';
  deputyOf: string | null;
};

/**
 * `given`: whose approvals count; a deputy's is that of the person represented. `before`: who has
 * approved it at all, and for whom; nobody approves it twice, also where a later policy asks for a
 * signature that the first approval lacks.
 */
export type Standing = {
  needed: number;
  ownersOnly: boolean;
  makers: readonly string[];
  given: readonly string[];
  before: readonly string[];
};

/** Everybody who may give one of the missing approvals. */
export function eligible(people: readonly Approver[], standing: Standing): Approver[] {
  return people.filter(
    (one) =>
      (one.role === 'owner' || !standing.ownersOnly) &&
      !standing.makers.includes(one.id) &&
      (one.deputyOf === null || !standing.makers.includes(one.deputyOf)) &&
      !standing.before.includes(one.id) &&
      !standing.before.includes(approvesFor(one)),
  );
}

/** Fewer approvals may be given than are missing: it will run out unless an owner releases it. */
export function lacksPeople(people: readonly Approver[], standing: Standing): boolean {
  const able = new Set(eligible(people, standing).map(approvesFor));
  return able.size < standing.needed - standing.given.length;
}

export function approvesFor({ id, deputyOf }: Approver): string {
  return countsFor({ personId: id, deputyOf });
}
