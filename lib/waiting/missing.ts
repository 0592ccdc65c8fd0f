import type { Role } from '#lib/access/actor.ts';
import { isSenior } from '#lib/second-person/standing.ts';
import type { Senior, Standing, Word } from '#lib/second-person/standing.ts';

/** Who can still confirm what one person has asked for. Pure. */

export type Colleague = { id: string; name: string; role: Role };

/**
 * `counting`: the statements that count. `speakers`: the people whose statement on this subject
 * counts at all. While two people contradict each other nobody can confirm it.
 */
export function missingFrom(
  standing: Standing,
  {
    counting,
    speakers,
    makerId,
    needs,
  }: {
    counting: readonly Word[];
    speakers: readonly Colleague[];
    makerId: string | null;
    needs: Senior;
  },
): { missing: 'second_person' | 'senior' | 'owner' | 'contradicted'; who: Colleague[] } {
  if (standing.kind === 'contradicted') return { missing: 'contradicted', who: [] };
  const lacksSenior = !counting.some(({ role }) => isSenior(role, needs));
  const who = speakers.filter(
    ({ id, role }) =>
      id !== makerId &&
      !counting.some(({ personId }) => personId === id) &&
      (!lacksSenior || isSenior(role, needs)),
  );
  if (!lacksSenior) return { missing: 'second_person', who };
  return { missing: needs === 'owner' ? 'owner' : 'senior', who };
}
